import { createHash } from "node:crypto";
import { noCounters, type KernelCounters } from "../../../server/core/timing/counters";
import type { Verdict } from "../../../server/core/judge/verdict";
import type { ProposalSide, SessionTask } from "../../../server/core/trajectory/events";

export const sha256 = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");

export const task: SessionTask = {
  specPath: "samples/transpose.kernel.json",
  specText: '{ "file": "transpose.cu" }',
  file: "samples/transpose.cu",
  kernel: "transpose",
  target: "vgpu:sm_80",
  strategy: "rulebook",
  budget: { usd: 1, minutes: 10, candidates: 8 },
};

export function counters(wavefronts: number): KernelCounters {
  const totals = {
    ...noCounters(),
    instructions: 512,
    sharedWavefronts: wavefronts,
    sharedWavefrontsIdeal: 256,
    sharedConflictWays: Math.ceil(wavefronts / 256),
  };
  return { origin: "virtual-gpu", totals, lines: [{ file: "samples/transpose.cu", line: 18, ...totals }] };
}

export function bound(nanoseconds: number): ProposalSide["bound"] {
  return {
    gpu: "A100",
    nanoseconds,
    terms: { dram: nanoseconds / 2, shared: nanoseconds },
    binding: "shared",
  };
}

export const correct: Verdict = {
  kind: "correct",
  tier: "full",
  facts: [],
  counters: counters(256),
  bound: bound(3100),
  cases: [
    {
      shape: { sizes: { rows: 256, cols: 130 } },
      passed: true,
      tolerance: { absolute: 0, relative: 0 },
      findings: [],
    },
  ],
  evidence: {
    sourceDigest: "1".repeat(64),
    target: "vgpu:sm_80",
    specDigest: "2".repeat(64),
    sizes: { rows: 256 },
  },
};

export const wrong: Verdict = {
  kind: "wrong",
  tier: "quick",
  facts: [],
  cases: [
    {
      shape: { sizes: { rows: 3 } },
      passed: false,
      tolerance: { absolute: 1e-5, relative: 1e-5 },
      findings: [],
      mismatch: {
        output: "out",
        index: [0, 2],
        expected: 0.5,
        actual: "NaN",
        wrong: 1,
        total: 9,
        maxAbsoluteError: "NaN",
      },
    },
  ],
};
