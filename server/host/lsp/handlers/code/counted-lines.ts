import type { LineRewrite } from "../../../../core/words/rule-text";
import type { LineCounters } from "../../../../core/timing/counters";
import type { Target } from "../../../../core/timing/target";
import type { KernelProfile } from "../../../../core/words/profile";

/** What was counted last of the lines of a document. */
export interface CountedLines {
  /** Of the text that was counted. */
  readonly digest: string;
  readonly lines: readonly LineCounters[];
  /** Kernels that were counted, as their source names them. */
  readonly kernels: readonly string[];
  /** What rules would write anew of the kernel that was judged. */
  readonly rewrites?: { readonly kernel: string; readonly of: readonly LineRewrite[] };
  /** The launches that ran lines of the document, to be handed on to other tools. */
  readonly profiles: readonly KernelProfile[];
  readonly target: Target;
}
