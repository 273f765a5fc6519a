/**
 * Packages that no checkout holds: Python's own and those that memory arithmetic is written with. An
 * import of them that cannot be followed is nothing to tell.
 */
const libraries: ReadonlySet<string> = new Set(
  [
    'abc argparse ast asyncio base64 bisect collections concurrent contextlib copy csv ctypes dataclasses',
    'datetime decimal enum fcntl fractions functools gc glob hashlib heapq importlib inspect io itertools',
    'json logging math mmap multiprocessing numbers operator os pathlib pickle platform pprint queue',
    'random re resource select shlex shutil signal socket statistics string struct subprocess sys',
    'tempfile textwrap threading time traceback types typing typing_extensions unittest uuid warnings',
    'weakref aiohttp aiter cuda cupy deep_gemm deepspeed einops fastapi flash_attn flashinfer',
    'huggingface_hub jax numba numpy nvtx openai packaging pandas PIL prometheus_client psutil pybase64',
    'pydantic pynvml pytest ray requests safetensors scipy sgl_kernel sklearn tabulate tensorrt',
    'tokenizers torch torch_npu torchao torchvision tqdm transformers triton uvicorn uvloop xgrammar zmq',
  ]
    .join(' ')
    .split(' '),
);

export function isLibraryPackage(name: string): boolean {
  return libraries.has(name);
}
