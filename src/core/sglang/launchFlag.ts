/**
 * Every flag that a release of SGLang (0.1.3 to 0.5.23) takes at the start, by what it does to memory:
 * so that a launch line can be pasted whole. Leaves out what the flags mean that are understood.
 */

/** They may change what the pools get, in a way that no formula here follows. */
const ofBudget = `
dsv4-attn-backend dsv4-prefill-backend
attention-backend c128-page-size cpu-offload-gb
cuda-graph-backend-decode cuda-graph-backend-prefill cuda-graph-bs cuda-graph-bs-decode
cuda-graph-bs-prefill cuda-graph-config cuda-graph-max-bs-prefill cuda-graph-max-seq-len-prefill
decode-attention-backend device disable-decode-cuda-graph disable-mla disable-prefill-cuda-graph
disaggregation-decode-extra-slots dllm-algorithm dllm-algorithm-config dllm-block-size
ds-channel-config-path ds-heavy-channel-num ds-heavy-token-num dtype dwdp-size
elastic-ep-backend enable-beta-spec enable-decoder-swa-bounded-replay
enable-deepseek-v4-fp4-indexer enable-double-sparsity enable-dsa-cache-layer-split
enable-dsa-prefill-context-parallel enable-encoder-swa-bounded-replay enable-flashinfer-mla
enable-gdn-replayssm-spec enable-hisparse enable-int8-mamba-checkpoint enable-kv-cache-sharding
enable-linear-replayssm enable-linear-replayssm-spec enable-llama4-multimodal enable-lora
enable-memory-saver enable-mla enable-multi-layer-eagle enable-nsa-prefill-context-parallel
enable-page-major-kv-layout enable-piecewise-cuda-graph enable-prefill-context-parallel
enable-prefill-cp enable-return-hidden-states enable-session-radix-cache
enable-single-batch-overlap enable-symm-mem enable-torch-symm-mem enable-two-batch-overlap
enable-unified-memory encoder-only enforce-piecewise-cuda-graph experts-shared-outer-loras
hierarchical-sparse-attention-extra-config hisparse-config hybrid-kvcache-ratio impl
int8-mamba-ckpt-size json-model-override-args keep-mm-feature-on-device language-model-only
linear-replayssm-cache-len lora-paths lora-target-modules mamba-max-states-per-path
max-loaded-loras max-lora-rank max-loras-per-batch max-num-reqs max-prefill-num-token
max-prefill-tokens mm-feature-transport mm-preprocess-cache-size-mb model-impl
piecewise-cuda-graph-max-tokens piecewise-cuda-graph-tokens prefill-attention-backend
prefill-only-disable-kv-cache qsa-indexer-dtype speculative-adaptive speculative-adaptive-config
speculative-dflash-block-size speculative-dflash-draft-window-size
speculative-draft-kv-cache-dtype speculative-draft-model speculative-draft-model-path
speculative-draft-sink-size speculative-draft-window-size speculative-dspark-block-size
swa-prefix-tails uno-lora-path
`;

/** They change what the weights take. */
const ofWeights = `
custom-weight-loader disable-shared-experts-fusion enable-deepep-moe enable-dense-mlp-attn-tp
enable-dp-lm-head enable-ep-moe enable-eplb enable-fp32-lm-head enable-paged-experts
enable-shared-experts-attn-tp enforce-shared-experts-fusion ep ep-num-redundant-experts ep-size
expert-parallel-size init-expert-location kt-amx-method kt-amx-weight-path kt-cpuinfer
kt-max-deferred-experts-per-token kt-method kt-num-gpu-experts kt-threadpool-count
kt-weight-path load-format max-ep-size mm-enable-dp-encoder model-mode modelopt-quant
moe-data-parallel-size moe-dense-tp-size moe-dp-size n-share-experts-fusion offload-group-size
offload-mode offload-num-in-group offload-prefetch-step paged-experts-num-resident
ple-offload-backend ple-offload-dir ple-offload-embedding quantization quantize-and-serve
rl-quant-profile shared-experts-tp-size speculative-draft-load-format
speculative-draft-model-quantization torchao-config
`;

