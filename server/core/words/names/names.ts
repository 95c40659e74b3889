import { retold, t } from "../../base/localized";
import { gpuOfTarget } from "../../timing/gpu-model";
import { formatGpu, parseTarget, type Target } from "../../timing/target";

/** What readers call a candidate: "the baseline", "candidate 3". */
export function candidateName(id: string): string {
  if (id === "baseline") return t`the baseline`;
  const number = numberOf(id);
  return number === undefined ? id : t`candidate ${number}`;
}

function numberOf(id: string): string | undefined {
  return /^c(\d+)$/.exec(id)?.[1];
}

/** The same at the head of a sentence: "Candidate 3". */
export function candidateHead(id: string): string {
  if (id === "baseline") return t`The baseline`;
  const number = numberOf(id);
  return number === undefined ? id : t`Candidate ${number}`;
}

/**
 * What a kernel is judged on, for people: `A100 40GB SXM (sm_80), modelled`. A text that is no target of ours
 * (one of a log, a command's) stays as it is.
 */
export function describeTarget(text: string): string {
  const target = parseTarget(text);
  return target.ok ? targetWords(target.value) : text;
}

function targetWords(target: Target): string {
  const gpu = `${gpuOfTarget(target).name} (${target.architecture})`;
  switch (target.kind) {
    case "vgpu":
      return t`${gpu}, modelled`;
    case "ssh":
      return t`${gpu}, modelled, compiled on ${target.host}`;
    case "gpu":
      // Before the GPU was asked nobody knows which it is.
      return target.model === undefined ? formatGpu(target) : t`${gpu}, timed on ${formatGpu(target)}`;
  }
}

const words: Readonly<Record<string, string>> = {
  dram: "DRAM",
  l2: "L2",
  l1: "L1",
  shared: "shared memory",
  issue: "issue of instructions",
  fp32: "FP32",
  fp64: "FP64",
  fp16: "FP16",
  integer: "integer",
  conversion: "conversions",
  special: "special functions",
  tensor: "tensor cores",
  atomics: "atomics",
  latency: "latency of memory",
  copies: "copies",
  torch: "torch",
  launch: "gaps between launches",
};

/** A term of the modelled bound as users read it; one that is not known keeps its name. */
export function resourceWords(name: string): string {
  return retold(words[name] ?? name);
}
