import { expect, test } from "vitest";
import { formatName, readableName, variableName } from "../../../server/core/base/symbols/symbol-name";

test.each([
  ["_Z5scalePfi", "scale"],
  ["_Z5scaleILi32EfEvPT0_i", "scale<32, float>"],
  ["_ZN4ring7advanceILj128ENS_4DampEEEvPKdS3_PdjT0_", "advance<128, ring::Damp>"],
  ["_ZN4ring4deep7advanceINS0_4DampENS_4WaveEEEvPd", "advance<ring::deep::Damp, ring::Wave>"],
  ["_ZN4ring7advanceIN3c104HalfEEEvPd", "advance<c10::Half>"],
  ["_ZN4ring7advanceINSt6vectorIdEEEEvPd", "advance<?>"],
  ["_ZN12_GLOBAL__N_17advanceINS_4DampEEEvPd", "advance<?>"],
  ["_ZN4ring7advanceINS7_4DampEEEvPd", "advance<?>"],
  ["plain", "plain"],
])("%s is the symbol of %s", (symbol, name) => {
  expect(formatName(readableName(symbol))).toBe(name);
});

test.each([
  ["_ZN6tables3rowE", "tables::row"],
  ["_ZN1a1b4deepE", "a::b::deep"],
  ["_Z5typedIfE", "typed<float>"],
  ["_ZN12_GLOBAL__N_16hiddenE", "hidden"],
  ["_ZN15_INTERNAL_k_cu_12_GLOBAL__N_13own6hiddenE", "own::hidden"],
  ["row@3", "row"],
  ["_Z", "_Z"],
])("%s is the symbol of the variable %s", (symbol, name) => {
  expect(variableName(symbol)).toBe(name);
});
