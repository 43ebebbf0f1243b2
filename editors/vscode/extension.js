"use strict";

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** The server, once it is started. */
let client;

/** Starts `cladist lsp`. */
function activate() {
  const command = workspace.getConfiguration("cladist").get("path") || "cladist";
  client = new LanguageClient(
    "cladist",
    "Cladist",
    { command, args: ["lsp"] },
    { documentSelector: ["cladist", "spdl"].map((language) => ({ scheme: "file", language })) },
  );
  return client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
