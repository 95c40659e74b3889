import { OperationalError } from "../../../core/base/operational-error";
import { type Past, type PastSession, pastSession } from "../../../core/agent/memory/past";
import { isCommandTarget } from "../../../core/trajectory/proposal/command-target";
import type { RunStore, SessionSummary } from "../../../core/ports/run-store";
import type { SessionTask } from "../../../core/trajectory/events";

/** As many earlier sessions are read at most: a log may hold hundreds of candidates. */
const sessionsAtMost = 4;

/**
 * Earlier sessions on the same kernel for the same target in this workspace, newest first. A log that cannot
 * be read is passed over: memory is a help, not a condition.
 */
export async function pastSessions(
  { store, workspaceDigest }: { readonly store: RunStore; readonly workspaceDigest: string },
  ownId: string,
  { task, baselineTree }: { readonly task: SessionTask; readonly baselineTree: string },
): Promise<Omit<Past, "skills">> {
  const isSame = (summary: SessionSummary): boolean =>
    summary.sessionId !== ownId &&
    summary.workspace === workspaceDigest &&
    // Which file of a target with a command comes first says nothing.
    (summary.file === task.file || isCommandTarget(task.target)) &&
    summary.kernel === task.kernel &&
    summary.target === task.target &&
    summary.candidates > 0 &&
    summary.status !== "running";
  const alike = (await store.list()).filter(isSame).map(({ sessionId }) => sessionId);
  // The session that this one goes on from is known whatever its target was.
  const first = task.from === undefined ? [] : [task.from.session];
  const chosen = [...new Set([...first, ...alike])].slice(0, sessionsAtMost);
  const sessions: PastSession[] = [];
  for (const sessionId of chosen) {
    const session = await readPast(store, sessionId, { task, baselineTree });
    if (session !== undefined) sessions.push(session);
  }
  return { sessions, filesOf: (sessionId, treeId) => store.loadTree(sessionId, treeId) };
}

async function readPast(
  store: RunStore,
  sessionId: string,
  { task, baselineTree }: Parameters<typeof pastSessions>[2],
): Promise<PastSession | undefined> {
  try {
    const { logged, state } = await store.read(sessionId);
    // Scores of other commands under the same name do not compare.
    if (isCommandTarget(task.target) && !isSameText(state.task?.specText, task.specText)) return undefined;
    return pastSession(sessionId, await logged.all(), baselineTree);
  } catch (thrown) {
    if (!(thrown instanceof OperationalError)) throw thrown;
    return undefined;
  }
}

/** Stored texts are the same where they are written alike: short ones whole, long ones by their digest. */
function isSameText(one: SessionTask["specText"] | undefined, other: SessionTask["specText"]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
