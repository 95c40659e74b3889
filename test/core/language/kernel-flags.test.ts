import { beforeAll, expect, test } from "vitest";
import { kernelFlags } from "../../../server/core/language/cuda/entry/kernel-flags";
import type { Grammars } from "../../../server/core/language/tree";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

let grammars: Grammars;
beforeAll(async () => {
  grammars = await loadGrammars();
});

const kernel = `
__global__ void moves(const unsigned char* __restrict__ terrain, int* steps, int n) {
  int i = threadIdx.x;
  if (i < n && terrain[i] < 5) steps[i] = 1;
}
`;

test.each([
  {
    name: "by the name that a launch hands over, also behind a cast",
    text: `void walk(const signed char* d_map, int* d_steps, int n) {
  moves<<<1, 64>>>((const unsigned char*)d_map, d_steps, n);
}`,
    flags: { terrain: 5, d_map: 5 },
  },
  {
    name: "by the kernel's own name alone where what is handed over has none",
    text: "void walk(Map* map, int n) { moves<<<1, 64>>>(map->cells + 1, map->steps, n); }",
    flags: { terrain: 5 },
  },
])("flags are known $name", ({ text, flags }) => {
  const tree = grammars.cuda.parse(`${kernel}${text}`);
  expect(Object.fromEntries(kernelFlags(tree.root, "moves"))).toEqual(flags);
  tree.dispose();
});
