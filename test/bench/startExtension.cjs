// Loads the extension and starts it with a stand-in of VS Code that answers everything with nothing, and
// prints the milliseconds, and those until its features are there. Run by activationBench in a process of its own, as an extension host is.
const Module = require('node:module');

/** Answers every property, call and construction with another of its kind. */
function nothing() {
  return new Proxy(function () {}, {
    get: (target, key) =>
      key === Symbol.iterator || key === 'then' ? undefined : (target[key] ??= nothing()),
    apply: nothing,
    construct: nothing,
  });
}

class Disposable {
  static from() {
    return new Disposable();
  }
  dispose() {}
}

class EventEmitter {
  event = () => new Disposable();
  fire() {}
  dispose() {}
}

const open = { textDocuments: [], workspaceFolders: [], visibleTextEditors: [] };
const vscode = nothing();
const asked = (given, name) =>
  new Proxy(given, { get: (target, key) => (key in target ? target[key] : vscode[name][key]) });
const standIn = new Proxy(
  {
    Disposable,
    EventEmitter,
    l10n: { t: text => text },
    workspace: asked({ ...open, getConfiguration: () => ({ get: () => undefined }) }, 'workspace'),
    window: asked({ ...open, activeTextEditor: undefined }, 'window'),
  },
  { get: (target, key) => (key in target ? target[key] : vscode[key]) },
);

const load = Module._load;
Module._load = function (name, ...others) {
  return name === 'vscode' ? standIn : load.call(this, name, ...others);
};
const state = { get: () => undefined, update: () => Promise.resolve() };
const start = performance.now();
const api = require(process.argv[2]).activate({
  subscriptions: [],
  extensionUri: nothing(),
  workspaceState: state,
  globalState: state,
});
const started = performance.now() - start;
// Answered by the features, which are loaded behind the start.
void api.isServerLog(nothing()).then(() => {
  process.stdout.write(`${started} ${performance.now() - start}`);
  process.exit(0);
});
