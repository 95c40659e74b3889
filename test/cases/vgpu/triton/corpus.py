"""Compiles the corpus for an architecture and writes NAME.ptx. Usage: python corpus.py FOLDER ARCHITECTURE [NAME …]. No GPU is needed."""

import pathlib
import sys

import corpus_kernels
import triton
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.compiler import CUDABackend
from triton.compiler import ASTSource

# Only the PTX is wanted: without ptxas it takes a quarter less time.
CUDABackend.make_cubin = lambda self, src, metadata, opt, capability: b""

DOT = {"M": 64, "N": 64, "K": 64, "KIND": 0}
VARIANTS = {
    **{f"dot_{kind}": ("dot_kernel", [f"*{kind}", f"*{kind}", "*fp32"], DOT, {}) for kind in ("fp16", "bf16", "fp32", "fp64", "fp8e5")},
    "dot_fp8e4nv": ("dot_kernel", ["*fp8e4nv", "*fp8e4nv", "*fp32"], DOT, {}),
    "dot_i8": ("dot_kernel", ["*i8", "*i8", "*i32"], DOT | {"KIND": 1}, {}),
    "dot_ieee": ("dot_kernel", ["*fp32", "*fp32", "*fp32"], DOT | {"KIND": 2}, {}),
    "dot_tf32x3": ("dot_kernel", ["*fp32", "*fp32", "*fp32"], DOT | {"KIND": 3}, {}),
    "dot_half": ("dot_kernel", ["*fp16", "*fp16", "*fp16"], DOT | {"KIND": 4}, {}),
    "dot_wide": ("dot_kernel", ["*fp16", "*fp16", "*fp32"], DOT | {"M": 128, "N": 128}, {"num_warps": 8}),
    "dot_scaled": ("dot_scaled_kernel", ["*fp8e4nv", "*u8", "*fp8e4nv", "*u8", "*fp32"], {"M": 64, "N": 64, "K": 64}, {}),
    "sort_i32": ("sort_kernel", ["*i32", "*i32"], {"N": 256}, {}), "sort_fp32": ("sort_kernel", ["*fp32", "*fp32"], {"N": 512}, {}), "sort_i64": ("sort_kernel", ["*i64", "*i64"], {"N": 256}, {}),
    "scan_fp32": ("scan_kernel", ["*fp32", "*fp32"], {"N": 512}, {}), "scan_i32": ("scan_kernel", ["*i32", "*i32"], {"N": 1024}, {}), "scan_fp16": ("scan_kernel", ["*fp16", "*fp16"], {"N": 256}, {}), "scan_i64": ("scan_kernel", ["*i64", "*i64"], {"N": 256}, {}),
    "histogram": ("histogram_kernel", ["*i32", "*i32"], {"N": 1024, "BINS": 64}, {}), "gather_fp32": ("gather_kernel", ["*fp32", "*i32", "*fp32"], {"N": 256}, {}),
    **{f"atomics_{kind}": ("atomics_kernel", [f"*{kind}", f"*{kind}"], {"N": 256}, {}) for kind in ("i32", "fp32", "i64", "u32", "u64", "fp64")},
    "logic_atomics_i32": ("logic_atomics_kernel", ["*i32", "*i32"], {"N": 256}, {}), "logic_atomics_i64": ("logic_atomics_kernel", ["*i64", "*i64"], {"N": 256}, {}),
    "random": ("random_kernel", ["*fp32", "i32"], {"N": 512}, {}), "math_fp32": ("math_kernel", ["*fp32", "*fp32"], {"N": 256}, {}),
    "integers_i32": ("integers_kernel", ["*i32", "*i32", "*i32"], {"N": 256}, {}), "integers_i64": ("integers_kernel", ["*i64", "*i64", "*i64"], {"N": 256}, {}), "integers_i16": ("integers_kernel", ["*i16", "*i16", "*i16"], {"N": 256}, {}),
    **{f"casts_{source}_{middle}_{target}": ("casts_kernel", [f"*{source}", f"*{target}"], {"N": 512, "MIDDLE": f"tl.{name}"}, {}) for source, middle, name, target in (
        ("fp32", "fp8e5", "float8e5", "fp32"), ("fp16", "fp8e5", "float8e5", "fp16"), ("bf16", "fp8e5", "float8e5", "bf16"), ("fp32", "fp8e4nv", "float8e4nv", "fp32"), ("fp16", "fp8e4nv", "float8e4nv", "bf16"),
        ("fp32", "bf16", "bfloat16", "fp32"), ("fp64", "fp16", "float16", "fp32"), ("i64", "fp32", "float32", "i8"), ("fp32", "i32", "int32", "fp16"), ("i8", "fp16", "float16", "i16"), ("fp32", "u8", "uint8", "i64"), ("fp32", "i1", "int1", "i32"),
        ("u32", "bf16", "bfloat16", "u16"), ("fp64", "i64", "int64", "fp64"), ("fp32", "fp8e4b15", "float8e4b15", "fp32"))},
    "shapes": ("shapes_kernel", ["*fp32", "*fp32"], {"N": 32}, {}), "hints": ("hints_kernel", ["*fp32", "*fp32", "i32"], {"N": 1024}, {"debug": True}),
    "pipeline_fp16": ("pipeline_kernel", ["*fp16", "*fp16", "*fp32", "i32"], {"N": 32, "STAGES": 3}, {}), "pipeline_fp32": ("pipeline_kernel", ["*fp32", "*fp32", "*fp32", "i32"], {"N": 32, "STAGES": 4}, {}),
    "pipeline_bf16": ("pipeline_kernel", ["*bf16", "*bf16", "*fp32", "i32"], {"N": 64, "STAGES": 2}, {"num_warps": 8}), "descriptor": ("descriptor_kernel", ["*fp32", "*fp32", "i32"], {"N": 32}, {}), "inline": ("inline_kernel", ["*i32", "*i32"], {"N": 256}, {}),
}


def compile_variant(name: str, architecture: int) -> str:
    """The PTX text of one variant; pointers and sizes are divisible by 16, as Triton specialises real launches."""
    kernel_name, types, constants, options = VARIANTS[name]
    kernel = getattr(corpus_kernels, kernel_name)
    values = {key: getattr(triton.language, value[3:]) if isinstance(value, str) else value for key, value in constants.items()}
    names = [argument for argument in kernel.arg_names if argument not in constants]
    signature = dict(zip(names, types, strict=True)) | {key: "constexpr" for key in constants}
    attributes = {(index,): [["tt.divisibility", 16]] for index, argument in enumerate(kernel.arg_names) if signature[argument].startswith("*") or argument == "n"}
    source = ASTSource(fn=kernel, signature=signature, constexprs=values, attrs=attributes)
    return triton.compile(source, target=GPUTarget("cuda", architecture, 32), options=options).asm["ptx"]


if __name__ == "__main__":
    folder, target = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for variant in sys.argv[3:] or VARIANTS:
        try:
            (folder / f"{variant}.ptx").write_text(compile_variant(variant, target))
        except Exception as problem:  # Some types do not exist on older architectures.
            print(f"{variant}: not compiled: {str(problem).strip().splitlines()[-1] if str(problem).strip() else type(problem).__name__}")
