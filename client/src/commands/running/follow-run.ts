import type { Parts } from "../command";

/** Brings a run that the user has just begun into the run tree and into view. */
export async function followRun(parts: Parts, sessionId: string): Promise<void> {
  if (!parts.sessions.isFollowed(sessionId))
    parts.sessions.follow(await parts.connection.request("kernelwright/session", { sessionId }));
  await parts.runs.show(sessionId);
}
