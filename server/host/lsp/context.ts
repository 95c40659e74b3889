import type { Connection } from "vscode-languageserver";
import { OperationalError } from "../../core/base/operational-error";
import { type Target, parseTarget } from "../../core/timing/target";
import { defaultSettings, type Settings } from "../../protocol/settings";
import type { CompileWatch } from "./handlers/language/compile-watch";
import type { DiagnosticBoard } from "./diagnostics";
import type { DocumentStore } from "./documents";
import type { KernelBoard } from "./kernels/kernel-board";
import type { CountedKernel } from "./handlers/code/performance/counted-kernel";
import type { CountedLines } from "./handlers/code/counted-lines";
import type { LintWatch } from "./handlers/language/lint-watch";
import type { ReviewBoard } from "./sessions/review-board";
import type { SessionBoard } from "./sessions/session-board";
import type { SpecIndex } from "./spec-index";
import type { Workspaces } from "./workspaces";

/** What the client told us, and may tell us anew. */
interface ClientState {
  trusted: boolean;
  settings: Settings;
  /** Of folders of a workspace of several, by their paths. */
  folderSettings: ReadonlyMap<string, Settings>;
  /** Our own extension: it draws line facts itself and answers requests for the model key. */
  ownClient: boolean;
  refreshesLenses: boolean;
  watchesFolders: boolean;
}

export function initialClientState(): ClientState {
  return {
    trusted: false,
    settings: defaultSettings,
    folderSettings: new Map(),
    ownClient: false,
    refreshesLenses: false,
    watchesFolders: false,
  };
}

/** Everything that handlers work with. */
export interface ServerContext {
  readonly connection: Connection;
  readonly client: ClientState;
  readonly documents: DocumentStore;
  readonly workspaces: Workspaces;
  readonly compiles: CompileWatch;
  readonly lints: LintWatch;
  readonly sessions: SessionBoard;
  readonly specs: SpecIndex;
  readonly kernels: KernelBoard;
  readonly diagnostics: DiagnosticBoard;
  /** Counters of the last check or profile of a document, with the digest of the text they belong to. */
  readonly lineCounters: Map<string, CountedLines>;
  /** What kernels were counted to do, for pictures; by document, kernel, shape and target. */
  readonly counted: Map<string, CountedKernel>;
  readonly reviewBoard: ReviewBoard;
  /** What sessions of this run of the server have to offer for a kernel, by `reviewKey`. */
  readonly reviews: Map<string, Offer>;
  /** Asks the client to ask for lenses again. */
  refreshLenses(): void;
  /** Lets a task run on its own; a failure is logged, never thrown into the void. */
  background(what: string, task: Promise<unknown>): void;
  /**
   * Reads a session and tells the client of it once all before it are told, whoever asks: a client must never
   * see an older state of a session after a newer one.
   */
  inTurn<Value>(task: () => Promise<Value>): Promise<Value>;
}

/** A better version of a kernel that a session has found. */
export interface Offer {
  readonly sessionId: string;
  /** While the session runs, of the best so far (`5.39 µs, −78%`); left out once it has its proposal. */
  readonly figure?: string;
  /** The client shows the proposal in the file: a lens that asks for that would do nothing. */
  readonly isShown?: true;
}

/** Refuses what would run code of the workspace while the user has not said that it may. */
export function requireTrust(client: ClientState, what: string): void {
  if (client.trusted) return;
  throw new OperationalError("workspace-untrusted", {
    forUser: `${what} runs code of this workspace, and the workspace is not trusted. Trust it first (in VS Code: “Workspaces: Manage Workspace Trust”).`,
  });
}

/** One kernel of one document. */
export function reviewKey(uri: string, kernel: string): string {
  return `${kernel} in ${uri}`;
}

/** The settings that hold for a file: those of its folder, where it has its own. */
function settingsAt({ client, workspaces }: Settled, uri: string | undefined): Settings {
  const folder = uri === undefined ? undefined : workspaces.locate(uri)?.folder;
  return (folder === undefined ? undefined : client.folderSettings.get(folder)) ?? client.settings;
}

/** What says which settings hold where. */
type Settled = Pick<ServerContext, "client" | "workspaces">;

/** A target as the user wrote it, or the one of the settings for a file. Throws `target-unknown`. */
export function readTarget(context: Settled, uri: string | undefined, text?: string): Target {
  const parsed = parseTarget(text ?? settingsAt(context, uri).target);
  if (!parsed.ok) throw new OperationalError("target-unknown", { forUser: parsed.problem });
  return parsed.value;
}
