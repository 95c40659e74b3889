import { expect, test } from "vitest";
import { succeed } from "../../../server/core/base/outcome";
import type { ProofAnswer } from "../../../server/core/judge/proof";
import { proveKernel } from "../../../server/core/proof/report";
import { parsePtx } from "../../../server/core/vgpu/index";
import { proofLines } from "../../../server/core/words/proofs";
import { classOf, drawer, drawKernel, leavesAt, ptxOf, type RandomKernel } from "./random-kernels";

function boundsOf(kernel: RandomKernel): ProofAnswer | undefined {
  const module = parsePtx(ptxOf(kernel));
  expect(module.ok).toBe(true);
  if (!module.ok) return undefined;
  return proveKernel(module.value, "k", classOf(kernel)).answers.find(
    ({ question }) => question === "in-bounds",
  );
}

test("nothing is proved of random kernels that small sizes refute, and what holds is mostly proved", () => {
  const draw = drawer(7);
  const counts = { proved: 0, open: 0, wrong: 0 };
  for (let round = 0; round < 120; round += 1) {
    const kernel = drawKernel(draw);
    const isProved = boundsOf(kernel)?.outcome !== "not-decided";
    const refuted = leavesAt(kernel);
    if (isProved) expect({ kernel, refuted }).toEqual({ kernel, refuted: undefined });
    if (isProved) counts.proved += 1;
    else if (refuted === undefined) counts.open += 1;
    else counts.wrong += 1;
  }
  expect(counts).toEqual({ proved: 44, open: 5, wrong: 71 });
});

const plain: RandomKernel = {
  ...{ a: 1, b: 0, c: 0, cut: 0, isGuarded: true, rounds: 1 },
  ...{ perN: 1, perM: 0, more: 0 },
};

test.each([
  ["a guarded index", plain, "proved"],
  ["a loop whose rounds are a size", { ...plain, b: 1, perM: 1 }, "proved"],
  ["no guard", { ...plain, isGuarded: false }, "not-decided"],
  ["a guard that is one too wide", { ...plain, cut: -1 }, "not-decided"],
  ["an index below zero", { ...plain, c: -1 }, "not-decided"],
  // 3 * 10^9 is more than 32 bits hold: the buffer would have to have more elements than are spoken of.
  ["an index that would wrap", { ...plain, a: 3, perN: 3 }, "proved"],
] as const)("%s", (_, kernel, outcome) => {
  expect(boundsOf(kernel)?.outcome).toBe(outcome);
});

test("a proof reads as what was shown, what was not, and what it rests on", () => {
  const module = parsePtx(ptxOf({ ...plain, isGuarded: false }));
  const proof = module.ok ? succeed(proveKernel(module.value, "k", classOf(plain))) : module;
  expect(proof.ok && proofLines([proof.value])).toEqual([
    "proved for all sizes: 1 access aligned, assumed sizes from 1 to 10⁹, at most 10⁹ elements in a buffer, blocks of 4 threads, a grid of ceil_div(n, 4) blocks",
    "not decided for all sizes: in bounds, 1 of 1 access: what bounds its address was not enough",
  ]);
});
