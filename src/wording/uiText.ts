/**
 * English texts of the editor's own controls: pickers, inputs, progress, explanations of why there is
 * nothing to show. What is said of a log is in english.ts.
 */
export const uiText = {
  'output.name': 'KV Lens for SGLang',
  'status.name': 'KV Lens: what was recognised',
  'status.nothing': 'no server lines',
  'status.nothing-tooltip': 'This log has no line of an SGLang server that KV Lens knows.',
  'diagnostic.source': 'KV Lens',
  'fix.copy-flag': 'Copy {flag} for the launch command',

  'error.unexpected': 'KV Lens could not do this. The output channel has the details.',
  'error.show-details': 'Show Details',
  'error.no-server-line':
    '{name} has no line of an SGLang server, so there is nothing to evaluate. KV Lens reads what a server prints while it starts, sizes its pools and serves.',
  'error.no-known-line':
    'There is no line of an SGLang server in {name}. Select lines of a server log, or copy them.',
  'error.missing': '{name} is not there.',
  'error.folder': '{name} is a folder. Choose the log file in it.',
  'error.empty': '{name} is empty.',
  'error.denied': '{name} cannot be opened. Check its permissions.',
  'error.damaged': '{name} is a damaged or too large archive.',
  'error.too-large':
    '{name} has {size} MiB. In the browser KV Lens reads logs of up to {limit} MiB; open the folder on a machine, or cut the log.',
  'error.no-log-active': 'Open the log of an SGLang server first.',
  'error.no-flag': 'There is no flag to copy: no fraction is recommended for this run.',
  'error.one-run': 'Two runs are needed to compare, and only one was chosen.',
  'error.report-gone':
    'The log of this report is no longer open. Run “SGLang: Evaluate KV Budget” on it again.',

  'progress.reading': 'Reading {name}',
  'done.flag-copied': 'Copied {flag}',

  'source.placeholder': 'What to evaluate',
  'source.document': 'This log',
  'source.selection': 'The selection',
  'source.clipboard': 'The clipboard',
  'source.values': 'Values',
  'source.values-detail': 'Free memory, fraction and bytes per token, asked one by one',
  'source.file': 'A file…',
  'source.open': 'Evaluate',

  'run.first-placeholder': 'The first run',
  'run.second-placeholder': 'The run to compare it with',
  'run.of-log': 'Which run of {name}',
  'run.label': '{name}, run {number}',
  'run.lines': 'lines {first} to {last}',
  'run.file': 'Read this log',
  'run.other-file': 'Choose a file…',

  'value.title': 'Evaluate KV budget ({step} of {steps})',
  'value.total': 'Free memory before the weights are loaded, minimum over ranks (P)',
  'value.available': 'Free memory after the weights are loaded, minimum over ranks (A)',
  'value.fraction': '--mem-fraction-static (f)',
  'value.cell': 'Bytes per token of this rank, all layers, K and V',
  'value.context': 'Tokens that the pool is to hold, such as the context length (may stay empty)',
  'value.example': 'for example {example}',
  'value.no-amount': 'An amount with its unit, for example {example}. Without a unit it is {unit}.',
  'value.no-number': 'A number, for example {example}.',
  'value.not-positive': 'This must be more than 0.',
  'value.no-fraction': 'A fraction lies above 0 and is at most 1, for example 0.88.',
  'value.above-total': 'This is more than was free before the weights were loaded ({total}).',
  'value.is': '= {amount}',

  'python.unavailable':
    'KV Lens cannot read Python files here: its parser does not load. Logs work as before. The output channel has the details.',
  'python.status-name': 'KV Lens: the log that is bound',
  'python.status-bound': '{name}',
  'python.status-bound-run': '{name}, run {number}',
  'python.status-unbound': 'no log bound',
  'python.status-tooltip': 'Python sources are shown with the values of this run. Click to change.',
  'python.status-unbound-tooltip':
    'Bind the log of a server to see what each line of this file was worth in its run.',
  'python.lens-budget': '{name}: {verdict}',
  'python.lens-evaluate': 'Evaluate KV Budget',
  'python.lens-bind': 'Bind a log',
  'python.lens-bound': 'Bound to {name}',
  'python.lens-missing': 'Set a value ({number} missing)',
  'bind.placeholder': 'The run whose values Python files are shown with',
  'bind.none': 'Unbind {name}',
  'bind.done': 'Bound {name} to this workspace',
  'bind.undone': 'No log is bound any more',
  'error.no-python': 'Open a Python file with memory arithmetic first.',
  'error.no-expression': 'There is no value to set here: place the cursor on an expression.',
  'set.placeholder': 'What to set a value for',
  'set.here': 'The expression under the cursor',
  'set.missing': 'Needed and not known',
  'set.known': 'Set to {value}',
  'set.clear-all': 'Clear all values of this file',
  'set.prompt': 'The value of {name}',
  'set.prompt-unit': 'The value of {name} in {unit}',
  'set.hint': 'Leave it empty to clear the value.',
  'set.no-value': 'This is no value in {unit}.',
  'set.no-plain-value': 'A number, true, false, None or a text in quotes.',

  'report.budget-of': 'KV budget of {name}',
  'report.run-of': 'KV budget of {name}, run {number}',
  'report.comparison-of': '{a} against {b}',
  'report.explanation-of': 'Explanation of {name}',
  'report.run-heading': 'Run {number}, lines {first} to {last}',
  'report.values': 'values',
  'report.selection': 'the selection',
  'report.clipboard': 'the clipboard',
  'report.line-heading': 'Line {line}',
  'report.link': 'line {line}',
} as const;

export type UiTextId = keyof typeof uiText;
