import { expect, test } from "vitest";
import { succeed } from "../../../server/core/base/outcome";
import type { KernelProof, ProofAnswer } from "../../../server/core/judge/proof";
import type { Finding } from "../../../server/core/judge/verdict";
import { isOpen, refutedBy, triedInVain } from "../../../server/core/proof/refute";
import { proveKernel } from "../../../server/core/proof/report";
import { parsePtx } from "../../../server/core/vgpu/index";
import { proofLines } from "../../../server/core/words/proofs";
import { draws, drawsAll } from "../../harness/draws";
import {
  classOf,
  drawer,
  drawKernel,
  launcherOf,
  leavesAt,
  leavesWith,
  ptxOf,
  type RandomKernel,
} from "./random-kernels";

/** What is known of a kernel's bounds for all sizes, after the launches that may refute them. */
function boundsOf(kernel: RandomKernel): ProofAnswer | undefined {
  const module = parsePtx(ptxOf(kernel));
  expect(module.ok).toBe(true);
  if (!module.ok) return undefined;
  const launches = classOf(kernel);
  const looked = proveKernel(module.value, "k", launches);
  const run = launcherOf(module.value, kernel);
  let { proof } = looked;
  for (const sizes of looked.suspects) {
    if (!isOpen(proof)) break;
    const findings = run(sizes);
    if (findings)
      proof = refutedBy(
        { ...looked, proof },
        { sizes, findings },
        launches.spec.shapes.map((each) => each.sizes),
      );
  }
  return proof.answers.find(({ question }) => question === "in-bounds");
}

test("random kernels are proved only where no small size refutes them, and refuted only by a thread that leaves", () => {
  const draw = drawer(7);
  const counts = { proved: 0, refuted: 0, open: 0, missed: 0 };
  for (let round = 0; round < draws(120); round += 1) {
    const kernel = drawKernel(draw);
    const answer = boundsOf(kernel);
    const leaves = leavesAt(kernel) !== undefined;
    // A kernel without an access is asked nothing.
    const outcome = answer?.outcome ?? "proved";
    if (outcome === "proved") expect({ kernel, leaves }).toEqual({ kernel, leaves: false });
    if (answer?.witness)
      expect({ kernel, ...answer.witness, leaves: leavesWith(kernel, answer.witness) }).toEqual({
        kernel,
        ...answer.witness,
        leaves: true,
      });
    if (outcome !== "not-decided") counts[outcome] += 1;
    else counts[leaves ? "missed" : "open"] += 1;
  }
  if (drawsAll) expect(counts).toEqual({ proved: 44, refuted: 71, open: 5, missed: 0 });
  expect(counts.missed).toBe(0);
});

const plain: RandomKernel = {
  ...{ a: 1, b: 0, c: 0, cut: 0, isGuarded: true, rounds: 1 },
  ...{ perN: 1, perM: 0, more: 0 },
};

test.each([
  ["a guarded index", plain, "proved"],
  ["a loop whose rounds are a size", { ...plain, b: 1, perM: 1 }, "proved"],
  ["no guard", { ...plain, isGuarded: false }, "refuted"],
  ["a guard that is one too wide", { ...plain, cut: -1 }, "refuted"],
  ["an index below zero", { ...plain, c: -1 }, "refuted"],
  // 3 * 10^9 is more than 32 bits hold: the buffer would have to have more elements than are spoken of.
  ["an index that would wrap", { ...plain, a: 3, perN: 3 }, "proved"],
] as const)("%s", (_, kernel, outcome) => {
  expect(boundsOf(kernel)?.outcome).toBe(outcome);
});

test("a proof reads as what was shown, what was not, and what it rests on", () => {
  const module = parsePtx(ptxOf({ ...plain, isGuarded: false }));
  const looked = module.ok ? succeed(proveKernel(module.value, "k", classOf(plain))) : module;
  expect(looked.ok && proofLines([triedInVain(looked.value.proof, 2)])).toEqual([
    "proved for all sizes: 1 access aligned, assumed sizes from 1 to 10⁹, at most 10⁹ elements in a buffer, blocks of 4 threads, a grid of ceil_div(n, 4) blocks",
    "not decided for all sizes: in bounds, 1 of 1 access: what bounds its address was not enough; 2 launches at other sizes did not show the contrary",
  ]);
});

