import type { CapturedProgram } from "../services";

/** Why no launch of a program is a workload of a kernel, as clauses; none where it launched nothing. */
export function whyUnusable(
  { launches, notes, workloads }: Pick<CapturedProgram, "launches" | "notes" | "workloads">,
  kernel: string,
): readonly string[] {
  const own = notes.filter((note) => new RegExp(`\\b${kernel}\\b`).test(note));
  if (own.length > 0) return own;
  const launched = [...new Set(workloads.map(({ found }) => found.spec.kernel))];
  if (launched.length > 0) return [`what it launches is ${launched.join(", ")}`];
  return notes.length > 0 || launches === 0 ? notes : ["what it launches is in no file of this folder"];
}
