import { expect, test } from "vitest";
import { scalarBytes } from "../../../server/host/worker/evaluation/case-shapes";
import { formatName, readableName } from "../../../server/core/base/symbols/symbol-name";

test.each([
  ["plain", "plain"],
  ["_Z9transposePKfPfii", "transpose"],
  ["_Z6kernelILi32EfEvPT0_", "kernel<32, float>"],
  ["_ZN2nn5scaleEPfi", "scale"],
  ["_ZN2nn6detail5scaleILi4EbEEvPf", "scale<4, bool>"],
  ["_Z1kILb1ELin3EEvv", "k<true, -3>"],
  ["_ZN12_GLOBAL__N_11kEPf", "k"],
  ["_ZL6statickPf", "static"],
  ["_Z4copyI6float4EvPKT_PS0_", "copy<float4>"],
  ["_Z4copyIPKfEvT_", "copy<const float*>"],
  ["_Z", "_Z"],
])("%s reads %s", (symbol, expected) => expect(formatName(readableName(symbol))).toBe(expected));

test.each([
  [1, "float32", "0000803f"],
  [-2.5, "float64", "00000000000004c0"],
  [-1, "int32", "ffffffff"],
  [300, "uint16", "2c01"],
  [2 ** 40, "int64", "0000000000010000"],
  [1, "bool", "01"],
  [1, "float16", "003c"],
  [-2, "float16", "00c0"],
  [65504, "float16", "ff7b"],
  [65520, "float16", "007c"],
  [2 ** -24, "float16", "0100"],
  [2 ** -14, "float16", "0004"],
  [0.1, "float16", "662e"],
  [2047.5, "float16", "0068"],
  [0, "float16", "0000"],
  [Number.NaN, "float16", "007e"],
  [1, "bfloat16", "803f"],
  [1.00390625, "bfloat16", "803f"],
  [3.4e38, "bfloat16", "807f"],
] as const)("%d as %s is %s", (value, dtype, expected) =>
  expect(Buffer.from(scalarBytes(value, dtype)).toString("hex")).toBe(expected),
);
