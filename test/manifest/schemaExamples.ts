/**
 * Examples of what the commands print as JSON, and for each the changes that break exactly one rule
 * of its schema. Figures are those of the project's first case (design sections 4 and 5).
 */

/** A change that makes the example invalid; `to` undefined removes what is there. */
export interface Broken {
  readonly why: string;
  readonly at: readonly (string | number)[];
  readonly to: unknown;
}

export interface Example {
  readonly valid: unknown;
  readonly broken: readonly Broken[];
}

const printed = (line: number) => [{ kind: 'printed', line }];

const freeAfterLoad = {
  lo: 21.705,
  hi: 21.715,
  value: 21.71,
  unit: 'GiB',
  printed: 21.71,
  basis: 'proved',
  provenance: printed(12),
};

const implied = {
  lo: 0.8799,
  hi: 0.8801,
  value: 0.88,
  unit: '1',
  basis: 'assumed',
  assumptions: ['P = begin'],
  provenance: printed(12),
};

const tokens = {
  lo: 159171,
  hi: 159171,
  value: 159171,
  unit: 'token',
  basis: 'proved',
  provenance: [],
};

const minimum = { lo: 0.7691, hi: null, unit: '1', basis: 'proved', provenance: printed(3) };

const mismatch = {
  code: 'fraction-mismatch',
  severity: 'warning',
  line: 12,
  message: 'The pool implies a fraction of 0.88, not 0.55.',
  fix: '--mem-fraction-static 0.88',
};

const run = ['files', 0, 'runs', 0] as const;
const quantity = [...run, 'quantities', 'availableAfterLoad'] as const;

const explain: Example = {
  valid: {
    schema: 1,
    files: [
      {
        path: 'server.log',
        runs: [
          {
            lines: [1, 90],
            engine: 'sglang',
            release: { range: ['0.5.9', '0.5.9'] },
            model: 'KimiK25ForConditionalGeneration',
            parallel: {
              tp: 8,
              pp: 1,
              dp: 1,
              ep: 1,
              cp: null,
              nnodes: 1,
              ranksSeen: 8,
              ranksExpected: 8,
            },
            quantities: { availableAfterLoad: freeAfterLoad, maxTotalTokens: tokens },
            ranks: [
              {
                rank: 'DP0 PP0 TP5',
                quantities: { loadEndAvailable: freeAfterLoad },
                ledger: [{ id: 'weights', size: freeAfterLoad, lines: [12] }],
                binding: true,
              },
              { rank: '', quantities: {}, ledger: [], binding: false },
            ],
            fraction: {
              claimed: null,
              effective: null,
              implied,
              minimum,
              maximum: null,
            },
            verdict: { kind: 'ok', phase: 'serving', summary: 'It serves.', lines: [88] },
            problems: [mismatch],
          },
        ],
      },
      { path: 'empty.log', runs: [] },
    ],
  },
  broken: [
    { why: 'the version of the contract is another', at: ['schema'], to: 2 },
    { why: 'a property is added', at: [...run, 'comment'], to: 'x' },
    { why: 'a lower bound is missing instead of null', at: [...quantity, 'lo'], to: undefined },
    { why: 'a bound is text', at: [...quantity, 'hi'], to: '21.715' },
    { why: 'a quantity has no unit', at: [...quantity, 'unit'], to: undefined },
    { why: 'a quantity is in another unit than its id', at: [...quantity, 'unit'], to: 'MiB' },
    { why: 'a unit is none of ours', at: [...quantity, 'unit'], to: 'GB of memory' },
    { why: 'a basis is unknown', at: [...quantity, 'basis'], to: 'guessed' },
    { why: 'an assumed quantity names no assumption', at: [...quantity, 'basis'], to: 'assumed' },
    {
      why: 'a proved quantity names an assumption',
      at: [...quantity, 'assumptions'],
      to: ['P = begin'],
    },
    {
      why: 'the list of assumptions is empty',
      at: [...run, 'fraction', 'implied', 'assumptions'],
      to: [],
    },
    {
      why: 'neither bound of a quantity is known',
      at: quantity,
      to: { ...freeAfterLoad, lo: null, hi: null },
    },
    {
      why: 'provenance holds the text of a line',
      at: [...quantity, 'provenance', 0, 'text'],
      to: 'x',
    },
    { why: 'provenance counts lines from 0', at: [...quantity, 'provenance', 0, 'line'], to: 0 },
    { why: 'provenance is of no kind', at: [...quantity, 'provenance', 0, 'kind'], to: 'rumour' },
    { why: 'a quantity has an unknown id', at: [...run, 'quantities', 'vram'], to: freeAfterLoad },
    { why: 'lines are counted from 0', at: [...run, 'lines'], to: [0, 90] },
    { why: 'only the first line is given', at: [...run, 'lines'], to: [1] },
    { why: 'the engine is unknown', at: [...run, 'engine'], to: 'trt' },
    { why: 'a release has words in it', at: [...run, 'release', 'range', 0], to: 'v0.5.9' },
    { why: 'a release range has one end', at: [...run, 'release', 'range'], to: ['0.5.9'] },
    { why: 'the release is left out instead of null', at: [...run, 'release'], to: undefined },
    { why: 'a parallel size is zero', at: [...run, 'parallel', 'tp'], to: 0 },
    { why: 'a parallel size is missing', at: [...run, 'parallel', 'ep'], to: undefined },
    { why: 'rank parts are in another order', at: [...run, 'ranks', 0, 'rank'], to: 'TP5 PP0' },
    { why: 'rank parts are not apart', at: [...run, 'ranks', 0, 'rank'], to: 'PP0TP5' },
    {
      why: 'a ledger entry is unknown',
      at: [...run, 'ranks', 0, 'ledger', 0, 'id'],
      to: 'overhead',
    },
    {
      why: 'a fraction is left out instead of null',
      at: [...run, 'fraction', 'claimed'],
      to: undefined,
    },
    { why: 'a fraction is a bare number', at: [...run, 'fraction', 'claimed'], to: 0.88 },
    { why: 'a verdict is of no kind', at: [...run, 'verdict', 'kind'], to: 'fine' },
    { why: 'a phase is unknown', at: [...run, 'verdict', 'phase'], to: 'later' },
    { why: 'a verdict says nothing', at: [...run, 'verdict', 'summary'], to: '' },
    { why: 'a problem has an unknown code', at: [...run, 'problems', 0, 'code'], to: 'oops' },
    { why: 'a severity is unknown', at: [...run, 'problems', 0, 'severity'], to: 'hint' },
    { why: 'a problem has no line', at: [...run, 'problems', 0, 'line'], to: undefined },
  ],
};

