"use strict";

const { execFile } = require("node:child_process");
const { promisify } = require("node:util");
const {
  LanguageStatusSeverity,
  ProcessExecution,
  Range,
  Task,
  TaskScope,
  commands,
  languages,
  tasks,
  window,
  workspace,
} = require("vscode");
const { LanguageClient, State } = require("vscode-languageclient/node");

const SELECTOR = ["cladist", "spdl"].map((language) => ({ scheme: "file", language }));

/** The server, once it is started. */
let client;

/** The state of the server, in the status of the language. */
let status;

/** The last start or end of the server; the next one waits for it. */
let turn = Promise.resolve();

/** The program, as the settings name it. */
function program() {
  return workspace.getConfiguration("cladist").get("path") || "cladist";
}

/** Classifies the violations of a property as a task, whose terminal stays open. */
async function classify(path, property) {
  if (path === undefined) {
    return choose();
  }
  await workspace.textDocuments.find((document) => document.uri.fsPath === path)?.save();
  const run = new ProcessExecution(program(), ["classify", "-p", property, "--", path]);
  const definition = { type: "cladist", property };
  const task = new Task(definition, TaskScope.Workspace, `classify ${property}`, "cladist", run, "$cladist");
  await tasks.executeTask(task);
}

/** Classifies one of the properties of the model in front, which the server lists as code actions. */
async function choose() {
  const document = window.activeTextEditor?.document;
  if (!document || languages.match(SELECTOR, document) === 0) {
    return window.showInformationMessage("Open a model of Cladist to classify the violations of its properties.");
  }
  const whole = new Range(0, 0, document.lineCount, 0);
  const found = await commands.executeCommand("vscode.executeCodeActionProvider", document.uri, whole);
  const actions = (found ?? []).map((action) => (typeof action.command === "string" ? action : action.command));
  const offered = actions.filter((action) => action?.command === "cladist.classify");
  if (offered.length === 0) {
    return window.showInformationMessage("This file has no invariant and no linear-time property.");
  }
  const picks = offered.map(({ arguments: [path, property] }) => ({ label: property, path }));
  const pick = await window.showQuickPick(picks, { placeHolder: "The property whose violations are classified" });
  return pick && classify(pick.path, pick.label);
}

/** Shows the state of the server. */
function show(text, severity, busy = false) {
  Object.assign(status, { text, severity, busy });
}

/** Explains why the program does not run, with the ways out. */
async function explain(error) {
  const reason = error.code === "ENOENT" ? "there is no such program" : error.message;
  const message = `The program \`${program()}\` cannot be run: ${reason}.`;
  const chosen = await window.showErrorMessage(message, "Open Settings", "Try Again");
  if (chosen === "Open Settings") {
    await commands.executeCommand("workbench.action.openSettings", "cladist.path");
  } else if (chosen === "Try Again") {
    await restart();
  }
}

/** Ends the server, if it runs, and starts it with the present settings. */
async function start() {
  await client?.dispose().catch(() => {});
  client = undefined;
  const command = program();
  show("Cladist: starting", LanguageStatusSeverity.Information, true);
  try {
    const { stdout } = await promisify(execFile)(command, ["--version"]);
    const server = new LanguageClient(
      "cladist",
      "Cladist",
      { command, args: ["lsp"] },
      // Commands run in a terminal here, and not in the server.
      { documentSelector: SELECTOR, initializationOptions: { terminal: true } },
    );
    client = server;
    server.onDidChangeState(({ newState }) => {
      if (client !== server) {
        return;
      }
      if (newState === State.Running) {
        show(stdout.split("\n")[0], LanguageStatusSeverity.Information);
      } else if (newState === State.Stopped) {
        show("Cladist: stopped", LanguageStatusSeverity.Error);
      }
    });
    await server.start();
  } catch (error) {
    show("Cladist: not running", LanguageStatusSeverity.Error);
    // Not awaited: the message stays until somebody answers it.
    explain(error);
  }
}

/** Starts the server again, after the start or end that is under way. */
function restart() {
  turn = turn.then(start);
  return turn;
}

/** Registers the commands, and starts `cladist lsp`. */
function activate(context) {
  status = languages.createLanguageStatusItem("cladist.server", SELECTOR);
  status.name = "Cladist";
  status.command = { command: "cladist.restart", title: "Restart" };
  context.subscriptions.push(
    status,
    commands.registerCommand("cladist.classify", classify),
    commands.registerCommand("cladist.restart", restart),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("cladist.path") && restart()),
  );
  return restart();
}

function deactivate() {
  return client?.dispose();
}

module.exports = { activate, deactivate };
