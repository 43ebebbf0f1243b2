//! Tests of single modules of `cladist-import`.

mod protocol_translate_script;
