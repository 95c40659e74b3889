import type { LastContent } from "../../../core/ports/entry-programs";
import type { Capture } from "../../../core/workload/capture/captured";
import type { KernelProfile } from "../../../core/words/profile";
import { unnumberedMessage, unnumberedName } from "./allocation-names";

/** One cause of trouble, as plain data that can leave the device's thread. */
export interface ProgramFinding {
  readonly kind: string;
  readonly message: string;
  /** Place in device code; empty and 0 when it is not known. */
  readonly file: string;
  readonly line: number;
  /** Place in host code, as the protocol's `where`. */
  readonly where: string;
  readonly count: number;
  /** The allocation that it is about, and where the program made it. */
  readonly allocation?: { readonly name: string; readonly where: string };
  /** The other party of a race or of a use after free. */
  readonly other?: {
    readonly what: string;
    readonly file: string;
    readonly line: number;
    readonly where: string;
  };
}

/** What a device has seen when its program is over. */
export interface DeviceReport {
  /** What a sanitizer tells: empty unless the device sanitizes. */
  readonly findings: readonly ProgramFinding[];
  /** Launches that were not done, and the fault that broke the context. */
  readonly problems: readonly ProgramFinding[];
  readonly kernels: readonly KernelProfile[];
  readonly launches: number;
  /** Of a device that records. */
  readonly capture?: Capture;
  /** Of a device that watches allocations. */
  readonly lastContents?: readonly LastContent[];
  /** True when the program asked for times. */
  readonly timed: boolean;
}

/** Different causes that are kept; a program in a loop of errors must not fill the memory. */
const mostFindings = 1000;

/**
 * Collects findings, one for each cause, with the text of the first: the same kind on the same lines about
 * what was allocated on one line under one name, so that a loop over new tensors tells of its bug once.
 */
export class FindingList {
  private readonly causes = new Map<string, ProgramFinding>();

  add(finding: ProgramFinding): void {
    const { kind, file, line, where, allocation, message } = finding;
    const made = allocation ? [unnumberedName(allocation.name), allocation.where] : [];
    const key = JSON.stringify([kind, file, line, where, made, line === 0 ? unnumberedMessage(message) : ""]);
    const known = this.causes.get(key);
    if (known !== undefined) this.causes.set(key, { ...known, count: known.count + finding.count });
    else if (this.causes.size < mostFindings) this.causes.set(key, finding);
  }

  list(): readonly ProgramFinding[] {
    return [...this.causes.values()];
  }
}
