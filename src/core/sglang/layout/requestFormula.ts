/**
 * From tokens to requests: rows of the request-to-token table and the number of running requests,
 * by release (reference 1.4). Leaves out the bytes of the table: that is the budget's formula.
 */
import type { EraTable } from './eraTable';

/** Up to 0.5.9 rows follow from what was profiled, before limits, pages and windows. */
const context = 'row_tokens / context_length';
const estimate = `estimated = min(max(int(${context} * 512), 2048), 4096)`;
const halved = 'requests = min(max_total_num_tokens // 2 // token, rows)';
const divided = 'requests = min(max_running_requests // attn_dp_size, rows)';

/** Where `--max-running-requests` is not given. */
export const defaultRequests: EraTable = [
  {
    from: '0.1.3',
    text: `asked_rows = int(${context} * 256)\nrows = asked_rows\nrequests = rows`,
  },
  {
    from: '0.1.22',
    text: `asked_rows = max(int(${context} * 512), 2048)\nrows = asked_rows\nrequests = rows`,
  },
  {
    from: '0.2.7',
    text: `
asked_rows = min(max(int(${context} * 512), 2048), 5120)
rows = asked_rows
requests = rows
`,
  },
  {
    from: '0.3.1.post1',
    text: `${estimate}\nasked_rows = estimated\nrows = asked_rows\n${halved}`,
  },
  {
    from: '0.3.1.post2',
    text: `${estimate}\nasked_rows = estimated\nrows = asked_rows + 1\n${halved}`,
  },
  { from: '0.4.7', text: `${estimate}\nasked_rows = estimated\nrows = asked_rows\n${halved}` },
  {
    from: '0.5.10',
    text: `
${estimate}
asked_rows = min(estimated, max_total_num_tokens // 2 // token)
rows = asked_rows
requests = rows
`,
  },
];

/** Where it is given. */
export const givenRequests: EraTable = [
  {
    from: '0.1.3',
    text: `asked_rows = max_running_requests\nrows = asked_rows\n${divided}`,
  },
  {
    from: '0.3.1.post2',
    text: `asked_rows = max_running_requests\nrows = asked_rows + 1\n${divided}`,
  },
  { from: '0.4.7', text: `asked_rows = max_running_requests\nrows = asked_rows\n${divided}` },
  {
    from: '0.5.10',
    text: `
${estimate}
asked_rows = min(max_running_requests // attn_dp_size, estimated)
rows = asked_rows
requests = rows
`,
  },
  {
    from: '0.5.14',
    text: `
asked_rows = min(max_running_requests // attn_dp_size, max_total_num_tokens // 2 // token)
rows = asked_rows
requests = rows
`,
  },
  {
    from: '0.5.23',
    text: `
asked_rows = min(max(1, max_running_requests // attn_dp_size), max_total_num_tokens // 2 // token)
rows = asked_rows
requests = rows
`,
  },
];

const draftStates = `
_drafted = (asked_rows + ahead_rows) * draft_tokens
held_state = (held_slots + _drafted) * mamba_cache_per_req / 2**30
`;

/** State slots limit all. */
export const stateLimit = `
asked_rows = min(asked_rows, slots // slots_per_request)
rows = min(rows, slots // slots_per_request)
requests = min(requests, slots // slots_per_request)
`;

/** With speculation two releases give rows of models with state to one group of attention each. */
export const dividedRows: EraTable = [
  { from: '0.1.3', text: 'asked_rows = asked_rows' },
  {
    from: '0.5.8',
    text: `
asked_rows = min(asked_rows, max_running_requests // attn_dp_size)
rows = min(rows, max_running_requests // attn_dp_size)
`,
  },
  { from: '0.5.10', text: 'asked_rows = asked_rows' },
];

/** From here on rows follow from the tokens of the pool. */
export const rowsOfPoolFrom = '0.5.10';

/** Rows that are allocated: one is for padding. */
export const tableRows: EraTable = [
  { from: '0.1.3', text: 'table_rows = rows + ahead_rows' },
  { from: '0.5.11', text: 'table_rows = rows + ahead_rows + 1' },
];

/** From here on a flag may say how many. */
export const extraSlotsFrom = '0.5.14';

/** On a decode server, rows of requests whose keys and values are still under way. */
export const aheadRows = {
  none: 'ahead_rows = 0',
  given: 'ahead_rows = decode_extra_slots',
  open: [
    { from: '0.4.7', text: 'ahead_rows = asked_rows * 2 if asked_rows <= 32 else 0' },
    { from: '0.5.14', text: 'ahead_rows = 0' },
  ],
  limited: [
    { from: '0.4.7', text: 'ahead_rows = asked_rows * 2 if asked_rows <= 32 else 0' },
    {
      from: '0.5.14',
      text: `
request_share = max_running_requests // dp_size
ahead_rows = request_share * 2 if request_share <= 32 else 0
`,
    },
    {
      from: '0.5.23',
      text: `
request_share = max(1, max_running_requests // dp_size)
ahead_rows = request_share * 2 if request_share <= 32 else 0
`,
    },
  ],
} as const;

/**
 * On a decode server, slots of state that are allocated, and GiB of them with the states of draft
 * tokens: those of requests under way are in no budget. Padding is counted where the budget counts it.
 */
export const heldState: EraTable = [
  {
    from: '0.5.4',
    text: `
held_slots = asked_rows + ahead_rows
${draftStates}`,
  },
  {
    from: '0.5.9',
    text: `
held_slots = slots + ahead_rows
${draftStates}`,
  },
  {
    from: '0.5.10',
    text: `
held_slots = min(slots, asked_rows + ahead_rows)
${draftStates}`,
  },
  {
    from: '0.5.11',
    text: `
held_slots = max(slots, asked_rows + ahead_rows)
${draftStates}`,
  },
  {
    from: '0.5.17',
    text: `
held_slots = max(slots, asked_rows + ahead_rows)
_stage_slot = int(mamba_cache_per_req * (stage_state_layers / state_layers))
_drafted = (asked_rows + ahead_rows + 1) * draft_tokens
held_state = (held_slots + 1 + _drafted) * _stage_slot / 2**30
`,
  },
];
