import { at } from "../../../core/base/known";
import type { Finding } from "../../../core/judge/verdict";
import type { ResolvedTensor } from "../evaluation/case-shapes";
import type { RunOutcome } from "../evaluation/kernel-runner";

type Ran = Extract<RunOutcome, { kind: "ran" }>;

interface Returned {
  readonly run: Ran;
  readonly outputs: readonly ResolvedTensor[];
  /** Runs the kernel as it was on the same case; gives nothing when it does not run. */
  readonly before: () => Promise<Ran | undefined>;
  /** The kernel's file, for the findings. */
  readonly file: string;
}

/**
 * Outputs that are returned with strides of their own, as a copy with exchanged axes is: whoever reads them
 * has the work left to do. Row after row is always right, and so is what the kernel as it was returns.
 */
export async function otherLayouts({ run, outputs, before, file }: Returned): Promise<readonly Finding[]> {
  const { strides = [] } = run;
  const isOdd = ({ shape }: ResolvedTensor, position: number): boolean =>
    strides[position] !== undefined && !areAlike(shape, strides[position], rowMajor(shape));
  if (!outputs.some(isOdd)) return [];
  const was = (await before())?.strides ?? [];
  return outputs.flatMap((output, position) => {
    const [now, original] = [strides[position], was[position]];
    if (now === undefined || original === undefined || !isOdd(output, position)) return [];
    if (areAlike(output.shape, now, original)) return [];
    const message = `the output ${output.name} is returned with the strides (${now.join(", ")}), that of the kernel as it was with (${original.join(", ")}): whoever reads it does the work that is left, and what takes it as it lies (view, a kernel that is given its address) reads other elements`;
    return [{ kind: "other-layout", file, line: 0, message }];
  });
}

/** Whether the same elements lie at the same places. */
function areAlike(shape: readonly number[], one: readonly number[], other: readonly number[]): boolean {
  return shape.includes(0) || shape.every((size, axis) => size === 1 || at(one, axis) === at(other, axis));
}

/** The strides of a tensor without gaps, its last axis first. */
export function rowMajor(shape: readonly number[]): readonly number[] {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1));
}
