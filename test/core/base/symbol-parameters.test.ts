import { expect, test } from "vitest";
import { symbolParameters } from "../../../server/core/base/symbols/symbol-parameters";

/** Symbols as nvcc writes them. */
test.each([
  ["_Z1aPKfPfi", ["const float*", "float*", "int"]],
  [
    "_Z1gP6__halfPK7__half2PK13__nv_bfloat16P6float4PKS7_5uint2",
    ["__half*", "const __half2*", "const __nv_bfloat16*", "float4*", "const float4*", "uint2"],
  ],
  ["_Z1hPViPybd", ["volatile int*", "unsigned long long*", "bool", "double"]],
  ["_Z1jv", []],
  ["_Z1bIfEvPKT_PS0_iS0_", ["const float*", "float*", "int", "float"]],
  ["_Z1cI6__halfLi32ELb1EEvPKT_PS1_", ["const __half*", "__half*"]],
  ["_ZN2ns2in1dENS0_1PEPKS1_PS1_m", ["ns::in::P", "const ns::in::P*", "ns::in::P*", "unsigned long"]],
  ["_ZN2ns2in1fENS0_1QIfiEEPS2_Ph", ["ns::in::Q<float, int>", "ns::in::Q<float, int>*", "unsigned char*"]],
  ["_ZN2ns2in1eIdEEvPKT_PS2_", ["const double*", "double*"]],
  ["_ZN2ns2in1eINS0_1PEEEvPKT_PS3_", ["const ns::in::P*", "ns::in::P*"]],
  ["_ZN38_GLOBAL__N__559c553b_6_sym_cu_7eda98f41lEPfPKf", ["float*", "const float*"]],
  // Not mangled, and types of a kind that is not read.
  ["m", undefined],
  ["_Z1iPKPfPA4_i", undefined],
  ["_Z1", undefined],
  ["_ZN2ns", undefined],
])("%s", (symbol, types) => {
  expect(symbolParameters(symbol)).toEqual(types);
});
