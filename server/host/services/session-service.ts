import { OperationalError } from "../../core/base/operational-error";
import type { SourceTree } from "../../core/judge/candidate";
import type { Annotations, SessionShelf, SessionStore } from "../../core/ports/run-store";
import type { ProposedFile } from "../../core/review/hunk";
import type { CandidateRecord, SessionState } from "../../core/trajectory/reduce";
import { baselineId } from "../../core/trajectory/state";
import { makerOf } from "./recorded/maker-of";
import { wholeVerdict } from "./recorded/whole-verdict";
import type { SessionService } from "./services";
import type { FileMove } from "./sources/spec-moves";

/** Makes the text of one format from a session; the exporters of core/trajectory behind one shape. */
type SessionExporter = (
  sessionId: string,
  format: string,
) => Promise<{ readonly text: string; readonly fileName: string; readonly problems: readonly string[] }>;

interface SessionServiceOptions {
  readonly store: SessionStore;
  /** Digest that `session.started` carries for this workspace. */
  readonly workspaceDigest: string;
  readonly export: SessionExporter;
  readonly annotations: Annotations;
  readonly shelf: SessionShelf;
}

/** Refuses a session of another folder: its paths would mean other files here. */
export function requireWorkspace(
  sessionId: string,
  { workspace }: Pick<SessionState, "workspace">,
  workspaceDigest: string,
): void {
  if (workspace === "")
    throw new OperationalError("session-not-found", {
      forUser: `Session ${sessionId} holds nothing: its process ended before the first event was written. There is nothing to go on with; start a new one.`,
      remedy: "kernelwright optimize FILE",
    });
  if (workspace !== workspaceDigest) {
    throw new OperationalError("session-not-found", {
      forUser: `Session ${sessionId} was recorded in another workspace folder. Open that folder, then try again; it can be viewed and exported from here.`,
    });
  }
}

async function follow(
  { store, shelf, workspaceDigest }: SessionServiceOptions,
  moves: readonly FileMove[],
): Promise<number> {
  let followed = 0;
  for (const { sessionId, workspace, file } of await store.list()) {
    const now = workspace === workspaceDigest ? placeAfter(file, moves) : undefined;
    if (now === undefined) continue;
    await shelf.place(sessionId, now);
    followed += 1;
  }
  return followed;
}

/** Where a file is after moves of files and folders; undefined where none of them took it along. */
function placeAfter(file: string, moves: readonly FileMove[]): string | undefined {
  for (const { from, to } of moves) {
    if (file === from) return to;
    if (file.startsWith(`${from}/`)) return to + file.slice(from.length);
  }
  return undefined;
}

/** Both sides of a proposal. */
interface ProposalTrees {
  readonly base: SourceTree;
  readonly proposed: SourceTree;
}

/** Undefined while the session has no proposal. */
async function proposalTrees(
  store: SessionStore,
  sessionId: string,
  state: SessionState,
): Promise<ProposalTrees | undefined> {
  const best = state.candidates.find((candidate) => candidate.id === state.proposal?.candidate);
  if (!best || state.baselineTree === undefined) return undefined;
  return {
    base: await store.loadTree(sessionId, state.baselineTree),
    proposed: await store.loadTree(sessionId, best.tree),
  };
}

/** The files that differ. One that the proposal adds has no text on the base side. */
function changedTexts({ base, proposed }: ProposalTrees): readonly ProposedFile[] {
  return Object.entries(proposed)
    .filter(([file, text]) => text !== base[file])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, text]) => {
      const before = base[file];
      if (before === undefined) return { file, base: "", proposed: text, isNew: true };
      return { file, base: before, proposed: text };
    });
}

/** Throws `session-not-found` for a candidate that the session does not have. */
export function candidateOf(sessionId: string, state: SessionState, candidate: string): CandidateRecord {
  const found = state.candidates.find(({ id }) => id === candidate);
  if (found !== undefined) return found;
  throw new OperationalError("session-not-found", {
    forUser: `Session ${sessionId} has no candidate ${candidate}.`,
  });
}

/** Reading, deciding and exporting over the store of all sessions. */
export function createSessionService(options: SessionServiceOptions): SessionService {
  const { store } = options;
  return {
    list: () => store.list(),
    read: (sessionId, goesThrough) => store.read(sessionId, goesThrough),
    summary: (sessionId) => store.summary(sessionId),
    opening: (sessionId, most) => store.opening(sessionId, most),
    text: (stored) => store.loadText(stored),
    annotations: options.annotations,
    shelf: options.shelf,
    follow: (moves) => follow(options, moves),
    proposalTexts: async (sessionId) => {
      const { state } = await store.read(sessionId);
      requireWorkspace(sessionId, state, options.workspaceDigest);
      const trees = await proposalTrees(store, sessionId, state);
      return trees === undefined ? [] : changedTexts(trees);
    },
    candidateTexts: async (sessionId, candidate, against) => {
      const { state } = await store.read(sessionId);
      const { tree, parent } = candidateOf(sessionId, state, candidate);
      const proposed = await store.loadTree(sessionId, tree);
      if (against === "nothing") return changedTexts({ base: {}, proposed });
      const other = against === "parent" ? (parent ?? baselineId) : against;
      const before = other === baselineId ? undefined : candidateOf(sessionId, state, other);
      const base = await store.loadTree(sessionId, before?.tree ?? state.baselineTree ?? tree);
      return changedTexts({ base, proposed });
    },
    verdict: async (sessionId, candidate) => {
      const record = await store.read(sessionId);
      return wholeVerdict(record, candidateOf(sessionId, record.state, candidate));
    },
    decide: async (sessionId, decision) => {
      const { state } = await store.read(sessionId);
      requireWorkspace(sessionId, state, options.workspaceDigest);
      const known = new Set(state.proposal?.hunks.map((hunk) => hunk.id));
      const strange = decision.hunks.find((hunk) => !known.has(hunk));
      if (strange !== undefined)
        throw new OperationalError("usage", {
          forUser: `The proposal of session ${sessionId} has no hunk ${strange}: open the review again.`,
        });
      await store.append(sessionId, { type: "edit.hunk_decided", actor: { kind: "user" }, data: decision });
    },
    makerOf,
    export: options.export,
  };
}
