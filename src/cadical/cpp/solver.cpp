// CaDiCaL as the functions that src/cadical/ffi.rs declares. Exceptions, which are those of a lack of memory, end the program.

#include <cstddef>
#include <cstdint>

#include "cadical.hpp"
#include "tracer.hpp"

namespace cladist {

// Says whether to stop.
using Terminate = bool (*) (void *data);

// The functions that take a proof, in Rust, which do not unwind.
struct TracerFunctions {
  void (*original) (void *data, int64_t id, const int *literals, size_t size, bool restored);
  void (*derived) (void *data, int64_t id, const int *literals, size_t size, const int64_t *antecedents, size_t count);
  void (*deleted) (void *data, int64_t id);
};

struct Terminator final : CaDiCaL::Terminator {
  Terminate function = nullptr;
  void *data = nullptr;

  bool terminate () override { return function (data); }
};

struct Tracer final : CaDiCaL::Tracer {
  TracerFunctions functions = {};
  void *data = nullptr;

  void add_original_clause (int64_t id, bool, const std::vector<int> &clause, bool restored) override {
    functions.original (data, id, clause.data (), clause.size (), restored);
  }

  void add_derived_clause (int64_t id, bool, int, const std::vector<int> &clause,
                           const std::vector<int64_t> &antecedents) override {
    functions.derived (data, id, clause.data (), clause.size (), antecedents.data (), antecedents.size ());
  }

  void delete_clause (int64_t id, bool, const std::vector<int> &) override { functions.deleted (data, id); }
};

// A solver with what it calls back.
struct Handle {
  Terminator terminator;
  Tracer tracer;
  CaDiCaL::Solver solver;

  // A solver would delete a tracer that is still connected.
  ~Handle () { solver.disconnect_proof_tracer (&tracer); }
};

} // namespace cladist

using namespace cladist;

extern "C" {

const char *cladist_cadical_signature () noexcept { return CaDiCaL::Solver::signature (); }

Handle *cladist_cadical_new () noexcept { return new Handle (); }

void cladist_cadical_delete (Handle *handle) noexcept { delete handle; }

bool cladist_cadical_set (Handle *handle, const char *option, int value) noexcept {
  return handle->solver.set (option, value);
}

bool cladist_cadical_configure (Handle *handle, const char *name) noexcept { return handle->solver.configure (name); }

bool cladist_cadical_limit (Handle *handle, const char *name, int value) noexcept {
  return handle->solver.limit (name, value);
}

void cladist_cadical_add_clause (Handle *handle, const int *literals, size_t size) noexcept {
  handle->solver.clause (literals, size);
}

void cladist_cadical_assume (Handle *handle, int literal) noexcept { handle->solver.assume (literal); }

int cladist_cadical_solve (Handle *handle) noexcept { return handle->solver.solve (); }

int cladist_cadical_value (Handle *handle, int literal) noexcept { return handle->solver.val (literal); }

bool cladist_cadical_failed (Handle *handle, int literal) noexcept { return handle->solver.failed (literal); }

void cladist_cadical_connect_terminator (Handle *handle, Terminate function, void *data) noexcept {
  handle->terminator.function = function;
  handle->terminator.data = data;
  handle->solver.connect_terminator (&handle->terminator);
}

void cladist_cadical_disconnect_terminator (Handle *handle) noexcept { handle->solver.disconnect_terminator (); }

void cladist_cadical_connect_tracer (Handle *handle, TracerFunctions functions, void *data) noexcept {
  handle->tracer.functions = functions;
  handle->tracer.data = data;
  handle->solver.connect_proof_tracer (&handle->tracer, true, false);
}
}
