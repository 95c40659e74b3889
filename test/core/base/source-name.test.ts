import { expect, test } from "vitest";
import { sourceName } from "../../../server/core/base/symbols/source-name";

test.each([
  ["__nv_static_24__834e0feb_4_b_cu_counter_own", "own"],
  ["__nv_static_24__834e0feb_4_b_cu_counter__Z4minePf", "_Z4minePf"],
  ["__nv_static_24__834e0feb_4_b_cu_counter_own@3", "own"],
  ["$str@1", "$str"],
  ["own", "own"],
  ["_Z4minePf", "_Z4minePf"],
  ["__nv_static_99__834e0feb_4_b_cu_counter_own", "__nv_static_99__834e0feb_4_b_cu_counter_own"],
  ["__nv_static_3__abc", "__nv_static_3__abc"],
  ["__nv_static_", "__nv_static_"],
  ["", ""],
])("%s is %s in its file", (symbol, name) => {
  expect(sourceName(symbol)).toBe(name);
});
