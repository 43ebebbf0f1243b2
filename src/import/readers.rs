//! The languages of other tools whose files are read as models.

use crate::limits::ValueLimits;
use crate::quint::QuintOptions;
pub use crate::quint::limited::GUESSED;
use crate::tla::Imported;
pub use crate::written::{IMPORTED, RESULT};
use crate::written::{Refused, without_place};
use crate::{aiger, btor2, promela, quint, smv, tla};
use kit::diagnostics::Diagnostic;
use lang::model::{self, LoadOptions, Loaded};
use std::path::Path;
use std::sync::Arc;

/// A language of another tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForeignLanguage {
    /// Circuits in AIGER.
    Aiger,
    /// Circuits of words in BTOR2.
    Btor2,
    /// Programs of Spin.
    Promela,
    /// Documents of Quint's compiler.
    Quint,
    /// Models of NuSMV and nuXmv.
    Smv,
    /// Modules of TLA+.
    Tla,
}

use ForeignLanguage::{Aiger, Btor2, Promela, Quint, Smv, Tla};

/// Endings of file names.
const ENDINGS: [(&str, ForeignLanguage); 10] = [
    (".aag", Aiger),
    (".aig", Aiger),
    (".btor", Btor2),
    (".btor2", Btor2),
    (".pml", Promela),
    (".prom", Promela),
    (".promela", Promela),
    (".qnt.json", Quint),
    (".smv", Smv),
    (".tla", Tla),
];

impl ForeignLanguage {
    /// Returns the language of a file, by its name; `None` if it is of none of these tools.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, language)| *language)
    }

    /// True if models have constants, and integers and lists that [`ValueLimits`] limit.
    pub fn has_constants(self) -> bool {
        matches!(self, Quint | Tla)
    }

    /// Reads a file and writes it in the specification language. Files that it includes are looked for beside it.
    ///
    /// # Errors
    /// An unreadable file, mistakes in it, or unsupported constructs.
    pub fn import(self, path: &Path, values: &ValueLimits) -> Result<Imported, Refused> {
        let plain = |text, warnings| Imported { text, warnings, sources: Arc::default() };
        match self {
            Aiger => {
                let text = aiger::import_file(path).map_err(|mistake: Diagnostic| vec![mistake])?;
                Ok(plain(text, Vec::new()))
            }
            Btor2 => Ok(plain(btor2::import_file(path)?, Vec::new())),
            Promela => Ok(plain(promela::import_file(path)?, Vec::new())),
            Quint => {
                let options = QuintOptions { values: values.clone(), ..QuintOptions::default() };
                let (text, warnings) = quint::import_file(path, &options)?;
                Ok(plain(text, warnings))
            }
            Smv => smv::import_file(path).map(|(text, warnings)| plain(text, warnings)),
            Tla => tla::import_file(path, values),
        }
    }

    /// Reads a file as a model. Overrides set constants and limits of values; to languages without these, they are errors.
    pub fn load(self, path: &Path, options: &LoadOptions<'_>) -> Loaded {
        let (values, overrides) = match self.has_constants() {
            true => (ValueLimits::among(options.overrides), &[][..]),
            false => (Ok(ValueLimits::default()), options.overrides),
        };
        match values.map_err(Refused::from).and_then(|values| self.import(path, &values)) {
            Ok(Imported { text, warnings, sources }) => {
                let options = LoadOptions { overrides, ..options.clone() };
                let mut loaded = model::load_written(&path.display().to_string(), &text, &options);
                loaded.diagnostics.extend(warnings.into_iter().map(|one| without_place(one, &sources)));
                loaded
            }
            Err(refused) => refused.into(),
        }
    }
}
