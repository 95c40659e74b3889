import type { RuleEvidence, RuleInput } from "../rule";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../evidence";
import type { RuleEntry } from "../rule-table";
import { threshold } from "../rule-table";
import { enclosing, lineOf } from "../syntax";
import { variesWithThread } from "./dependence";
import type { CudaKernel } from "./kernel-source";
import { scalarBytes } from "./kernel-source";
import type { SharedArray } from "./shared-array";
import { sharedArrays } from "./shared-array";

/** A shared array whose lanes meet in one bank, with the line that shows it. */
export interface ConflictedArray {
  readonly array: SharedArray;
  readonly bytes: number;
  readonly evidence: RuleEvidence;
  readonly gain: number;
}

/**
 * Arrays of two or more dimensions with an access that runs down a column (an index before the last varies
 * with threadIdx.x) on a line whose counters show bank conflicts. The worst such line is the evidence.
 */
export function conflictedArrays(
  input: RuleInput,
  kernel: CudaKernel,
  entry: RuleEntry,
): readonly ConflictedArray[] {
  const varies = variesWithThread(kernel.body, "x");
  return sharedArrays(kernel).flatMap((array) => {
    const bytes = scalarBytes(kernel.template.types.get(array.type) ?? array.type);
    if (array.sizes.length < 2 || bytes === undefined) return [];
    const down = array.accesses.filter((access) =>
      access.indices.slice(0, -1).some((index) => varies(index)),
    );
    const lines = down.map((access) => {
      const statement = enclosing(access.node, ["expression_statement", "declaration"]) ?? access.node;
      return { line: lineOf(access.node), counts: countsOf(input, statement) };
    });
    const [worst] = lines.sort(
      (a, b) =>
        wasteOf(b.counts.sharedWavefronts, b.counts.sharedWavefrontsIdeal) -
        wasteOf(a.counts.sharedWavefronts, a.counts.sharedWavefrontsIdeal),
    );
    if (
      worst === undefined ||
      wasteOf(worst.counts.sharedWavefronts, worst.counts.sharedWavefrontsIdeal) < threshold(entry, "ratio")
    )
      return [];
    const [value, ideal] = [worst.counts.sharedWavefronts, worst.counts.sharedWavefrontsIdeal];
    const facts = { file: input.file, line: worst.line, counter: "sharedWavefronts" as const, value, ideal };
    const evidence = evidenceFor(entry, facts, { array: array.name });
    return [
      {
        array,
        bytes,
        evidence,
        gain: gainOn(input, ["shared"], shareSaved(value - ideal, input.counters.totals.sharedWavefronts)),
      },
    ];
  });
}
