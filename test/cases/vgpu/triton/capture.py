"""Compiles the kernels for sm_80 (no GPU is needed) and writes NAME.ptx with NAME.json: entry, warps, shared bytes, parameters.

Usage: python capture.py FOLDER [NAME …]
"""

import json
import pathlib
import sys

import kernels
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

VARIANTS = {
    "add_f32": ("add_kernel", ["*fp32", "*fp32", "*fp32", "i32"], {"BLOCK": 1024}, {}),
    "add_f16": ("add_kernel", ["*fp16", "*fp16", "*fp16", "i32"], {"BLOCK": 1024}, {}),
    "add_bf16": ("add_kernel", ["*bf16", "*bf16", "*bf16", "i32"], {"BLOCK": 1024}, {}),
    "softmax_f32": ("softmax_kernel", ["*fp32", "*fp32", "i32", "i32", "i32"], {"BLOCK": 1024}, {}),
    "softmax_f16": ("softmax_kernel", ["*fp16", "*fp16", "i32", "i32", "i32"], {"BLOCK": 256}, {"num_warps": 8}),
    "matmul_f16": ("matmul_kernel", ["*fp16", "*fp16", "*fp32"] + ["i32"] * 6, {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32}, {}),
    "matmul_bf16": ("matmul_kernel", ["*bf16", "*bf16", "*bf16"] + ["i32"] * 6, {"BLOCK_M": 32, "BLOCK_N": 64, "BLOCK_K": 32}, {}),
    "matmul_tf32": ("matmul_kernel", ["*fp32", "*fp32", "*fp32"] + ["i32"] * 6, {"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32}, {}),
    "matmul_i8": ("matmul_kernel_i8", ["*i8", "*i8", "*i32"] + ["i32"] * 6, {"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32}, {}),
    "layer_norm_f16": ("layer_norm_kernel", ["*fp16", "*fp16", "*fp16", "*fp16", "i32", "i32", "fp32"], {"BLOCK": 512}, {}),
    "layer_norm_f32": ("layer_norm_kernel", ["*fp32", "*fp32", "*fp32", "*fp32", "i32", "i32", "fp32"], {"BLOCK": 512}, {}),
    "attention_f16": ("attention_kernel", ["*fp16", "*fp16", "*fp16", "*fp16", "i32", "fp32"], {"BLOCK_M": 64, "BLOCK_N": 32, "WIDTH": 32}, {}),
    "histogram": ("histogram_kernel", ["*i32", "*i32", "i32"], {"BLOCK": 512}, {}),
    "gelu_f16": ("gelu_kernel", ["*fp16", "*fp16", "i32"], {"BLOCK": 512}, {}),
}


def capture(folder: pathlib.Path, name: str) -> None:
    """Compiles one variant with every pointer and stride divisible by 16, as Triton specialises real launches."""
    kernel_name, types, constants, options = VARIANTS[name]
    kernel = getattr(kernels, kernel_name)
    names = [argument for argument in kernel.arg_names if argument not in constants]
    signature = {argument: kind for argument, kind in zip(names, types, strict=True)} | {key: "constexpr" for key in constants}
    attributes = {(index,): [["tt.divisibility", 16]] for index, argument in enumerate(kernel.arg_names)
                  if signature[argument].startswith("*") or argument.startswith("stride") or argument.endswith("_stride")}
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=attributes)
    compiled = triton.compile(source, target=GPUTarget("cuda", 80, 32), options=options)
    text = compiled.asm["ptx"].replace(str(pathlib.Path(kernels.__file__).parent), ".")
    (folder / f"{name}.ptx").write_text(text[: text.find("\t.section")] if "\t.section" in text else text)
    facts = {"entry": compiled.metadata.name, "warps": compiled.metadata.num_warps, "sharedBytes": compiled.metadata.shared}
    (folder / f"{name}.json").write_text(json.dumps(facts, indent=2) + "\n")


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for variant in sys.argv[2:] or VARIANTS:
        capture(target, variant)
