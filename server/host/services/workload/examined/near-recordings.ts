import { succeed } from "../../../../core/base/outcome";
import { isRecorded } from "../../../../core/workload/cases/recorded-inputs";
import type { KernelSpec } from "../../../../core/workload/spec";
import type { FoundWorkload, WorkloadFinder } from "../finders";
import { passingFor, type TellingMeans } from "./telling-inputs";

/** Shares by which values may differ from the recorded ones, the largest first. */
const shares = [0.1, 0.02, 0.002];

/**
 * Keeps other values near the recorded ones where a result is told from a trivial one only there: prices
 * behind a barrier, or densities below a threshold, give the same answer for all values far from them.
 */
export function withNearRecordings(finder: WorkloadFinder, means: TellingMeans): WorkloadFinder {
  return {
    looksFor: finder.looksFor,
    find: async (request) => {
      const found = await finder.find(request);
      if (!found.ok || !hasRecordedFloats(found.value.spec)) return found;
      const passing = await passingFor(means, request, found.value);
      if (passing === undefined || passing.length === 0) return found;
      for (const share of shares) {
        const near = within(found.value, share);
        if ((await passingFor(means, request, near))?.length === 0) return succeed(near);
      }
      return found;
    },
  };
}

function hasRecordedFloats({ inputs }: KernelSpec): boolean {
  return Object.values(inputs).some((input) => isRecorded(input.distribution) && /float/.test(input.dtype));
}

function within(found: FoundWorkload, share: number): FoundWorkload {
  const { spec, unknowns } = found;
  const distribution = { kind: "recorded", within: share } as const;
  const inputs = Object.entries(spec.inputs).map(
    ([name, input]) => [name, isRecorded(input.distribution) ? { ...input, distribution } : input] as const,
  );
  const sentence = `other values than the recorded ones are taken to lie within ${100 * share} % of them: farther away the check would also pass for a constant.`;
  return {
    ...found,
    spec: { ...spec, inputs: Object.fromEntries(inputs) },
    unknowns: [...unknowns, { path: "inputs", sentence }],
  };
}
