{
  description = "Classifies the counterexamples of a bounded model check";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      forEachSystem = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
      manifest = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).package;
    in
    {
      packages = forEachSystem (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = manifest.name;
          version = manifest.version;
          src = self;
          # Crates are fetched by the sums of the lock file; the build itself has no network.
          cargoLock.lockFile = ./Cargo.lock;
          buildType = "dist";
          # The tests need solvers, a browser and a Slurm of their own: `.ci/run` has them.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            mkdir -p $out/share/cladist man
            cp -R specs predicates $out/share/cladist
            $out/bin/cladist man --out man
            installManPage man/*.1
            for shell in bash fish zsh; do
              $out/bin/cladist completions $shell > cladist.$shell
              installShellCompletion cladist.$shell
            done
          '';
          meta = {
            description = manifest.description;
            license = with nixpkgs.lib.licenses; [
              mit
              asl20
            ];
            mainProgram = "cladist";
          };
        };
      });

      devShells = forEachSystem (pkgs: {
        default = pkgs.mkShell {
          packages = [
            pkgs.cargo
            pkgs.clippy
            pkgs.rustc
            pkgs.rustfmt
            pkgs.z3
            pkgs.cvc5
          ];
        };
      });
    };
}
