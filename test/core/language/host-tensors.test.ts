import { expect, test } from "vitest";
import { hostTensors } from "../../../server/core/language/cuda/launch/sizes/host-tensors";
import type { NamedConstant } from "../../../server/core/language/cuda/constants";
import type { LaunchSite } from "../../../server/core/language/facts";

interface Host {
  readonly locals?: Readonly<Record<string, string>>;
  readonly passed: readonly string[];
  readonly grid?: readonly string[];
  readonly text?: string;
}
interface Expected {
  readonly sizes: Readonly<Record<string, string | number>>;
  /** Where it is another one than the text's. */
  readonly grid?: readonly string[];
}

/** Kernels that take accessors `x` and `y` of two dimensions and a number `n`. */
test.each<readonly [string, Host, Expected]>([
  [
    "one made like the other",
    { locals: { out: "torch::empty_like(in)" }, passed: ["in", "out.packed_accessor32<float, 2>()", "k"] },
    { sizes: { y_size0: "x_size0", y_size1: "x_size1" } },
  ],
  [
    "sizes in a list, by locals and numbers, and a grid of them",
    {
      locals: { rows: "in.size(0)", out: "at::zeros({rows, 2 * k + 1}, in.options())" },
      passed: ["in.packed_accessor32<float, 2, torch::RestrictPtrTraits>()", "out", "k"],
      grid: ["rows", "(in.size(1) + 15) / 16"],
    },
    { sizes: { y_size0: "x_size0", y_size1: "2 * n + 1" }, grid: ["x_size0", "(x_size1 + 15) / 16"] },
  ],
  [
    "the sizes of another one, through accessors of their own",
    {
      locals: {
        out: "torch::zeros(in.sizes(), in.options().dtype(torch::kInt))",
        a: "in.contiguous().packed_accessor64<float, 2>()",
        b: "out.packed_accessor64<int, 2>()",
      },
      passed: ["a", "b", "k"],
    },
    { sizes: { y_size0: "x_size0", y_size1: "x_size1" } },
  ],
  [
    "a number of the text, and a size that is no parameter of the kernel",
    { locals: { out: "in.new_zeros({groups, 3})" }, passed: ["in", "out", "k"], grid: ["groups"] },
    { sizes: { y_size1: 3 }, grid: ["y_size0"] },
  ],
  [
    "sizes that are asserted to be equal",
    { passed: ["a", "b", "k"], text: "TORCH_CHECK(a.size(1) == b.size(1));" },
    { sizes: { y_size1: "x_size1" } },
  ],
  [
    "whole shapes that are asserted to be equal",
    { passed: ["a", "b", "k"], text: "TORCH_CHECK(b.sizes() == a.sizes());" },
    { sizes: { y_size0: "x_size0", y_size1: "x_size1" } },
  ],
  [
    "what cannot be followed stays apart",
    { locals: { out: "make(in)" }, passed: ["in", "out", "k"], grid: ["blocks_of(in)"] },
    { sizes: {} },
  ],
])("%s", (_, { locals = {}, passed, grid = [], text = "" }, expected) => {
  const site: LaunchSite = {
    ...{ kernel: "k", dialect: "cuda", grid, block: ["32"], arguments: passed, keywords: {} },
    ...{ templateArguments: [], hostParameters: [], constants: {} },
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  };
  const constant = (name: string, value: string): readonly [string, NamedConstant] => [
    name,
    { name, text: value, node: undefined },
  ];
  const names = new Map(Object.entries(locals).map(([name, value]) => constant(name, value)));
  const found = hostTensors({ site, names, host: { text } }, [
    { name: "x", rank: 2 },
    { name: "y", rank: 2 },
    { name: "n", rank: undefined },
  ]);
  expect({ sizes: Object.fromEntries(found.sizes), grid: found.site.grid }).toEqual({ grid, ...expected });
});
