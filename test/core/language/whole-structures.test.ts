import { expect, test } from "vitest";
import { isOneStructure } from "../../../server/core/language/cuda/launch/contents/whole-structures";

const macros = [
  "#define NX(p) ((p)->nx)",
  "#define AT(p, a, i, j) ((a)[(j) * PITCH(p) + (i)])",
  "#define PITCH(p) (p)->pitch",
  "#define NTH(p, i) ((p)[i].nx)",
].join("\n");

test.each([
  ["if (i < g->nx) y[i] = x[i * g->pitch];", true],
  ["int n = (*g).nx;", true],
  ["if (i < NX(g)) AT(g, y, i, j) = 1.f;", true],
  ["y[i] = AT((g), x, i, j); // g[i]", true],
  ["y[i] = inside(g, i) ? x[i] : 0.f;", true],
  ["y[i] = g[i].nx;", false],
  ["y[i] = NTH(g, i);", false],
  ["const grid *own = g + i; y[i] = own->nx;", false],
  ["y[i] = second(g);", false],
  ["g->nx = 3;", false],
  ["atomicAdd(&g->nx, 1);", false],
  ["y[i] = (float)(size_t)x;", false],
])("%s: of one structure: %s", (code, expected) => {
  const called = [
    "__device__ bool inside(const grid *of, int i) { return i < of->nx; }",
    "__device__ int second(const grid *all) { return all[1].nx; }",
  ].filter((each) => code.includes(/(\w+)\(const/.exec(each)?.[1] ?? ""));
  const reached = [code, ...called].join("\n");
  expect(isOneStructure("g", { code, reached, text: macros, type: "grid" })).toBe(expected);
});
