/**
 * Lines that print the launch arguments. Their content is read by a whitelist (log/serverArguments);
 * the forms only find them.
 */
import { word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const argumentForms = [
  {
    id: 'server-arguments',
    phase: 'arguments',
    event: 'server-arguments',
    owner: 'sglang',
    level: 'info',
    anchors: ['server_args=ServerArgs(', 'server_args={'],
    pattern: pattern`server_args=(?:(?<dataclass>ServerArgs\()|(?<dict>\{))`,
    fields: {},
    informs: ['memFractionStatic', 'contextLength', 'maxRunningRequests', 'maxTotalTokens'],
    spellings: [
      {
        has: ['dataclass'],
        releases: [{ from: '0.1.23', to: '0.5.18' }],
        emitters: ['entrypoints/engine.py::_launch_subprocesses'],
      },
      { has: ['dict'], releases: [{ from: '0.5.18' }] },
    ],
  },
  {
    id: 'server-modes',
    phase: 'arguments',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['server_args: enable_', 'server_args: disable_', 'server_args: attention_'],
    pattern: pattern`server_args: (?<modes>(?:enable|disable|attention)_\w+=[^\n]{0,400})`,
    fields: { modes: word() },
    spellings: [
      {
        releases: [{ from: '0.1.15', to: '0.1.23' }],
        emitters: [
          'managers/router/model_rpc.py::ModelRpcServer.__init__',
          'managers/controller/tp_worker.py::ModelTpServer.__init__',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
