import { expect, test } from "vitest";
import type { SessionLog } from "../../../server/core/ports/run-store";
import type { FileRunStore } from "../../../server/host/storage/run-store";
import { type LineCounters, noCounters, sumCounters } from "../../../server/core/timing/counters";
import type { CorrectVerdict } from "../../../server/core/judge/verdict";
import { collectGarbage } from "../../harness/collect-garbage";
import { bound } from "../../core/trajectory/event-fixtures";
import { openStore, startEvent, withStore } from "./session-fixtures";

const candidates = 200;
/** A page of counters, as of a kernel of 60 lines. */
const lines: readonly LineCounters[] = Array.from({ length: 60 }, (_, index) => ({
  ...noCounters(),
  file: "k.cu",
  line: index + 1,
  instructions: 1000 + index,
}));

function verdictOf(nanoseconds: number): CorrectVerdict {
  return {
    kind: "correct",
    tier: "full",
    cases: [],
    facts: [],
    counters: { origin: "virtual-gpu", lines, totals: sumCounters(lines) },
    bound: bound(nanoseconds),
    evidence: { sourceDigest: "", target: "vgpu:sm_80", specDigest: "", sizes: {} },
  };
}

async function writeCandidates(log: SessionLog): Promise<void> {
  let parent = await log.snapshot({ "k.cu": "// the baseline\n" }, null);
  await log.append(startEvent(parent));
  for (let number = 1; number <= candidates; number++) {
    const tree = await log.snapshot(
      { "k.cu": `// version ${number}\n${"// of some length\n".repeat(100)}` },
      parent,
    );
    const candidate = `c${number}`;
    const data = { candidate, parent: "baseline", tree, hypothesis: `idea ${number}`, strategy: "refine:m" };
    await log.append({ type: "candidate.created", actor: { kind: "agent" }, data });
    const staged = { candidate, stage: "correct", accepted: false, reason: "slower" } as const;
    const verdict = verdictOf(3000 + number);
    await log.append({ type: "candidate.staged", actor: { kind: "engine" }, data: { ...staged, verdict } });
    parent = tree;
  }
}

/** Bytes that stay in memory for each candidate while the session can be asked of. */
async function keptBy(work: () => Promise<unknown>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const held = await work();
  collectGarbage();
  const bytes = process.memoryUsage().heapUsed - before;
  return held === undefined ? 0 : bytes / candidates;
}

/** What a user asks of an old candidate. */
async function askedOf(store: FileRunStore, sessionId: string): Promise<readonly unknown[]> {
  const { state, logged } = await store.read(sessionId);
  const old = state.candidates[2];
  const judged = await logged.at(old?.judgedAt ?? 0);
  const files = await store.loadTree(sessionId, old?.tree ?? "");
  return [
    judged?.type === "candidate.staged" && judged.data.verdict,
    files["k.cu"]?.split("\n")[0],
    (await logged.all()).length - logged.count,
  ];
}

test("of each candidate a list is kept, by its writer and by its readers, and all can be asked of", () =>
  withStore(async (store, root) => {
    const log = await store.create();
    // The parser and the disk have made what they keep.
    await log.snapshot({ "k.cu": "// warm\n" }, null);
    const written = await keptBy(async () => {
      await writeCandidates(log);
      return log;
    });
    const reader = openStore(root);
    const read = await keptBy(() => reader.read(log.sessionId));
    // A verdict alone takes 40 kB in memory, a version's file 2 kB.
    expect(Math.max(written, read)).toBeLessThan(8000);
    const expected = [verdictOf(3003), "// version 3", 0];
    expect(await askedOf(store, log.sessionId)).toEqual(expected);
    expect(await askedOf(reader, log.sessionId)).toEqual(expected);
    await log.close();
  }));
