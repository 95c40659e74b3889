import type { PathProblem } from "../located-json";
import type { Distribution, KernelSpec } from "../spec";

/** Whether an input holds what a program handed to the kernel. */
export function isRecorded(distribution: Distribution | undefined): boolean {
  return typeof distribution === "object" && distribution.kind === "recorded";
}

/** Shapes that do not say which recording an input has. */
export function recordingProblems({ inputs, shapes }: KernelSpec): readonly PathProblem[] {
  const names = Object.keys(inputs).filter((name) => isRecorded(inputs[name]?.distribution));
  return shapes.flatMap(({ recorded = {} }, index): readonly PathProblem[] => {
    const missing = names.filter((name) => !Object.hasOwn(recorded, name));
    if (missing.length === 0) return [];
    const message = `the recording of ${missing.join(", ")} is missing: under "recorded" the sha256 of the content of each input was expected whose distribution is "recorded". kernelwright capture PROGRAM writes it`;
    return [{ path: ["shapes", index], message }];
  });
}
