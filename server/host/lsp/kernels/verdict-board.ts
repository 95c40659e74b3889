import type { Verdict } from "../../../core/judge/verdict";
import type { KernelParams } from "../../../protocol/requests";

/** What the last check of a kernel said. */
export interface KernelVerdict {
  readonly verdict: Verdict;
  /** A failure that rests on guesses. */
  readonly isGuess: boolean;
  /** Of the file's text that was checked. */
  readonly digest: string;
}

/** The last verdict on each kernel since the server started. */
export class VerdictBoard {
  private readonly verdicts = new Map<string, KernelVerdict>();

  constructor(private readonly changed: (kernel: KernelParams) => void) {}

  put(kernel: KernelParams, verdict: KernelVerdict): void {
    this.verdicts.set(keyOf(kernel), verdict);
    this.changed(kernel);
  }

  get(kernel: KernelParams): KernelVerdict | undefined {
    return this.verdicts.get(keyOf(kernel));
  }
}

function keyOf({ uri, kernel }: KernelParams): string {
  return JSON.stringify([uri, kernel]);
}
