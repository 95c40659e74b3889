import { t } from "../../webview/common/localized";
import type { WorkspaceKernelView } from "../../../server/protocol/views";

/** A number to compare by, then what is known, then where: a narrow view cuts the end. */
export function kernelDescription(kernel: WorkspaceKernelView): string {
  const { share, time, session, verdict, file } = kernel;
  const figure = session?.figure ?? null;
  const known = [
    ...(share === null ? [] : [t("{0}% of {1}", Math.round(share.fraction * 100), share.program)]),
    // Beside rows with simulated times: a bound is less than the kernel takes.
    ...(time === null ? [] : [time.kind === "bound" ? t("bound {0}", time.text) : time.text]),
    ...(verdict === null ? [] : [verdictWord(verdict)]),
    ...(figure === null ? [] : [t("best {0}", figure)]),
  ];
  return [...known, `${file}:${kernel.line + 1}`].join(" · ");
}

/** One word for the last check. */
export function verdictWord({
  passed,
  isGuess,
  isStale,
}: NonNullable<WorkspaceKernelView["verdict"]>): string {
  if (isGuess) return t("not set up");
  if (isStale) return passed ? t("was correct") : t("failed before");
  return passed ? t("correct") : t("failed");
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
