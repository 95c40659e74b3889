import { type Outcome, fail } from "../../../core/base/outcome";
import type { KernelFinding } from "../../../core/vgpu/index";
import type { DeviceStore } from "./device-store";
import { HeldLaunch } from "./held-launch";
import { FindingList, type ProgramFinding } from "./report";
import type { DeviceProblem } from "./statuses";

/** A finding about a launch or a call as a whole: it has no place in device code. */
type Unplaced = Pick<ProgramFinding, "kind" | "message" | "where"> & Partial<ProgramFinding>;

/**
 * The CUDA context of the program: whether a fault has broken it, and everything that the user is told in the
 * end.
 */
export class DeviceContext {
  /** The program's bugs, when it is sanitized. */
  readonly findings = new FindingList();
  /** Everything else that the user should know. */
  readonly problems = new FindingList();
  /** Work that waits for what the program asks next. */
  readonly held = new HeldLaunch();
  private broken: DeviceProblem | undefined;

  constructor(private readonly sanitizes: boolean) {}

  /** The fault that broke the context: every call is answered with it. */
  get problem(): DeviceProblem | undefined {
    return this.broken;
  }

  /**
   * Notes what the runtime has to say to the user about a place in host code. `limited`: a launch was skipped
   * there because the user wanted so.
   */
  tell(message: string, where: string, kind: "told" | "limited" = "told"): void {
    this.problems.add(placeless({ kind, message, where }));
  }

  /** Answers a launch that was not done. */
  refuseLaunch(problem: DeviceProblem, where: string): Outcome<never, DeviceProblem> {
    const finding = placeless({
      kind: "invalid-launch",
      message: `invalid launch: ${problem.message}`,
      where,
    });
    (this.sanitizes ? this.findings : this.problems).add(finding);
    return fail(problem);
  }

  /** An unsupported module is our limitation, not a bug in the user's program. */
  refuseModule(problem: DeviceProblem): Outcome<never, DeviceProblem> {
    const message = `the virtual GPU cannot run the program's kernels: ${problem.message}`;
    this.problems.add(placeless({ kind: "refused", message, where: "" }));
    return fail(problem);
  }

  /** Every request from here on fails with this, until a reset. */
  breakWith(status: number, about: Unplaced): void {
    const finding = placeless(about);
    this.broken = { status, message: placed(finding) };
    // An unsupported kernel is our limitation, not a bug in the user's program.
    (this.sanitizes && finding.kind !== "refused" ? this.findings : this.problems).add(finding);
  }

  mend(): void {
    this.broken = undefined;
  }
}

/** Trouble without a place in device code. */
export function placeless(finding: Unplaced): ProgramFinding {
  return { file: "", line: 0, count: 1, ...finding };
}

/** What the program is told of trouble in device code: with its place, when there is one. */
export function placed({ message, file, line }: Pick<ProgramFinding, "message" | "file" | "line">): string {
  return file === "" ? message : `${file}:${line}: ${message}`;
}

/**
 * A finding of a launch as the report shows it: with the places where the program made and freed the memory.
 */
export function reported(finding: KernelFinding, where: string, store: DeviceStore): ProgramFinding {
  const { kind, count, file = "", line = 0, allocation } = finding;
  const origin = allocation === undefined ? undefined : store.originOf(allocation);
  const other = otherParty(finding, origin?.freedAt);
  return {
    kind,
    // Launches count for themselves; ours is the count of all of them.
    message: finding.message.replace(new RegExp(`; ${count} times$`), ""),
    file,
    line,
    where,
    count,
    ...(allocation === undefined ? {} : { allocation: { name: allocation, where: origin?.where ?? "" } }),
    ...(other === undefined ? {} : { other }),
  };
}

function otherParty(
  { kind, other }: KernelFinding,
  freedAt: string | undefined,
): ProgramFinding["other"] | undefined {
  if (kind === "use-after-free" && freedAt !== undefined)
    return { what: "freed", file: "", line: 0, where: freedAt };
  return other && { what: `other ${other.access}`, file: other.file ?? "", line: other.line ?? 0, where: "" };
}
