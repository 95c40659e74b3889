import { expect, test } from "vitest";
import { fileConstants } from "../../../server/core/language/cuda/constants";
import { chosenWays } from "../../../server/core/language/cuda/launch/contents/chosen-ways";
import { reachedText } from "../../../server/core/language/cuda/launch/contents/reached-text";
import { withSource } from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const callees = `
enum Metric { NONE = 3, DOT, L2 };
#define ADD 2
constexpr int MAX = 7;
__device__ float apart(const float* a, int kind) {
  switch (kind) { case DOT: return 1; case L2: return 2; }
  return 0;
}
__device__ float joined(float a, float b, int how) { return how == ADD ? a + b : a * b; }
template <typename T> __device__ T through(T a, int w = 0) { return joined(a, a, w); }
__device__ float scaled(float a, int w) { return w * a; }
`;

test.each([
  ["switch (way) { case 5: x[i] = 1; break; case 4: x[i] = 2; }", 4],
  ["x[i] = apart(x + f(i), way);", 4],
  ["x[i] = through<float>(x[g(i, 2)], way);", 2],
  ["if (MAX == way) x[i] = 1; else x[i] = joined(x[i], 1.f, way);", 2],
  ["if (way == 0) return; x[i] = 1;", 1],
  ["if (way != 3) { return; } x[i] = 1;", 3],
  ["if (way) x[i] = 1;", 1],
  ["if (!way) return;", 1],
  ["x[i] = way ? 1 : 2;", 1],
  ["x[i] = way * 2;", undefined],
  ["if (way == 2) x[i] = way;", undefined],
  ["if (way == n) x[i] = 1;", undefined],
  ["x[i] = scaled(x[i], way);", undefined],
  ["for (int k = 0; k < way; ++k) x[i] += 1;", undefined],
  ["x[i] = y.way;", undefined],
  ["if (n == way) x[i] = 1;", undefined],
  ["x[i] = n == way ? 1 : 2;", undefined],
  ["// way == 2\nx[i] = 1;", undefined],
  ["if (way == 0.5f) x[i] = 1;", undefined],
])("%s asks for %s", async (code, expected) => {
  const kernel = `__global__ void k(float* x, int way, int n) { ${code} }`;
  const found = withSource(await loadGrammars(), "t.cu", `${callees}${kernel}`, ({ tree: { root } }) =>
    chosenWays({ body: kernel, reached: reachedText(kernel, [root]) }, ["way"], fileConstants(root)).get(
      "way",
    ),
  );
  expect(found).toBe(expected);
});
