/** Requests that are cut or refused because a pool or the context length does not hold them. */
import { tokens } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const requestForms = [
  {
    id: 'request-truncated',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'warning',
    anchors: [
      'Request longer than memory pool size',
      'Request length is longer than the KV cache pool',
    ],
    pattern: pattern`(?:(?<oldest>Request longer than memory pool size, truncated)|Request length is longer than the KV cache pool size or the max context length\. Truncated(?:(?<old>!!!)|\. len\(req\.origin_input_ids\)=<length#>, max_req_input_len=<maximum#>))`,
    fields: { length: tokens(), maximum: tokens('maxRequestTokens') },
    ends: ['maximum'],
    spellings: [
      {
        has: ['oldest'],
        releases: [{ from: '0.1.22', to: '0.2.5' }],
        emitters: ['managers/controller/tp_worker.py::ModelTpServer.handle_generate_request'],
      },
      {
        has: ['old'],
        releases: [{ from: '0.2.6', to: '0.4.1.post6' }],
        emitters: [
          'managers/controller/tp_worker.py::ModelTpServer.handle_generate_request',
          'managers/scheduler.py::Scheduler.handle_embedding_request',
          'managers/scheduler.py::Scheduler.handle_generate_request',
          'managers/tp_worker.py::ModelTpServer.handle_embedding_request',
        ],
      },
      {
        has: ['length'],
        releases: [{ from: '0.4.1.post7' }],
        emitters: ['managers/utils.py::validate_input_length'],
      },
    ],
  },
  {
    id: 'request-too-long',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'error',
    anchors: ['exceeds the maximum allowed length', 'exceeds the maximum number of tokens: '],
    pattern: pattern`(?:Input length \(<length#> tokens\) exceeds the maximum allowed length \(<maximum#> tokens\)|Request [^\s]{1,80} exceeds the maximum number of tokens: <lengthOther#> > <maximumOther#>)`,
    fields: {
      length: tokens(undefined, ['length', 'lengthOther']),
      maximum: tokens('maxRequestTokens', ['maximum', 'maximumOther']),
    },
    ends: ['maximum'],
    spellings: [
      {
        has: ['length'],
        releases: [{ from: '0.4.1.post7' }],
        emitters: ['managers/utils.py::validate_input_length'],
      },
      {
        has: ['lengthOther'],
        releases: [{ from: '0.4.7.post1' }],
        emitters: [
          'disaggregation/decode.py::DecodePreallocQueue._check_if_req_exceed_kv_capacity',
          'disaggregation/prefill.py::PrefillBootstrapQueue._check_if_req_exceed_kv_capacity',
        ],
      },
    ],
  },
  {
    id: 'request-beyond-context',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'error',
    anchors: [
      "longer than the model's context length",
      "exceeds the model's maximum context length",
    ],
    pattern: pattern`(?:The input \(<length#> tokens\) is longer than the model's context length \(<context#> tokens\)|Requested token count exceeds the model's maximum context length of <contextAsked#> tokens\. You requested a total of <asked#> tokens)`,
    fields: {
      length: tokens(undefined, ['length', 'asked']),
      context: tokens('contextLength', ['context', 'contextAsked']),
    },
    spellings: [],
  },
  {
    id: 'swa-request-too-long',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'error',
    anchors: ['requires too many SWA KV tokens'],
    pattern: pattern`requires too many SWA KV tokens for decode preallocation: <needed#> > <available#>`,
    fields: { needed: tokens(), available: tokens('swaTokens') },
    ends: ['available'],
    spellings: [
      {
        releases: [{ from: '0.5.12' }],
        emitters: [
          'disaggregation/decode.py::DecodePreallocQueue._check_if_req_exceed_kv_capacity',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