/** No pool depends on them; flags that plans understand are among them. */
const others = `
abort-on-priority-when-disabled additional-ports attention-data-parallel-size attn-dp-size admin-api-key allow-auto-truncate
allowed-media-domains api-key asr-max-buffer-seconds asr-max-concurrent-sessions
attention-context-parallel-size attention-reduce-in-fp32 attn-cp-size base-gpu-id
batch-notify-size bf16-gemm-backend boundary-reduction bucket-e2e-request-latency
bucket-inter-token-latency bucket-time-to-first-token chat-template
checkpoint-engine-wait-weights-before-ready chunked-prefill-size collect-tokens-histogram
completion-template constrained-json-disable-any-whitespace constrained-json-max-whitespace-cnt
constrained-json-whitespace-pattern context-bucket context-length cp-strategy crash-dump-folder
crash-on-nan cuda-graph-max-bs cuda-graph-max-bs-decode cuda-graph-prefill-max-context
cuda-graph-tc-compiler custom-sigquit-handler data-parallel-size dcp-comm-backend
dcp-replicate-q-proj dcp-size debug-cuda-graph debug-tensor-dump-inject
debug-tensor-dump-input-file debug-tensor-dump-layers debug-tensor-dump-output-folder
debug-tensor-dump-prefill-only decode-context-parallel-size decode-log-interval
decoupled-spec-bind-endpoint decoupled-spec-connect-endpoints decoupled-spec-rank
decoupled-spec-role decrypted-config-file decrypted-draft-config-file deepep-config
deepep-dispatcher-output-dtype deepep-mode deepep-v2-mode default-chat-template-kwargs
default-priority-value delete-ckpt-after-loading detokenizer-worker-num
disable-aiter-allreduce-fusion-in-decode disable-aiter-allreduce-fusion-in-prefill
disable-attn-tp-gather disable-chunked-prefix-cache disable-cuda-graph
disable-cuda-graph-padding disable-custom-all-reduce disable-disk-cache
disable-fast-image-processor disable-flashinfer disable-flashinfer-autotune
disable-flashinfer-cutlass-moe-fp4-allgather disable-flashinfer-sampling
disable-hicache-numa-detect disable-hybrid-swa-memory disable-jump-forward disable-log-stats
disable-nan-detection disable-outlines-disk-cache disable-overlap-cg-plan
disable-overlap-schedule disable-penalizer disable-piecewise-cuda-graph
disable-priority-preemption disable-radix-cache disable-regex-jump-forward
disable-tokenizer-batch-decode disaggregation-bootstrap-port
disaggregation-decode-allocation-policy disaggregation-decode-dp
disaggregation-decode-enable-fake-auto disaggregation-decode-enable-offload-kvcache
disaggregation-decode-enable-radix-cache disaggregation-decode-host-receive-threshold
disaggregation-decode-polling-interval disaggregation-decode-retraction-backup
disaggregation-decode-tp disaggregation-enable-kv-checksum disaggregation-ib-device
disaggregation-mode disaggregation-prefill-pp disaggregation-transfer-backend dist-init-addr
dist-timeout dllm-fdfo download-dir dp-size ds-heavy-channel-type ds-sparse-decode-threshold
dsa-decode-backend dsa-paged-mqa-logits-backend dsa-prefill-backend dsa-prefill-cp-mode
dsa-topk-backend dsa-triton-union
dynamic-batch-tokenizer-batch-size dynamic-batch-tokenizer-batch-timeout efficient-weight-load
elastic-ep-initial-size elastic-ep-join-mode elastic-ep-join-rank-offset elastic-ep-rejoin
elastic-ep-scale-timeout enable-adaptive-dispatch-to-encoder enable-aiter-allreduce-fusion
enable-amd-monokernel enable-attn-tp-input-scattered enable-breakable-cuda-graph
enable-broadcast-mm-inputs-process enable-cache-report enable-cp-decode-attn-tp
enable-cudagraph-gc enable-custom-logit-processor enable-deepep-waterfill
enable-deterministic-inference enable-dp-attention enable-dp-attention-local-control-broadcast
enable-draft-weights-cpu-backup enable-dsa-fused-indexer enable-dynamic-batch-tokenizer
enable-dynamic-chunking enable-elastic-expert-backup enable-expert-distribution-metrics
enable-flashinfer enable-flashinfer-allreduce-fusion enable-flashinfer-autotune
enable-flashinfer-cutedsl-moe enable-flashinfer-cutlass-moe enable-flashinfer-moe
enable-flashinfer-mxfp4-moe enable-flashinfer-trtllm-moe enable-flashmla enable-flexkv
enable-forward-pass-metrics enable-fused-moe-sum-all-reduce enable-fused-qk-norm-rope
enable-hicache enable-hierarchical-cache enable-http-worker-reuseport enable-http2
enable-layernorm-sp enable-layerwise-nvtx-marker enable-lean-attention enable-linker-mla-dedup
enable-lmcache enable-lora-overlap-loading enable-mamba-cache-stochastic-rounding
enable-megamoe-for-layernorm-sp enable-metrics enable-metrics-for-all-schedulers
enable-mfu-metrics enable-mis enable-mixed-chunk enable-mm-global-cache enable-mscclpp
enable-multimodal enable-nan-detection enable-nccl-nvls enable-nvidia-megakernel
enable-overlap-schedule enable-p2p-check enable-pd-role-switch enable-pdmux
enable-precise-embedding-interpolation enable-prefill-delayer enable-prefix-mm-cache
enable-priority-scheduling enable-profile-cuda-graph enable-quant-communications
enable-request-time-stats-logging enable-response-store enable-return-aux-hidden-states
enable-return-indexer-topk enable-return-routed-experts enable-scattered-sconv
enable-ssl-refresh enable-streaming-session enable-strict-thinking enable-tf32-matmul
enable-tokenizer-batch-encode enable-torch-compile enable-torch-compile-debug-mode
enable-tp-lm-head-all-to-all enable-trace enable-triton-kernel-moe
enable-unified-cache-external-linker enable-w4a4-mxfp4-megamoe enable-waterfill enable-watermark
enable-weights-cpu-backup encoder-bootstrap-port encoder-register-urls encoder-transfer-backend
encoder-urls enforce-disable-flashinfer-allreduce-fusion engine-info-bootstrap-port
ep-dispatch-algorithm eplb-algorithm eplb-min-rebalancing-utilization-threshold
eplb-rebalance-layers-per-chunk eplb-rebalance-num-iterations expert-balancedness-report-mode
expert-distribution-recorder-buffer-size expert-distribution-recorder-mode
export-metrics-to-file export-metrics-to-file-dir extra-metric-labels fastapi-root-path
file-storage-path file-storage-pth flashinfer-a2a-dispatch-type
flashinfer-allreduce-fusion-backend flashinfer-autotune-skip-ops flashinfer-mla-disable-ragged
flashinfer-mxfp4-moe-precision flexkv-config-file forward-hooks forward-pass-metrics-ipc-name
forward-pass-metrics-worker-id fp4-gemm-backend fp8-gemm-backend fuseep-mode gated-launch-port
gc-threshold gc-warning-threshold-secs generation-tokens-buckets gpu-id-step grammar-backend
grpc-http-sidecar-port grpc-mode grpc-port grpc-response-timeout-secs hf-chat-template-name
hicache-host-memory-fraction hicache-host-memory-mode hicache-io-backend hicache-mem-layout
hicache-ratio hicache-size hicache-storage-backend hicache-storage-backend-extra-config
hicache-storage-prefetch-policy hicache-storage-prefetch-retry-max-attempts
hicache-storage-prefetch-retry-poll-interval hicache-write-policy host
http2-initial-connection-window-size http2-max-concurrent-streams image-processor-backend
incremental-streaming-output is-embedding kv-cache-dtype kv-canary kv-canary-real-data
kv-canary-sweep-interval kv-events-config language-only limit-mm-data-per-request
linear-attn-backend linear-attn-decode-backend linear-attn-prefill-backend
linear-attn-verify-backend lmcache-config-file load-balance-method load-publish-endpoint
load-snapshot-publish-interval load-watch-interval log-level log-level-http log-requests
log-requests-format log-requests-level log-requests-target log-stats-interval lora-backend
lora-drain-wait-threshold lora-eviction-policy lora-strict-loading lora-use-virtual-experts
mamba-backend mamba-cache-philox-rounds mamba-full-memory-ratio mamba-radix-cache-strategy
mamba-scheduler-strategy mamba-ssm-dtype mamba-track-interval max-lora-chunk-size
max-mamba-cache-size max-micro-batch-size max-queued-requests max-running-requests
max-torch-compile-bs max-total-tokens media-url-max-file-size-mb mem-fraction-static
min-free-slots-delay mlx-enable-sampling mm-attention-backend mm-global-cache-backend
mm-io-worker-num mm-max-concurrent-calls mm-per-request-timeout mm-process-config
mm-processor-worker-num model model-checksum model-config-parser model-loader-extra-config
model-path modelexpress-config modelopt-checkpoint-restore-path modelopt-checkpoint-save-path
modelopt-export-path moe-a2a-backend moe-runner-backend monokernel-backend mooncake-ib-device
msprobe-dump-config multi-item-scoring-delimiter nccl-init-addr nccl-port nnodes
no-regex-fast-forward node-rank nsa-decode nsa-decode-backend nsa-prefill nsa-prefill-backend
nsa-prefill-cp-mode num-continuous-decode-steps num-reserved-decode-tokens numa-node
oltp-traces-endpoint optimistic-prefill-attempts optimistic-prefill-retries otlp-service-name
otlp-traces-endpoint page-size pdlb-url pdmux-config-path piecewise-cuda-graph-compiler
pipeline-parallel-size port pp-async-batch-depth pp-max-micro-batch-size pp-size pre-warm-nccl
preferred-sampling-params prefill-cp-mode prefill-decode-interval prefill-decode-interval-min-bs
prefill-delayer-forward-passes-buckets prefill-delayer-max-delay-ms
prefill-delayer-max-delay-passes prefill-delayer-queue-min-ratio
prefill-delayer-token-usage-low-watermark prefill-delayer-wait-seconds-buckets
prefill-kv-cache-dequant-dtype prefill-max-requests prefill-only-one-req
prefill-round-robin-balance priority-scheduling-preemption-threshold prompt-tokens-buckets
quantization-param-path radix-cache-backend radix-eviction-policy radix-eviction-policy-config
random-seed reasoning-parser record-nolora-graph remote-instance-weight-loader-backend
remote-instance-weight-loader-seed-instance-ip
remote-instance-weight-loader-seed-instance-service-port
remote-instance-weight-loader-send-weights-group-ports
remote-instance-weight-loader-start-seed-via-transfer-engine retraction-policy
return-aux-hidden-state-layer-ids return-hidden-states return-hidden-states-mode
return-input-ids return-output-ids return-token-ids revision rl-on-policy-target
sampling-backend sampling-defaults sampling-mask-max-tokens schedule-conservativeness
schedule-heuristic schedule-low-priority-values-first schedule-policy scheduler-recv-interval
served-model-name show-time-cost sidecar sidecar-args skip-server-warmup skip-tokenizer-init
sleep-on-idle sm-group-num smg-grpc-mode smg-http-sidecar-port soft-watchdog-timeout
spec-trace-dir speculative-accept-threshold-acc speculative-accept-threshold-single
speculative-algorithm speculative-attention-mode speculative-domino-candidate-pool-size
speculative-draft-attention-backend speculative-draft-model-revision
speculative-dsa-topk-backend speculative-dspark-align-verify-tokens-to-graph-tier
speculative-dspark-confidence-sts-path speculative-dspark-sps-table-path speculative-eagle-topk
speculative-enable-w4a4-mxfp4-megamoe speculative-moe-a2a-backend speculative-moe-runner-backend
speculative-ngram-branch-length speculative-ngram-capacity
speculative-ngram-external-corpus-max-tokens speculative-ngram-external-corpus-path
speculative-ngram-external-sam-budget speculative-ngram-match-type
speculative-ngram-max-bfs-breadth speculative-ngram-max-match-window-size
speculative-ngram-max-trie-depth speculative-ngram-min-bfs-breadth
speculative-ngram-min-match-window-size speculative-num-draft-tokens speculative-num-steps
speculative-skip-dp-mlp-sync speculative-token-map speculative-use-block-verification
speculative-use-rejection-sampling ssl-ca-certs ssl-certfile ssl-keyfile ssl-keyfile-password
startup-weight-load-mode stat-loggers stream-interval stream-output
stream-response-default-include-usage strip-thinking-cache swa-full-tokens-ratio
tbo-token-distribution-threshold tensor-parallel-size tokenizer-backend
tokenizer-metrics-allowed-custom-labels tokenizer-metrics-custom-labels-header tokenizer-mode
tokenizer-path tokenizer-worker-num tool-call-parser tool-server torch-compile-max-bs tp-size
trace-modules triton-attention-num-kv-splits triton-attention-reduce-in-fp32
triton-attention-split-tile-size trust-mm-content-hashes trust-remote-code
trust-request-chat-template unified-cache-external-linker-backend
unified-cache-external-linker-config use-ray uvicorn-access-log-exclude-prefixes warmups
watchdog-timeout watermark-config weight-cache-mode weight-cache-socket weight-cache-timeout
weight-loader-disable-mmap weight-loader-drop-cache-after-load
weight-loader-prefetch-checkpoints weight-loader-prefetch-num-threads weight-version
`;

/** What a flag does to memory, where plans do not understand it. */
export type FlagEffect = 'budget' | 'weights' | 'none';

const groups: ReadonlyMap<FlagEffect, string> = new Map([
  ['budget', ofBudget],
  ['weights', ofWeights],
  ['none', others],
]);

const effects: ReadonlyMap<string, FlagEffect> = new Map(
  [...groups].flatMap(([effect, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map(name => [`--${name}`, effect] as const),
  ),
);

/** Every flag, with its dashes. */
export const launchFlags: readonly string[] = [...effects.keys()];

/** What a flag does to memory; undefined for what is no flag of any release. */
export function flagEffect(flag: string): FlagEffect | undefined {
  return effects.get(flag);
}
