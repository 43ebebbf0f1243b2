"use strict";

const { ProcessExecution, Task, TaskScope, commands, tasks, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** The server, once it is started. */
let client;

/** The program, as the settings name it. */
function program() {
  return workspace.getConfiguration("cladist").get("path") || "cladist";
}

/** Classifies the violations of a property as a task, whose terminal stays open. */
async function classify(path, property) {
  await workspace.textDocuments.find((document) => document.uri.fsPath === path)?.save();
  const run = new ProcessExecution(program(), ["classify", "-p", property, "--", path]);
  const definition = { type: "cladist", property };
  const task = new Task(definition, TaskScope.Workspace, `classify ${property}`, "cladist", run, "$cladist");
  await tasks.executeTask(task);
}

/** Starts `cladist lsp`. */
function activate(context) {
  const command = program();
  context.subscriptions.push(commands.registerCommand("cladist.classify", classify));
  client = new LanguageClient(
    "cladist",
    "Cladist",
    { command, args: ["lsp"] },
    {
      documentSelector: ["cladist", "spdl"].map((language) => ({ scheme: "file", language })),
      // Commands run in a terminal here, and not in the server.
      initializationOptions: { terminal: true },
    },
  );
  return client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
