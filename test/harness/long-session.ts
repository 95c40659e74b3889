import type { SessionLog } from "../../server/core/ports/run-store";
import { FileRunStore } from "../../server/host/storage/run-store";
import { systemClock } from "../../server/host/system/clock";
import { systemIdentity } from "../../server/host/system/identity";

/** Appends calls of a tool with their results, one awaited event after the other. */
export async function appendToolCalls(log: SessionLog, events: number): Promise<void> {
  for (let index = 0; index < events; index += 2) {
    const call = `call${index}`;
    await log.append({
      type: "tool.called",
      actor: { kind: "agent" },
      data: {
        call,
        name: "read",
        arguments: { path: "samples/transpose.cu" },
        effect: "read",
        origin: "model",
      },
    });
    await log.append({
      type: "tool.returned",
      actor: { kind: "engine" },
      data: { call, status: "ok", output: "x".repeat(400), shown: "x".repeat(400), duration_ms: 1 },
    });
  }
}

/** The sessions below a root. */
export function sessionsBelow(root: string): FileRunStore {
  return new FileRunStore({
    root,
    productVersion: "0.0.0",
    clock: systemClock,
    identity: systemIdentity,
  });
}

/** Writes a session of so many events below a root; gives its name. */
export async function writeLongSession(root: string, events: number): Promise<string> {
  const log = await sessionsBelow(root).create();
  await appendToolCalls(log, events);
  await log.close();
  return log.sessionId;
}