const fraction = { ...implied, assumptions: ['costs unchanged'] };
const row = { fraction, pool: freeAfterLoad, tokens, left: freeAfterLoad };

const compare: Example = {
  valid: {
    schema: 1,
    a: { path: 'baseline.log', lines: [1, 90] },
    b: { path: 'failing.log#2', lines: [91, 140] },
    difference: tokens,
    moved: [{ id: 'memFractionEffective', a: implied, b: minimum, share: tokens }],
    same: [{ id: 'availableAfterLoad', a: freeAfterLoad, b: freeAfterLoad }],
    alsoMoved: [{ id: 'graphMemory', a: freeAfterLoad, b: freeAfterLoad }],
    flags: [{ flag: '--kv-cache-dtype', a: "'auto'", b: "'fp8_e4m3'" }],
    predicted: [
      {
        run: 'b',
        ...row,
        advice: { ...row, need: 'one full-length request', fix: '--mem-fraction-static 0.88' },
      },
      { run: 'a', fraction, advice: null },
    ],
  },
  broken: [
    { why: 'a run has no path', at: ['a', 'path'], to: undefined },
    { why: 'the difference is left out instead of null', at: ['difference'], to: undefined },
    { why: 'the difference is no number of tokens', at: ['difference', 'unit'], to: 'GiB' },
    { why: 'an input has an unknown id', at: ['moved', 0, 'id'], to: 'luck' },
    { why: 'an input has only one side', at: ['moved', 0, 'b'], to: undefined },
    { why: 'a share is a bare number', at: ['moved', 0, 'share'], to: 159171 },
    { why: 'flags are left out', at: ['flags'], to: undefined },
    { why: 'a flag is no flag', at: ['flags', 0, 'flag'], to: 'kv_cache_dtype' },
    { why: 'a flag has only one side', at: ['flags', 0, 'b'], to: undefined },
    { why: 'a prediction is of neither run', at: ['predicted', 0, 'run'], to: 'c' },
    { why: 'a prediction has no fraction', at: ['predicted', 0, 'fraction'], to: undefined },
    { why: 'a prediction has a property too many', at: ['predicted', 0, 'note'], to: 'x' },
    {
      why: 'advice does not say for which need',
      at: ['predicted', 0, 'advice', 'need'],
      to: undefined,
    },
    { why: 'advice is left out instead of null', at: ['predicted', 1, 'advice'], to: undefined },
  ],
};

