/**
 * Lines about loading weights: local samples of free memory before and after, and what else is
 * loaded between start and sizing (LoRA adapters, quantisation, weight updates).
 */
import { count, gib, gibExact, seconds, share, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const weightForms = [
  {
    id: 'load-begin',
    phase: 'weights',
    event: 'load-begin',
    owner: 'sglang',
    level: 'info',
    anchors: ['oad weight begin'],
    pattern: pattern`(?:(?<old>load)|Load) weight begins?\.(?: avail mem=<avail> GB)?`,
    fields: { avail: gib('loadBeginAvailable') },
    spellings: [
      {
        has: ['old'],
        lacks: ['avail'],
        releases: [{ from: '0.1.6', to: '0.1.16' }],
        emitters: ['managers/router/model_runner.py::ModelRunner.load_model'],
      },
      {
        has: ['avail'],
        lacks: ['old'],
        releases: [{ from: '0.1.17' }],
        emitters: [
          'managers/controller/model_runner.py::ModelRunner.load_model',
          'model_executor/model_runner.py::ModelRunner.load_model',
        ],
      },
    ],
    labels: ['avail mem='],
  },
  {
    id: 'load-end',
    phase: 'weights',
    event: 'load-end',
    owner: 'sglang',
    level: 'info',
    anchors: ['oad weight end'],
    pattern: pattern`(?:(?<old>load)|Load) weight ends?\.(?! Committed)(?: elapsed=<elapsed> s,)?(?: type=(?<type>[^,\s]+),)?(?: dtype=(?<dtype>[\w.]+),)?(?<quant>(?: (?!avail|mem)[a-z]\w*=[^,\s]+,)*)(?: \.\.\.)?(?: avail mem=<avail> GB)?(?:,? mem usage=<usage> GB)?`,
    fields: {
      elapsed: seconds(),
      type: word(),
      dtype: word(),
      quant: word(),
      avail: gib('loadEndAvailable'),
      usage: gib('weights'),
    },
    informs: ['availableAfterLoad'],
    labels: ['type=', 'dtype=', 'avail mem=', 'mem usage='],
    closes: ['usage'],
    wraps: /^(?:type=|dtype=|avail mem=|mem usage=)/,
    spellings: [
      {
        has: ['old'],
        lacks: ['avail'],
        releases: [{ from: '0.1.6', to: '0.1.16' }],
        emitters: ['managers/router/model_runner.py::ModelRunner.load_model'],
      },
      {
        has: ['type', 'avail'],
        lacks: ['elapsed', 'dtype', 'usage', 'old'],
        releases: [{ from: '0.1.17', to: '0.1.17' }],
        emitters: ['managers/controller/model_runner.py::ModelRunner.load_model'],
      },
      {
        has: ['dtype', 'avail'],
        lacks: ['elapsed', 'usage'],
        releases: [{ from: '0.1.18', to: '0.4.3.post2' }],
        emitters: [
          'managers/controller/model_runner.py::ModelRunner.load_model',
          'model_executor/model_runner.py::ModelRunner.load_model',
        ],
      },
      {
        has: ['dtype', 'avail', 'usage'],
        lacks: ['elapsed'],
        releases: [{ from: '0.4.3.post3', to: '0.5.8.post1' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.load_model'],
      },
      {
        has: ['elapsed', 'dtype', 'avail', 'usage'],
        releases: [{ from: '0.5.9', to: '0.5.9' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.load_model'],
      },
      {
        has: ['elapsed', 'type', 'avail', 'usage'],
        lacks: ['dtype'],
        releases: [{ from: '0.5.10rc0' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.load_model'],
      },
    ],
  },
  {
    id: 'load-commit',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Committed real weights after CUDA graph capture'],
    pattern: pattern`Load weight end\. Committed real weights after CUDA graph capture in <elapsed> s(?: \(capture overlap window <overlap> s, startup overlap total <total> s\))?`,
    fields: { elapsed: seconds(), overlap: seconds(), total: seconds() },
    spellings: [
      {
        releases: [{ from: '0.5.18' }],
        emitters: [
          'model_executor/model_runner_components/startup_weight_load.py::StartupWeightLoadManager.finalize',
        ],
      },
    ],
  },
  {
    id: 'draft-loaded',
    phase: 'weights',
    event: 'note',
    owner: 'fork',
    level: 'info',
    anchors: ['Draft model loaded.'],
    pattern: pattern`Draft model loaded\. type=(?<type>[^,\s]+), mem usage=<usage> GB`,
    fields: { type: word(), usage: gib('draftWeights') },
    spellings: [],
  },
  {
    id: 'weights-update-begin',
    phase: 'serving',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Update weights begin.', 'Update engine weights online from disk begin'],
    pattern: pattern`Update (?:(?<old>weights)|engine weights online from disk) begin\. avail mem=<avail> GB`,
    fields: { avail: gib() },
    spellings: [
      {
        has: ['old'],
        releases: [{ from: '0.2.14', to: '0.3.6.post3' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.update_weights'],
      },
      {
        lacks: ['old'],
        releases: [{ from: '0.4.0' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.update_weights_from_disk',
          'model_executor/model_runner_components/weight_updater.py::WeightUpdater.update_weights_from_disk',
        ],
      },
    ],
  },
  {
    id: 'lora-adapter',
    phase: 'weights',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['LoRA adapter loading ', 'LoRA adapter unloading '],
    pattern: pattern`LoRA adapter (?<action>loading|unloading) (?<step>starts|completes): [^\n]{0,2000}?\. avail mem=<avail> GB`,
    fields: { action: word(), step: word(), avail: gib() },
    informs: ['loraPool'],
    spellings: [
      {
        releases: [{ from: '0.4.9' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.load_lora_adapter',
          'model_executor/model_runner.py::ModelRunner.unload_lora_adapter',
          'lora/lora_manager.py::LoRAManager.load_lora_adapter',
          'lora/lora_manager.py::LoRAManager.unload_lora_adapter',
        ],
      },
    ],
  },
  {
    id: 'load-peak',
    phase: 'weights',
    event: 'note',
    owner: 'sglang',
    level: 'debug',
    anchors: ['Peak GPU memory before loading weights'],
    pattern: pattern`Peak GPU memory before loading weights: <peak> GiB`,
    fields: { peak: gibExact() },
    spellings: [
      {
        releases: [{ from: '0.5.13' }],
        emitters: [
          'model_loader/loader.py::DefaultModelLoader.load_weights_and_postprocess',
          'model_loader/loader.py::DefaultModelLoader.load_weights_only',
        ],
      },
    ],
  },
  {
    id: 'load-increase',
    phase: 'weights',
    event: 'note',
    owner: 'sglang',
    level: 'debug',
    anchors: ['Memory increase during load_weights'],
    pattern: pattern`Memory increase during load_weights: <increase> GiB`,
    fields: { increase: gibExact('weights') },
    spellings: [
      {
        releases: [{ from: '0.5.13' }],
        emitters: [
          'model_loader/loader.py::DefaultModelLoader.load_weights_and_postprocess',
          'model_loader/loader.py::DefaultModelLoader.load_weights_only',
        ],
      },
    ],
  },
  {
    id: 'calibration-limit',
    phase: 'weights',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['Model does not fit to the GPU mem'],
    pattern: pattern`Model does not fit to the GPU mem\.`,
    fields: {},
    spellings: [
      {
        releases: [{ from: '0.5.3.post1' }],
        emitters: ['model_loader/loader.py::DefaultModelLoader._load_modelopt_base_model'],
      },
    ],
  },
  {
    id: 'offloaded-module',
    phase: 'weights',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['[offloader] offload module_index'],
    pattern: pattern`\[offloader\] offload module_index=<module#> [^\n]{0,2000}?memory_allocated=<allocated#>`,
    fields: { module: count(), allocated: { unit: 'B', rounding: 'exact' } },
    ends: ['allocated'],
    spellings: [
      {
        releases: [{ from: '0.5.1' }],
        emitters: [
          'offloader.py::OffloaderV2.wrap_modules',
          'utils/offloader.py::OffloaderV2.wrap_modules',
        ],
      },
    ],
  },
  {
    id: 'shards-loading',
    phase: 'weights',
    event: 'note',
    owner: 'system',
    level: 'progress',
    anchors: ['checkpoint shards: 100%', 'loading shards: 100%'],
    pattern: pattern`(?:checkpoint|loading) shards: 100% Completed \| <done#>/<total#>`,
    fields: { done: count(), total: count() },
    spellings: [],
  },
  {
    id: 'startup-timings',
    phase: 'ready',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Engine startup timings (s)'],
    pattern: pattern`Engine startup timings \(s\): load_weight=<loadWeight>`,
    fields: { loadWeight: seconds() },
    spellings: [{ releases: [{ from: '0.5.17' }] }],
  },
  {
    id: 'reserved-cache-emptied',
    phase: 'serving',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['[continue_generation] torch.cuda.empty_cache'],
    pattern: pattern`\[continue_generation\] torch\.cuda\.empty_cache\(\) called: reserved <before> MB -> <after> MB \(freed <freed> MB\)`,
    fields: {
      before: { unit: 'MiB', rounding: 'printed' },
      after: { unit: 'MiB', rounding: 'printed' },
      freed: { unit: 'MiB', rounding: 'printed' },
    },
    spellings: [
      {
        releases: [{ from: '0.5.12' }],
        emitters: ['managers/scheduler.py::Scheduler.continue_generation'],
      },
    ],
  },
  {
    id: 'fraction-adjusted',
    phase: 'arguments',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: [
      'Dynamically adjusted --mem-fraction-static',
      'Automatically reduce --mem-fraction-static',
    ],
    pattern: pattern`(?:Dynamically adjusted --mem-fraction-static from: <before> to: <after>(?=\.|$)|Automatically reduce --mem-fraction-static to <reduced>(?<chunked> and turn off chunked prefill)? because this is a multimodal)`,
    fields: { before: share(), after: share('memFractionEffective', ['after', 'reduced']) },
    spellings: [
      {
        has: ['before'],
        releases: [{ from: '0.4.9.post3', to: '0.5.0rc0' }],
        emitters: ['server_args.py::ServerArgs.adjust_mem_fraction_for_vlm'],
      },
      {
        has: ['chunked'],
        releases: [{ from: '0.4.0.post1', to: '0.4.0.post1' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.__init__'],
      },
      {
        has: ['reduced'],
        lacks: ['chunked'],
        releases: [{ from: '0.4.1.post5', to: '0.4.8.post1' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.__init__',
          'model_executor/model_runner.py::ModelRunner.model_specific_adjustment',
        ],
      },
    ],
  },
  {
    id: 'fraction-forced-dsa',
    phase: 'arguments',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['Setting mem fraction static to'],
    pattern: pattern`Setting mem fraction static to <fraction> for DeepSeek NSA`,
    fields: { fraction: { unit: '1', rounding: 'exact', quantity: 'memFractionStatic' } },
    spellings: [
      {
        releases: [{ from: '0.5.3rc2', to: '0.5.3' }],
        emitters: ['server_args.py::ServerArgs._handle_model_specific_adjustments'],
      },
    ],
  },
  {
    id: 'swa-ratio-set',
    phase: 'arguments',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Setting swa_full_tokens_ratio to'],
    pattern: pattern`Setting swa_full_tokens_ratio to <ratio> for (?<model>\w+)`,
    fields: { ratio: { unit: '1', rounding: 'exact' }, model: word() },
    spellings: [
      {
        releases: [{ from: '0.5.12' }],
        emitters: [
          'arg_groups/deepseek_v4_hook.py::apply_deepseek_v4_defaults',
          'arg_groups/overrides.py::_deepseek_v4_overrides',
          'arg_groups/model_overrides/deepseek_v4.py::_deepseek_v4_overrides',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
