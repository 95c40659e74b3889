import type { JsonObject } from "../base/json";
import type { Outcome } from "../base/outcome";
import type { SeenCall } from "../workload/capture/recorded-call";
import type { SourceTree } from "../judge/candidate";
import type { Target } from "../timing/target";

/** A kernel whose host code is in Python. */
export interface EntryProbeRequest {
  /** Workspace-relative file of the kernel. */
  readonly file: string;
  /** The file and what it imports. */
  readonly tree: SourceTree;
  readonly kernel: string;
  /** Parameters of the kernel that are pointers. */
  readonly pointers: readonly string[];
  /** All its parameters, in their order. */
  readonly parameters: readonly string[];
  /** A call that a program made of it; no other is looked for then, other sizes of this one are. */
  readonly recorded?: SeenCall;
  /** What comments of the file say of sizes, by their names in small letters. */
  readonly stated: Readonly<Record<string, number>>;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/**
 * Finds out how the host code of a kernel is called, by calling it. The value holds `call` (an expression for
 * an entry), `inputs`, `outputs`, `shapes` and `origins` in the form of a spec file, not yet checked, and
 * `unknowns`. The problem is a sentence. Throws `cancelled`, `tool-missing` and `walls-missing`.
 */
export interface EntryProbe {
  probe(request: EntryProbeRequest): Promise<Outcome<JsonObject, string>>;
}