const solve: Example = {
  valid: {
    schema: 1,
    path: 'server.log',
    for: 'maxTotalTokens',
    set: {
      memFractionEffective: { ...minimum, hi: 0.9, provenance: [{ kind: 'given', name: '--set' }] },
    },
    result: tokens,
    alternatives: [tokens, { ...tokens, lo: 0, hi: 10 }],
  },
  broken: [
    { why: 'what was asked for is unknown', at: ['for'], to: 'vram' },
    { why: 'a supposed value has an unknown id', at: ['set', 'vram'], to: tokens },
    { why: 'a supposed value has the wrong unit', at: ['set', 'kvPool'], to: tokens },
    { why: 'the result is left out instead of null', at: ['result'], to: undefined },
    { why: 'the result is a bare number', at: ['result'], to: 159171 },
    { why: 'there is one alternative', at: ['alternatives'], to: [tokens] },
    {
      why: 'a given value has no name',
      at: ['set', 'memFractionEffective', 'provenance', 0, 'name'],
      to: '',
    },
  ],
};

const source = [{ kind: 'source', file: 'model_runner.py', line: 120, column: 8 }];

const annotate: Example = {
  valid: {
    schema: 1,
    file: 'model_runner.py',
    assumptions: ['plain profile: no draft worker'],
    annotations: [
      {
        range: [
          [120, 8],
          [120, 19],
        ],
        kind: 'value',
        name: 'rest_memory',
        function: 'ModelRunner.profile_max_num_token',
        quantity: { ...freeAfterLoad, provenance: source },
        text: '21.71 GiB',
      },
      {
        range: [
          [113, 0],
          [113, 4],
        ],
        kind: 'unit',
        name: 'total_gpu_memory',
        function: 'ModelRunner.profile_max_num_token',
        unit: 'GiB',
        text: ': GiB',
      },
    ],
    functions: [
      {
        name: 'ModelRunner.profile_max_num_token',
        line: 113,
        role: 'sizing',
        locals: { rest_memory: freeAfterLoad, per_layer: { ...tokens, unit: 'GiB/token' } },
        returns: tokens,
        raises: null,
      },
    ],
  },
  broken: [
    { why: 'the file is not named', at: ['file'], to: undefined },
    { why: 'the assumptions are left out', at: ['assumptions'], to: undefined },
    { why: 'a position has no column', at: ['annotations', 0, 'range', 0], to: [120] },
    { why: 'a position counts lines from 0', at: ['annotations', 0, 'range', 0, 0], to: 0 },
    { why: 'a range has no end', at: ['annotations', 0, 'range'], to: [[120, 8]] },
    { why: 'an annotation is of no kind', at: ['annotations', 0, 'kind'], to: 'hint' },
    { why: 'an annotation has no text', at: ['annotations', 0, 'text'], to: undefined },
    {
      why: 'a source has no column',
      at: ['annotations', 0, 'quantity', 'provenance', 0, 'column'],
      to: undefined,
    },
    { why: 'a function has no role', at: ['functions', 0, 'role'], to: undefined },
    { why: 'a role is unknown', at: ['functions', 0, 'role'], to: 'helper' },
    { why: 'a local is a bare number', at: ['functions', 0, 'locals', 'x'], to: 5 },
    {
      why: 'the return is left out instead of null',
      at: ['functions', 0, 'returns'],
      to: undefined,
    },
    {
      why: 'the exception is left out instead of null',
      at: ['functions', 0, 'raises'],
      to: undefined,
    },
  ],
};

const check: Example = {
  valid: { schema: 1, files: [{ path: 'server.log', problems: [mismatch] }] },
  broken: [
    { why: 'a file has no path', at: ['files', 0, 'path'], to: undefined },
    { why: 'the problems are left out', at: ['files', 0, 'problems'], to: undefined },
    { why: 'a code is unknown', at: ['files', 0, 'problems', 0, 'code'], to: 'oops' },
    { why: 'a fix is empty', at: ['files', 0, 'problems', 0, 'fix'], to: '' },
    {
      why: 'a problem repeats the line of the log',
      at: ['files', 0, 'problems', 0, 'text'],
      to: 'x',
    },
  ],
};

