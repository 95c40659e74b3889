import type { WorkspaceKernelView } from "../../../server/protocol/views";

/** A number to compare by, then what is known, then where: a narrow view cuts the end. */
export function kernelDescription(kernel: WorkspaceKernelView): string {
  const { share, time, session, verdict, file } = kernel;
  const figure = session?.figure ?? null;
  const known = [
    ...(share === null ? [] : [`${Math.round(share.fraction * 100)} % of ${share.program}`]),
    ...(time === null ? [] : [time.text]),
    ...(verdict === null ? [] : [verdictWord(verdict)]),
    ...(figure === null ? [] : [`best ${figure}`]),
  ];
  return [...known, `${file}:${kernel.line + 1}`].join(" · ");
}

/** One word for the last check. */
export function verdictWord({
  passed,
  isGuess,
  isStale,
}: NonNullable<WorkspaceKernelView["verdict"]>): string {
  if (isGuess) return "not set up";
  const word = passed ? "correct" : "failed";
  return isStale ? `was ${word}` : word;
}

interface KernelLook {
  readonly icon: string;
  /** Id of a theme colour. */
  readonly color?: string;
}

/** The editor's own icons of tests; a verdict on another text than the present one is no verdict on it. */
export function kernelLook({ verdict, session }: WorkspaceKernelView): KernelLook {
  if (session?.status === "running") return { icon: "sync~spin" };
  if (verdict === null || verdict.isStale) return { icon: "symbol-event" };
  if (verdict.isGuess) return { icon: "question" };
  return verdict.passed
    ? { icon: "pass", color: "testing.iconPassed" }
    : { icon: "error", color: "testing.iconFailed" };
}
