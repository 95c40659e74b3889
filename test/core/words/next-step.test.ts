import { expect, test } from "vitest";
import type { CheckedCase, Diagnostic, Finding, Verdict } from "../../../server/core/judge/verdict";
import { describeVerdict } from "../../../server/core/words/describe";
import { nextStep } from "../../../server/core/words/next-step";
import type { ReferenceSpec } from "../../../server/core/workload/spec";

const baseline: ReferenceSpec = { kind: "baseline" };
const callable: ReferenceSpec = { kind: "callable", callable: "refs.py::k" };

function compiled(message: string, file = "k.cu"): Verdict {
  const diagnostic: Diagnostic = {
    severity: "error",
    file,
    line: 3,
    column: 1,
    message,
    source: "nvcc",
  };
  return { kind: "did-not-compile", diagnostics: [diagnostic] };
}

function finding(kind: string, message: string): Finding {
  return { kind, file: "k.cu", line: 5, message };
}

function ended(kind: string, message: string): Verdict {
  return { kind: "did-not-run", reason: message, findings: [finding(kind, message)] };
}

function wrong(part: Pick<CheckedCase, "findings" | "mismatch" | "smallest">): Verdict {
  const failed = {
    shape: { sizes: { n: 8 } },
    passed: false,
    tolerance: { absolute: 0, relative: 0 },
    ...part,
  };
  return { kind: "wrong", tier: "full", cases: [failed], facts: [] };
}

const mismatch = {
  output: "y",
  index: [3],
  expected: 1,
  actual: 2,
  wrong: 1,
  total: 8,
  maxAbsoluteError: 1,
} as unknown as NonNullable<CheckedCase["mismatch"]>;

