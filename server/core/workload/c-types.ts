import type { DataType } from "./spec";

/** The type of an element in CUDA C++. */
export const cTypes: Readonly<Record<DataType, string>> = {
  float64: "double",
  float32: "float",
  float16: "__half",
  bfloat16: "__nv_bfloat16",
  int64: "long long",
  int32: "int",
  int16: "short",
  int8: "signed char",
  uint64: "unsigned long long",
  uint32: "unsigned",
  uint16: "unsigned short",
  uint8: "unsigned char",
  bool: "bool",
};

/** What a source includes that uses these types. */
export function includesOf(types: Iterable<DataType>): readonly string[] {
  const used = new Set(types);
  return [
    ...(used.has("float16") ? ["#include <cuda_fp16.h>"] : []),
    ...(used.has("bfloat16") ? ["#include <cuda_bf16.h>"] : []),
  ];
}
