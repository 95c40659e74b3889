import type { SessionRecord } from "../../../server/core/ports/run-store";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Annotations } from "../../../server/core/ports/run-store";
import type { EventData, NewEvent, SessionTask, SessionEvent } from "../../../server/core/trajectory/events";
import { FileRunStore } from "../../../server/host/storage/run-store";
import { Redactor } from "../../../server/core/trajectory/redact";
import { SessionFolders } from "../../../server/host/storage/session-shelf";
import type { SegmentDisk } from "../../../server/host/storage/session/segment-disk";
import { systemClock } from "../../../server/host/system/clock";
import { systemIdentity } from "../../../server/host/system/identity";

const exampleTask: SessionTask = {
  specPath: "samples/transpose.kernel.json",
  specText: "{}",
  file: "samples/transpose.cu",
  kernel: "transpose",
  target: "vgpu:sm_80",
  strategy: "rulebook",
  budget: { usd: 0, minutes: 10, candidates: 8 },
};

export function startEvent(baselineTree: string): NewEvent {
  return {
    type: "session.started",
    actor: { kind: "engine" },
    data: {
      format_version: "1.0",
      product: { name: "kernelwright", version: "0.0.0" },
      workspace: "0".repeat(64),
      task: exampleTask,
      baseline_tree: baselineTree,
      seed: "5eed",
    },
  };
}

export const endEvent: NewEvent = {
  type: "session.ended",
  actor: { kind: "engine" },
  data: {
    status: "no_gain",
    reason: "no rule applied",
    best: null,
    used: { usd: 0, minutes: 0, candidates: 0, modelCalls: 0 },
  },
};

export function decidedEvent(
  hunks: readonly string[],
  decision: EventData["edit.hunk_decided"]["decision"],
): NewEvent {
  return { type: "edit.hunk_decided", actor: { kind: "user" }, data: { hunks, decision, edits: [] } };
}

export function openStore(root: string, disk?: SegmentDisk): FileRunStore {
  return new FileRunStore({
    root,
    productVersion: "0.0.0",
    clock: systemClock,
    identity: systemIdentity,
    ...(disk === undefined ? {} : { disk }),
  });
}

/** A session as it is, with all of its events. */
export async function readWhole(
  store: FileRunStore,
  sessionId: string,
): Promise<SessionRecord & { readonly events: readonly SessionEvent[] }> {
  const record = await store.read(sessionId);
  return { ...record, events: await record.logged.all() };
}

/** The folders of the same sessions. */
export function openShelf(root: string): SessionFolders {
  const redactor = new Redactor();
  return new SessionFolders({ root, clock: systemClock, identity: systemIdentity, redactor });
}

/** Runs `body` with a store in a folder of its own that is removed afterwards. */
export async function withStore(body: (store: FileRunStore, root: string) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "kernelwright-sessions-"));
  try {
    await body(openStore(root), root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** No session has labels. */
export const unlabelled: Annotations = {
  of: () => Promise.resolve([]),
  put: () => Promise.reject(new Error("nothing is labelled here")),
};
