;;; cladist.el --- Models and protocol files of Cladist  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))

;;; Commentary:

;; Modes for models, libraries and components (`cladist-mode') and for protocol files (`cladist-spdl-mode'),
;; and the language server `cladist lsp' for Eglot (M-x eglot).  Models have colours from Emacs 29 on, where the
;; tree-sitter grammar is installed as libtree-sitter-cladist.

;;; Code:

(defconst cladist--colours
  '([(comment) (doc_comment)] @font-lock-comment-face
    (text) @font-lock-string-face
    [(number) (true) (false) (none)] @font-lock-constant-face
    [(boolean_type) (type_name)] @font-lock-type-face
    (action name: (name) @font-lock-function-name-face)
    (operation name: (name) @font-lock-function-name-face)
    (definition name: (name) @font-lock-function-name-face)
    (predicate name: (name) @font-lock-function-name-face)
    (property name: (name) @font-lock-function-name-face)
    (vocabulary name: (name) @font-lock-function-name-face)
    (variable name: (name) @font-lock-variable-name-face)
    ["absent" "across" "as" "assume" "const" "constrain" "def" "else" "enum" "environment" "eq" "exists" "fairness"
     "forall" "if" "import" "init" "invariant" "ctl" "ltl" "lacks" "library" "map" "match" "model" "modifies" "observe"
     "of" "option" "pred" "record" "require" "requires" "set" "symmetric" "then" "type" "value" "var" "variant"
     "vocabulary" "with"]
    @font-lock-keyword-face)
  "Which nodes of the grammar have which face.")

(define-derived-mode cladist-mode prog-mode "Cladist"
  "Mode for models, libraries and components of Cladist."
  (setq-local comment-start "// ")
  (when (and (fboundp 'treesit-ready-p) (treesit-ready-p 'cladist t))
    (treesit-parser-create 'cladist)
    (setq-local treesit-font-lock-feature-list '((all))
                treesit-font-lock-settings
                (treesit-font-lock-rules :language 'cladist :feature 'all cladist--colours))
    (treesit-major-mode-setup)))

(define-derived-mode cladist-spdl-mode prog-mode "Spdl"
  "Mode for protocol files."
  (setq-local comment-start "// "))

(add-to-list 'auto-mode-alist '("\\.\\(?:sts\\|pred\\)\\'" . cladist-mode))
(add-to-list 'auto-mode-alist '("\\.spdl\\'" . cladist-spdl-mode))

(with-eval-after-load 'eglot
  (dolist (mode '(cladist-mode cladist-spdl-mode))
    (add-to-list 'eglot-server-programs `(,mode . ("cladist" "lsp")))))

(provide 'cladist)
;;; cladist.el ends here