const plan: Example = {
  valid: {
    schema: 1,
    config: 'config.json',
    release: '0.5.9',
    assumptions: ['plain profile: no draft worker'],
    parallel: { tp: 8, pp: 1 },
    quantities: {
      bytesPerToken: {
        lo: 70272,
        hi: 70272,
        value: 70272,
        unit: 'B/token',
        basis: 'proved',
        provenance: [{ kind: 'config', key: 'text_config.num_hidden_layers', file: 'config.json' }],
      },
    },
    receipt: [
      {
        id: 'layers',
        text: '61 layers',
        value: { ...minimum, lo: 61, hi: 61 },
        keys: ['num_hidden_layers'],
      },
    ],
    fraction: { automatic: implied, minimum, maximum: null, advised: null },
    rows: [row],
  },
  broken: [
    { why: 'the config is not named', at: ['config'], to: undefined },
    { why: 'the tensor-parallel size is not given', at: ['parallel', 'tp'], to: undefined },
    { why: 'a quantity has an unknown id', at: ['quantities', 'cell'], to: tokens },
    {
      why: 'bytes per token are in another scale',
      at: ['quantities', 'bytesPerToken', 'unit'],
      to: 'GiB/token',
    },
    { why: 'a step of the receipt has no keys', at: ['receipt', 0, 'keys'], to: undefined },
    { why: 'a fraction is left out instead of null', at: ['fraction', 'advised'], to: undefined },
    { why: 'a row has no fraction', at: ['rows', 0, 'fraction'], to: undefined },
    { why: 'a row has a property too many', at: ['rows', 0, 'note'], to: 'x' },
  ],
};

const forms: Example = {
  valid: {
    schema: 1,
    forms: [
      {
        id: 'load-weight-end',
        phase: 'weights',
        event: 'load-end',
        owner: 'sglang',
        level: 'info',
        anchors: ['Load weight end'],
        pattern: 'Load weight end',
        fields: [
          { name: 'available', unit: 'GiB', rounding: 'printed', quantity: 'loadEndAvailable' },
          { name: 'model', unit: 'text' },
        ],
        informs: ['weights'],
        spellings: [
          {
            has: ['model'],
            lacks: [],
            releases: [{ from: '0.1.17', to: '0.5.0rc2' }, { from: '0.5.2' }],
            emitters: ['model_executor/model_runner.py::ModelRunner.load_model'],
          },
        ],
      },
    ],
  },
  broken: [
    { why: 'there is no form at all', at: ['forms'], to: [] },
    { why: 'an id is no slug', at: ['forms', 0, 'id'], to: 'Load weight' },
    { why: 'a phase is unknown', at: ['forms', 0, 'phase'], to: 'later' },
    { why: 'a form has no anchor', at: ['forms', 0, 'anchors'], to: [] },
    { why: 'an owner is unknown', at: ['forms', 0, 'owner'], to: 'somebody' },
    {
      why: 'a spelling does not say what it lacks',
      at: ['forms', 0, 'spellings', 0, 'lacks'],
      to: undefined,
    },
    {
      why: 'a number does not say how it is rounded',
      at: ['forms', 0, 'fields', 0, 'rounding'],
      to: undefined,
    },
    { why: 'a unit is unknown', at: ['forms', 0, 'fields', 0, 'unit'], to: 'TB' },
    {
      why: 'a field informs an unknown quantity',
      at: ['forms', 0, 'fields', 0, 'quantity'],
      to: 'vram',
    },
    { why: 'the spellings are left out', at: ['forms', 0, 'spellings'], to: undefined },
    {
      why: 'a release range has no start',
      at: ['forms', 0, 'spellings', 0, 'releases', 1, 'from'],
      to: undefined,
    },
    {
      why: 'an emitter names no function',
      at: ['forms', 0, 'spellings', 0, 'emitters', 0],
      to: 'model_runner.py',
    },
  ],
};

export const examples: Readonly<Record<string, Example>> = {
  explain,
  compare,
  solve,
  annotate,
  check,
  plan,
  forms,
};
