import { expect, test } from "vitest";
import { fileConstants } from "../../../server/core/language/cuda/constants";
import { arrayLimits } from "../../../server/core/language/cuda/launch/sizes/array-limits";
import { withSource } from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const arm = "struct Link { float a; }; struct Arm { int dof; Link link[7]; };";

test.each<[string, string, readonly string[]]>([
  [`${arm}`, "for (int j = 0; j < arm.dof; ++j) x += arm.link[j].a;", ["dof 7", "arm_dof 7"]],
  ["#define MOST 64", "float best[MOST]; for (int k = 0; k < K; k++) best[k] = 0;", ["K 64"]],
  ["__constant__ float taps[33];", "for (int t = 0; t <= n; t++) x += taps[t];", ["n 32"]],
  ["", "float a[4]; for (int k = 0; k < n; k++) x += a[k % 4];", []],
  ["", "float a[4]; for (int k = 0; k < n; k++) x += y[k]; for (int k = 0; k < 4; k++) a[k] = 0;", []],
  ["struct P { float a[3]; }; struct Q { int a[5]; };", "for (int k = 0; k < n; k++) x += p.a[k];", []],
])("%s limits in %s", async (before, body, limits) => {
  const text = `${before}\n__global__ void f(Arm arm, int n, int K, float* y) { float x = 0; ${body} y[0] = x; }`;
  const found = withSource(await loadGrammars(), "t.cu", text, ({ tree: { root } }) => {
    const [kernel] = root.descendantsOfType("function_definition");
    return kernel && arrayLimits(root, kernel, fileConstants(root));
  });
  expect(found?.map(({ name, value }) => `${name} ${value}`)).toEqual(limits);
});
