import { retold, t } from "../base/localized";
import { newerGpu } from "../base/compiling/newer-gpu";
import { missesTextureReferences } from "../base/compiling/older-cuda";
import type { CheckedCase, Diagnostic, Finding, Verdict } from "../judge/verdict";
import type { ReferenceSpec } from "../workload/spec";
import { missingBody, unfoundHeader } from "../base/compiling/unfound-header";

/**
 * The one thing to do about a failure that rests on no guess, as a sentence; undefined for a correct kernel.
 */
export function nextStep(verdict: Verdict, reference: ReferenceSpec): string | undefined {
  switch (verdict.kind) {
    case "correct":
    case "scored":
      return undefined;
    case "did-not-parse":
      return t`Mend the syntax there.`;
    case "did-not-compile":
      return afterCompiler(verdict.diagnostics);
    case "refused":
      return /\bit launches kernels\b/.test(verdict.reason)
        ? t`Check the kernels that it launches, and run the whole with kernelwright run.`
        : t`The virtual GPU lacks this instruction: do without it.`;
    case "timed-out":
      return t`Choose smaller shapes in the kernel spec, or look for a loop that does not end.`;
    case "did-not-run":
      return afterRun(verdict.reason, verdict.findings[0]);
    case "wrong":
      return afterCases(verdict.cases, reference);
  }
}

/**
 * The harness alone names the entry's function: where it has no definition, nothing of the file's own is
 * wrong.
 */
const missingEntry = /^the entry .+ (?:is undefined|is declared but defined in no file)/;

function afterCompiler(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  const unfound = errors.flatMap((message) => unfoundIn(message) ?? []);
  if (unfound[0] !== undefined) return unfound[0];
  if (errors.some((message) => /no such file|cannot open source file/i.test(message)))
    return t`Name the folder that holds the file under "includeFolders" in kernelwright.json, or with -I.`;
  if (errors.some((message) => missingEntry.test(message)))
    return t`Write the function that "entry" names in that file, or correct "call" under "entry" in the kernel spec; one in a namespace is written FILE::NAMESPACE::FUNCTION.`;
  if (errors.some(missesTextureReferences))
    return t`CUDA 12 and later have no texture references: fetch through texture objects (cudaTextureObject_t), or read plain memory. kernelwright run PROGRAM takes the file as it is.`;
  const newer = newerGpu(errors.join("\n"));
  if (newer !== undefined)
    return t`This is code for newer GPUs: check it on a model of one that has this, with --target vgpu:${newer}.`;
  const bodies = errors.flatMap((message) => missingBody(message) ?? []);
  if (bodies[0] !== undefined) return bodies[0];
  const isUnknown = errors.some((message) => /is undefined|not declared/.test(message));
  if (isUnknown && diagnostics.some(({ file }) => /\.(?:cuh|h|hpp)$/.test(file)))
    return t`A header is compiled by itself: include in it what it uses, as whoever includes it may do before it; a macro that your build defines belongs under "defines" in kernelwright.json, or to -D.`;
  if (isUnknown)
    return t`Mend the source there; a macro that your build defines belongs under "defines" in kernelwright.json, or to -D.`;
  return t`Mend the source there.`;
}

/** `hip/hip_runtime.h: No such file or directory`, as the two compilers say it. */
const unfoundHeaders = [/^(\S+): No such file/, /cannot open source file "([^"]+)"/];

/** A sentence about the header that a compiler did not find, where another folder would not help. */
function unfoundIn(message: string): string | undefined {
  const header = unfoundHeaders.flatMap((pattern) => pattern.exec(message)?.[1] ?? [])[0];
  const why = header === undefined ? undefined : unfoundHeader(header);
  return why === undefined ? undefined : `${header} ${why}.`;
}

/** By the kind of the finding that ended a run. */
const endings: Readonly<Record<string, string>> = {
  exception: 'Mend the Python there, or name the call that is meant as "entry" in the kernel spec.',
  "invalid-launch":
    'Correct the launch there, or grid, block and sharedBytes under "launch" in the kernel spec.',
  endless: "Mend the loop there: it has no end with these inputs.",
  "endless-loop": "Mend the loop there: it has no end with these inputs.",
  deadlock: "Mend what these threads wait for: no thread brings it about any more.",
  "freed-argument": "Leave the memory of arguments to the caller of the entry.",
  "barrier-deadlock": "Let all threads of the block reach the same barrier.",
};

/** Of what did not begin there is no access to mend. */
function afterRun(reason: string, finding: Finding | undefined): string | undefined {
  if (finding === undefined)
    return reason.startsWith("the compiled file has no kernel ")
      ? t`Name a kernel of the file under "kernel" in the kernel spec.`
      : undefined;
  if (finding.kind === "invalid-launch" && finding.file === "")
    return t`Correct grid, block, sharedBytes or arguments under "launch" in the kernel spec; a recorded spec is written anew by kernelwright capture PROGRAM.`;
  return retold(
    endings[finding.kind] ??
      "Mend the access there; where the buffer is meant to be longer, correct its shape in the kernel spec.",
  );
}

function afterCases(cases: readonly CheckedCase[], reference: ReferenceSpec): string {
  const failed = cases.find(({ passed }) => !passed);
  const finding = failed?.findings[0];
  if (failed?.mismatch?.cause === "index-overflow")
    return t`Count in more bits there: the index does not reach all elements.`;
  if (finding?.kind.endsWith("-race") === true)
    return t`Order the two accesses: a barrier within a block, an atomic or another launch between blocks.`;
  if (failed?.mismatch !== undefined && reference.kind !== "baseline")
    return t`Mend the kernel, or the reference (${referenceName(reference)}).`;
  return finding === undefined
    ? t`Mend the kernel, or say with "reference" in the kernel spec what is right.`
    : t`Mend what is found there.`;
}

function referenceName(reference: Exclude<ReferenceSpec, { kind: "baseline" }>): string {
  return reference.kind === "callable" ? reference.callable : t`the expressions of the kernel spec`;
}