/** Each kind of failure has words of its own, and one thing to do. */
test.each<[Verdict, ReferenceSpec, string, string]>([
  [
    compiled('identifier "scale" is undefined'),
    baseline,
    'does not compile: k.cu:3: error: identifier "scale" is undefined',
    'Mend the source there; a macro that your build defines belongs under "defines" in kernelwright.json, or to -D.',
  ],
  [
    compiled("Feature 'mma with FP8 floating point type' requires .target sm_89 or higher"),
    baseline,
    "does not compile: k.cu:3: error: Feature 'mma with FP8 floating point type' requires .target sm_89 or higher",
    "This is code for newer GPUs: check it on a model of one that has this, with --target vgpu:sm_89.",
  ],
  [
    compiled("hip/hip_runtime.h: No such file or directory"),
    baseline,
    "does not compile: k.cu:3: error: hip/hip_runtime.h: No such file or directory",
    "hip/hip_runtime.h belongs to HIP, for GPUs of AMD: what is checked and run here is CUDA.",
  ],
  [
    compiled(String.raw`cannot open source file "parts\rows.cuh"`),
    baseline,
    String.raw`does not compile: k.cu:3: error: cannot open source file "parts\rows.cuh"`,
    String.raw`parts\rows.cuh is named as Windows writes paths: write / between its folders, which compilers take there, too.`,
  ],
  [
    compiled("Unresolved extern function '_ZN5rules5scaleEf'"),
    baseline,
    "does not compile: k.cu:3: error: Unresolved extern function '_ZN5rules5scaleEf'",
    "scale has its body in another file, and a kernel's file is compiled by itself: include that one, too.",
  ],
  [
    compiled("texture is not a template"),
    baseline,
    "does not compile: k.cu:3: error: texture is not a template",
    "CUDA 12 and later have no texture references: fetch through texture objects (cudaTextureObject_t), or read plain memory. kernelwright run PROGRAM takes the file as it is.",
  ],
  [
    compiled('identifier "word" is undefined', "tables.cuh"),
    baseline,
    'does not compile: tables.cuh:3: error: identifier "word" is undefined',
    'A header is compiled by itself: include in it what it uses, as whoever includes it may do before it; a macro that your build defines belongs under "defines" in kernelwright.json, or to -D.',
  ],
  [
    compiled("w.h: No such file or directory"),
    baseline,
    "does not compile: k.cu:3: error: w.h: No such file or directory",
    'Name the folder that holds the file under "includeFolders" in kernelwright.json, or with -I.',
  ],
  [
    ended("exception", "KeyError: 'BLOCK'"),
    baseline,
    "raised k.cu:5: KeyError: 'BLOCK'",
    'Mend the Python there, or name the call that is meant as "entry" in the kernel spec.',
  ],
  [
    ended("out-of-bounds", "out of bounds: thread (0,0,0) reads"),
    baseline,
    "faulted: k.cu:5: out of bounds: thread (0,0,0) reads",
    "Mend the access there; where the buffer is meant to be longer, correct its shape in the kernel spec.",
  ],
  [
    { kind: "did-not-run", reason: "the compiled file has no kernel sum; it has sums", findings: [] },
    baseline,
    "did not run: the compiled file has no kernel sum; it has sums",
    'Name a kernel of the file under "kernel" in the kernel spec.',
  ],
  [
    ended("freed-argument", "the entry k.cu::run frees y, which is its caller's"),
    baseline,
    "faulted: k.cu:5: the entry k.cu::run frees y, which is its caller's",
    "Leave the memory of arguments to the caller of the entry.",
  ],
  [
    ended("deadlock", "deadlock: thread (0,0,0) waits"),
    baseline,
    "hung: k.cu:5: deadlock: thread (0,0,0) waits",
    "Mend what these threads wait for: no thread brings it about any more.",
  ],
  [
    {
      kind: "did-not-run",
      reason: "invalid launch",
      findings: [{ kind: "invalid-launch", file: "", line: 0, message: "invalid launch: 4 parameters" }],
    },
    baseline,
    "could not be launched: 4 parameters",
    'Correct grid, block, sharedBytes or arguments under "launch" in the kernel spec; a recorded spec is written anew by kernelwright capture PROGRAM.',
  ],
  [
    compiled("the entry k.cu::run cannot be called with the arguments of the spec: run() is undefined"),
    callable,
    "does not compile: k.cu:3: error: the entry k.cu::run cannot be called with the arguments of the spec: run() is undefined",
    'Write the function that "entry" names in that file, or correct "call" under "entry" in the kernel spec; one in a namespace is written FILE::NAMESPACE::FUNCTION.',
  ],
  [
    wrong({ findings: [], mismatch: { ...mismatch, maxAbsoluteError: "NaN" } }),
    callable,
    "wrong on shape n=8: y[3]: expected 1, got 2 (1 of 8 wrong, NaN among them)",
    "Mend the kernel, or the reference (refs.py::k).",
  ],
  [
    wrong({ findings: [], mismatch }),
    callable,
    "wrong on shape n=8: y[3]: expected 1, got 2 (1 of 8 wrong, greatest error 1)",
    "Mend the kernel, or the reference (refs.py::k).",
  ],
  [
    wrong({ findings: [], mismatch, smallest: { sizes: { n: 5 }, tried: 7 } }),
    callable,
    "wrong on shape n=8: y[3]: expected 1, got 2 (1 of 8 wrong, greatest error 1); the smallest shape found that fails so: n=5 (of 7 smaller ones that were run)",
    "Mend the kernel, or the reference (refs.py::k).",
  ],
  [
    wrong({ findings: [finding("shared-race", "race in shared memory")] }),
    baseline,
    "wrong on shape n=8: k.cu:5: race in shared memory; the values came out right this time, but they are not certain to",
    "Order the two accesses: a barrier within a block, an atomic or another launch between blocks.",
  ],
  [
    { kind: "refused", reason: "wgmma.fence", file: "k.cu", line: 9 },
    baseline,
    "the virtual GPU cannot run it: wgmma.fence (k.cu:9)",
    "The virtual GPU lacks this instruction: do without it.",
  ],
  [
    { kind: "refused", reason: "it launches kernels, which are run with a whole program only" },
    baseline,
    "the virtual GPU cannot run it: it launches kernels, which are run with a whole program only",
    "Check the kernels that it launches, and run the whole with kernelwright run.",
  ],
  [
    { kind: "timed-out", stage: "check", limitSeconds: 60 },
    baseline,
    "ran out of time in check (60 s)",
    "Choose smaller shapes in the kernel spec, or look for a loop that does not end.",
  ],
])("%o", (verdict, reference, words, step) => {
  expect([describeVerdict(verdict), nextStep(verdict, reference)]).toEqual([words, step]);
});

test("what did not begin for a reason of its own leaves nothing to mend in the kernel", () => {
  expect(
    nextStep({ kind: "did-not-run", reason: "the worker ended", findings: [] }, baseline),
  ).toBeUndefined();
});
