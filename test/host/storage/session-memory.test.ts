import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { computeHunks } from "../../../server/core/review/compute-hunks";
import { reduceSession } from "../../../server/core/trajectory/reduce";
import { createSessionService } from "../../../server/host/services/session-service";
import type { SessionService } from "../../../server/host/services/services";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import type { FileRunStore } from "../../../server/host/storage/run-store";
import { type SegmentDisk, segmentDisk } from "../../../server/host/storage/session/segment-disk";
import { bound, counters } from "../../core/trajectory/event-fixtures";
import {
  decidedEvent,
  endEvent,
  openShelf,
  openStore,
  startEvent,
  unlabelled,
  readWhole,
} from "./session-fixtures";

/** Counts the segments that are read whole. */
class CountingDisk implements SegmentDisk {
  segments = 0;
  parts = 0;

  read(path: string): Promise<Uint8Array> {
    this.segments += 1;
    return segmentDisk.read(path);
  }

  readPart(path: string, from: number, to: number): Promise<Uint8Array> {
    this.parts += 1;
    return segmentDisk.readPart(path, from, to);
  }
}

const workspace = "0".repeat(64);
const base = { "k.cu": "a\nb\nc\nd\ne\n" };
const proposed = { "k.cu": "A\nb\nc\nd\nE\n" };

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "kernelwright-sessions-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A session that has ended with a proposal of two hunks, written by another process. */
async function endedSession(): Promise<string> {
  const log = await openStore(root).create();
  const tree = await log.snapshot(base, null);
  await log.append(startEvent(tree));
  const best = await log.snapshot(proposed, tree);
  await log.append({
    type: "candidate.created",
    actor: { kind: "agent" },
    data: { candidate: "c1", parent: "baseline", tree: best, hypothesis: "h", strategy: "rulebook:r" },
  });
  const side = { counters: counters(256), bound: bound(3100) };
  await log.append({
    type: "proposal.ready",
    actor: { kind: "engine" },
    data: {
      candidate: "c1",
      hunks: computeHunks({ file: "k.cu", base: base["k.cu"], proposed: proposed["k.cu"] }),
      before: side,
      after: side,
    },
  });
  await log.append(endEvent);
  await log.close();
  return log.sessionId;
}

function serviceOver(store: FileRunStore): SessionService {
  return createSessionService({
    store,
    workspaceDigest: workspace,
    annotations: unlabelled,
    shelf: openShelf(root),
    export: () => Promise.reject(new Error("nothing is exported here")),
  });
}

/**
 * What one decision in the editor asks of the services: the session, its place, the record, the view anew.
 */
async function decideAsTheEditorDoes(
  sessions: SessionService,
  sessionId: string,
  hunk: string,
): Promise<void> {
  await sessions.read(sessionId);
  await sessions.summary(sessionId);
  await sessions.decide(sessionId, { hunks: [hunk], decision: "accepted", edits: [] });
  await sessions.read(sessionId);
  await sessions.proposalTexts(sessionId);
}

describe("a session in memory", () => {
  it("is read once, however often it is reviewed and decided on", async () => {
    const sessionId = await endedSession();
    const disk = new CountingDisk();
    const sessions = serviceOver(openStore(root, disk));
    expect(await sessions.proposalTexts(sessionId)).toEqual([
      { file: "k.cu", base: base["k.cu"], proposed: proposed["k.cu"] },
    ]);
    expect(disk.segments).toBe(1);
    for (const hunk of ["k.cu:1", "k.cu:5"]) await decideAsTheEditorDoes(sessions, sessionId, hunk);
    expect(disk.segments).toBe(1);
    const { logged, state, damaged } = await sessions.read(sessionId);
    const events = await logged.all();
    expect(state.proposal?.hunks.map((hunk) => hunk.decision)).toEqual(["accepted", "accepted"]);
    const fresh = await readWhole(openStore(root), sessionId);
    expect({ events, state, damaged }).toEqual({
      events: fresh.events,
      state: reduceSession(fresh.events),
      damaged: undefined,
    });
  });

  it("is not read at all when it was begun here", async () => {
    const disk = new CountingDisk();
    const store = openStore(root, disk);
    const log = await store.create();
    await log.append(startEvent("t"));
    expect((await store.read(log.sessionId)).state.task?.kernel).toBe("transpose");
    await log.append(endEvent);
    await log.close();
    await store.append(log.sessionId, decidedEvent([], "rejected"));
    expect((await readWhole(store, log.sessionId)).events.map((event) => event.type)).toEqual([
      "session.started",
      "session.ended",
      "segment.opened",
      "edit.hunk_decided",
    ]);
    expect(disk.segments).toBe(0);
    expect(await store.summary(log.sessionId)).toMatchObject({ status: "no_gain", events: 4 });
  });

  it("is read again when another process has written to it", async () => {
    const sessionId = await endedSession();
    const disk = new CountingDisk();
    const store = openStore(root, disk);
    const before = (await store.read(sessionId)).logged.count;
    await openStore(root).append(sessionId, decidedEvent(["k.cu:1"], "rejected"));
    const { events, state } = await readWhole(store, sessionId);
    expect(events).toHaveLength(before + 2);
    expect(state.proposal?.hunks[0]?.decision).toBe("rejected");
    expect(disk.segments).toBe(1 + 2);
  });

  it("takes decisions that come at once, also while its log is being closed", async () => {
    const disk = new CountingDisk();
    const store = openStore(root, disk);
    const log = await store.create();
    await log.append(startEvent("t"));
    await log.append(endEvent);
    const closing = log.close();
    const hunks = ["h1", "h2", "h3"];
    await Promise.all([
      closing,
      ...hunks.map((hunk) => store.append(log.sessionId, decidedEvent([hunk], "rejected"))),
      store.read(log.sessionId),
    ]);
    const { events, damaged } = await readWhole(openStore(root), log.sessionId);
    expect(damaged).toBeUndefined();
    const decided = events.flatMap((event) => (event.type === "edit.hunk_decided" ? event.data.hunks : []));
    expect(decided).toEqual(hunks);
    expect(disk.segments).toBe(0);
  });

  it("is read once by those who go through it", async () => {
    const sessionId = await endedSession();
    const disk = new CountingDisk();
    const { logged } = await openStore(root, disk).read(sessionId, true);
    const seen: SessionEvent[] = [];
    for await (const { events } of logged.pagesAfter(0)) seen.push(...events);
    expect(seen).toEqual((await readWhole(openStore(root), sessionId)).events);
    expect({ segments: disk.segments, parts: disk.parts }).toEqual({ segments: 1, parts: 0 });
  });

  it("is read once by those who ask at the same time", async () => {
    const sessionId = await endedSession();
    const disk = new CountingDisk();
    const store = openStore(root, disk);
    const records = await Promise.all([1, 2, 3].map(() => store.read(sessionId)));
    expect(disk.segments).toBe(1);
    expect(records[2]?.state).toEqual(records[0]?.state);
  });
});
