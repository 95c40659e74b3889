import type { LogOutputChannel } from "vscode";
import type { ReportDocuments } from "../documents/report-documents";
import type { LineFacts } from "../facts/line-facts";
import type { MachineCodeDocuments } from "../machine-code/machine-code-documents";
import type { KernelStore } from "../kernels/kernel-store";
import type { Decider } from "../review/decider";
import type { ReviewDesk } from "../review/review-desk";
import type { ReviewStore } from "../review/review-store";
import type { ServerConnection } from "../server/connection";
import type { ModelKey } from "../server/model-key";
import type { SessionFeed } from "../sessions/session-feed";
import type { SessionStore } from "../sessions/session-store";
import type { RunTree } from "../views/run-tree";
import type { TrajectoryEditor } from "../trajectory/trajectory-editor";
import type { SessionTree } from "../views/session-tree";
import type { Tasks } from "./tasks";

/** What commands work with. */
export interface Parts {
  readonly connection: ServerConnection;
  readonly modelKey: ModelKey;
  readonly sessions: SessionStore;
  readonly feed: SessionFeed;
  readonly runs: RunTree;
  readonly reviews: ReviewStore;
  readonly desk: ReviewDesk;
  readonly decider: Decider;
  readonly facts: LineFacts;
  readonly reports: ReportDocuments;
  readonly machineCode: MachineCodeDocuments;
  readonly trajectories: TrajectoryEditor;
  readonly kernels: KernelStore;
  readonly sessionTree: SessionTree;
  readonly tasks: Tasks;
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