const wholeBlocks = "4 * ceil_div(n, 4)";

test.each([
  ["the user's own extent", "n", undefined, [], "proved"],
  ["a recorded extent", "n", "recorded", [], "proved"],
  ["an extent that probing found", "n", "probed", ["y[n] (probed, not stated)"], "proved"],
  ["whole blocks that the user states", wholeBlocks, undefined, [], "proved"],
  [
    ...["whole blocks that probing found", wholeBlocks, "probed", [`y[${wholeBlocks}] (probed, not stated)`]],
    "it touches all of y[4 * ceil_div(n, 4)], whole blocks of elements, and nobody said that there are so many",
  ],
  [
    "one more a block",
    "n + ceil_div(n, 4)",
    "probed",
    ["y[n + ceil_div(n, 4)] (probed, not stated)"],
    "proved",
  ],
] as const)("what a proof of bounds rests on: %s", (...[, extent, origin, assumed, answer]) => {
  const module = parsePtx(ptxOf(extent === wholeBlocks ? { ...plain, isGuarded: false } : plain));
  if (!module.ok) throw new Error("the kernel does not parse");
  const { spec, ...launches } = classOf(plain);
  const { proof } = proveKernel(module.value, "k", {
    ...launches,
    spec: {
      ...{ ...spec, outputs: { y: { dtype: "int32", shape: [extent] } } },
      ...(origin && { origins: { "outputs.y.shape": origin } }),
    },
  });
  const [{ outcome, why } = { outcome: undefined }] = proof.answers;
  expect([why ?? outcome, proof.assumed.slice(4)]).toEqual([answer, assumed]);
});

test("a grid may be a quotient of a quotient", () => {
  const kernel = { ...plain, a: 3, perN: 3, more: 12, isGuarded: false };
  const module = parsePtx(ptxOf(kernel));
  if (!module.ok) throw new Error("the kernel does not parse");
  const { proof } = proveKernel(module.value, "k", {
    ...classOf(kernel),
    grid: ["ceil_div(ceil_div(n, 3), 4)"],
  });
  expect(proof.answers[0]).toMatchObject({ question: "in-bounds", outcome: "proved" });
});

test("a refutation reads as the sizes, the place and what the thread did", () => {
  const answer = boundsOf({ ...plain, isGuarded: false });
  expect(answer && proofLines([{ kernel: "k", assumed: [], answers: [answer] }])).toEqual([
    'refuted for all sizes: in bounds, not at n=2 m=2: out of bounds: thread (2,0,0) of block (0,0,0) writes 4 bytes at 0x200000011008, 4 bytes behind the end of "y" (8 bytes)',
  ]);
});

test("contents of memory refute nothing, nor does what is proved", () => {
  const looked = { "in-bounds": [], aligned: [{ file: "a.cu", line: 3 }], "race-free": "any" } as const;
  const open = { outcome: "not-decided", asked: 1, open: 1 } as const;
  const proof: KernelProof = {
    kernel: "k",
    assumed: [],
    answers: [
      { ...open, question: "in-bounds" },
      { ...open, question: "aligned", outcome: "proved" },
    ],
  };
  const found = (kind: string): Finding => ({ kind, file: "a.cu", line: 3, message: "" });
  const launch = { sizes: { n: 1 }, findings: [found("out-of-bounds"), found("misaligned")] };
  expect(refutedBy({ proof, refutable: looked }, launch, [])).toBe(proof);
});

test("the size of a tensor of five dimensions is not known as a formula", () => {
  const module = parsePtx(ptxOf(plain));
  if (!module.ok) throw new Error("the kernel does not parse");
  const { spec, ...launches } = classOf(plain);
  const outputs = { y: { dtype: "int32" as const, shape: ["n", "n", "m", "m", "n"] } };
  const [bounds, alignment] = proveKernel(module.value, "k", { ...launches, spec: { ...spec, outputs } })
    .proof.answers;
  expect(bounds).toMatchObject({ outcome: "not-decided", why: "the size of y is not known as a formula" });
  expect(alignment).toMatchObject({ outcome: "proved" });
});
