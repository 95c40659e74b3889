import type { LogOutputChannel } from "vscode";
import type { FactsStore } from "../facts/facts-store";
import type { MachineCodeDocuments } from "../machine-code/machine-code-documents";
import type { KernelStore } from "../kernels/kernel-store";
import type { ServerConnection } from "../server/connection";
import type { ModelKey } from "../server/model-key";
import type { ProgramTerminals } from "../programs/program-terminals";
import type { LineTree } from "../views/line-tree";
import type { RunTree } from "../views/run-tree";
import type { PageParts } from "./page-parts";
import type { ReviewParts } from "./review/review-parts";
import type { SessionParts } from "./sessions/session-parts";
import type { Tasks } from "./tasks";

/** What commands work with. */
export interface Parts extends SessionParts, PageParts, ReviewParts {
  readonly connection: ServerConnection;
  readonly modelKey: ModelKey;
  readonly runs: RunTree;
  readonly facts: FactsStore;
  readonly lines: LineTree;
  readonly machineCode: MachineCodeDocuments;
  readonly kernels: KernelStore;
  readonly tasks: Tasks;
  readonly terminals: ProgramTerminals;
  readonly log: LogOutputChannel;
  /** From the extension's own manifest. */
  readonly version: string;
}

/**
 * One command of the manifest. `argument` is whatever a lens, a menu or a key binding passes: a value to be
 * checked.
 */
export interface Command {
  readonly id: `kernelwright.${string}`;
  /** True when it compiles or runs something of the workspace. */
  readonly runsCode?: boolean;
  run(parts: Parts, argument: unknown): Promise<void>;
}
