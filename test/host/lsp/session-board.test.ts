import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionEvent } from "../../../server/core/trajectory/events";
import { RunControl } from "../../../server/core/agent/steering/run-control";
import { SessionBoard } from "../../../server/host/lsp/sessions/session-board";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function candidateCreated(seq: number): SessionEvent {
  return {
    v: 1,
    seq,
    id: String(seq),
    ts: "2026-01-01T00:00:00.000Z",
    mono_us: seq,
    type: "candidate.created",
    actor: { kind: "engine" },
    branch: "main",
    prev: "0".repeat(64),
    data: {
      candidate: `c${seq}`,
      parent: "baseline",
      tree: "t",
      hypothesis: "h",
      strategy: "rulebook",
    },
  };
}

interface Begun {
  readonly board: SessionBoard;
  readonly told: string[];
  readonly said: string[];
  readonly words: string[];
  readonly utter: (delta: string) => void;
  readonly emit: (seq: number) => void;
  readonly finish: (error?: Error) => Promise<void>;
  readonly signal: AbortSignal;
}

async function begin(): Promise<Begun> {
  const told: string[] = [];
  const said: string[] = [];
  const words: string[] = [];
  const board = new SessionBoard({
    restMilliseconds: 100,
    says: (sessionId, text) => words.push(`${sessionId}: ${text}`),
    changed: (_, running) => told.push(`${running ? "running" : "ended"} ${emitted}`),
    ended: ({ uri }) => told.push(`closed ${uri}`),
    failed: (_, thrown) => told.push(`failed ${String(thrown)}`),
  });
  let emitted = 1;
  let emit: (event: SessionEvent) => void = () => undefined;
  let utter: (delta: string) => void = () => undefined;
  let signal = new AbortController().signal;
  let settle: (error?: Error) => void = () => undefined;
  const finished = new Promise<void>(
    (resolve, reject) => (settle = (error) => (error ? reject(error) : resolve())),
  );
  await board.begin("file:///k.cu", (link) => {
    emit = link.onEvent;
    utter = link.onWords;
    signal = link.signal;
    link.onEvent(candidateCreated(1));
    return Promise.resolve({
      sessionId: "s",
      say: (text: string) => Promise.resolve(void said.push(text)),
      control: new RunControl(),
      finished,
    });
  });
  return {
    board,
    told,
    said,
    words,
    utter: (delta) => utter(delta),
    emit: (seq) => {
      emitted = seq;
      emit(candidateCreated(seq));
    },
    signal,
    finish: async (error) => {
      settle(error);
      await board.close();
    },
  };
}

test("the first state is told at once, then at most one in a hundred milliseconds, and always the last", async () => {
  const session = await begin();
  expect(session.told).toEqual(["running 1"]);
  for (let seq = 2; seq < 50; seq += 1) session.emit(seq);
  expect(session.told).toEqual(["running 1"]);
  vi.advanceTimersByTime(100);
  expect(session.told).toEqual(["running 1", "running 49"]);
  vi.advanceTimersByTime(1000);
  expect(session.told).toEqual(["running 1", "running 49"]);
  session.emit(50);
  session.emit(51);
  await session.finish();
  expect(session.told).toEqual(["running 1", "running 49", "running 50", "ended 51", "closed file:///k.cu"]);
  expect(session.board.running).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(session.told.length).toBe(5);
});

test("cancel fires the session's signal; an unknown session is none", async () => {
  const session = await begin();
  expect(session.board.cancel("other")).toBe(false);
  expect([session.signal.aborted, session.board.isEnding("s")]).toEqual([false, false]);
  expect(session.board.cancel("s")).toBe(true);
  expect([session.signal.aborted, session.board.isEnding("s")]).toEqual([true, true]);
  await session.finish();
  expect(session.board.isEnding("s")).toBe(false);
});

test("who listens is told what was said, then the rest ten times a second at most, whole to the end", async () => {
  const session = await begin();
  session.utter("Pad ");
  vi.advanceTimersByTime(1000);
  expect(session.words).toEqual([]);
  expect(session.board.listen("other")).toBeUndefined();
  expect(session.board.listen("s")).toBe("\nCandidate 1 on the baseline: h\nPad ");
  for (const delta of ["the ", "tile", "."]) session.utter(delta);
  expect(session.words).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(session.words).toEqual(["s: the tile."]);
  session.utter("x".repeat(20_000));
  session.emit(2);
  await session.finish();
  expect(session.words.map((text) => text.length)).toEqual([12, 16_003, 4_035]);
  expect(session.words.at(-1)?.endsWith("xx\nCandidate 2 on the baseline: h\n")).toBe(true);
});

test("a message reaches the session that it is for", async () => {
  const session = await begin();
  expect([await session.board.say("other", "no fp16"), await session.board.say("s", "no fp16")]).toEqual([
    false,
    true,
  ]);
  expect(session.said).toEqual(["no fp16"]);
  await session.finish();
});

test("a session that fails is told and ended", async () => {
  const session = await begin();
  await session.finish(new Error("disk full"));
  expect(session.told).toEqual(["running 1", "failed Error: disk full", "ended 1", "closed file:///k.cu"]);
});

test("whoever asked for a session may give it up until it has begun, and then only by its name", async () => {
  const nothing = (): void => undefined;
  const board = new SessionBoard({
    restMilliseconds: 100,
    says: nothing,
    changed: nothing,
    ended: nothing,
    failed: nothing,
  });
  const signals: AbortSignal[] = [];
  const asked = new AbortController();
  const isGivenUp = board.begin(
    "file:///k.cu",
    ({ signal }) =>
      new Promise((_begun, reject) => {
        signals.push(signal);
        signal.addEventListener("abort", () => reject(new Error("given up")));
      }),
    asked.signal,
  );
  asked.abort();
  await expect(isGivenUp).rejects.toThrow("given up");
  const other = new AbortController();
  const start = ({ signal }: { readonly signal: AbortSignal }) => {
    signals.push(signal);
    const finished = new Promise<void>(nothing);
    return Promise.resolve({
      sessionId: "s",
      finished,
      control: new RunControl(),
      say: () => Promise.resolve(),
    });
  };
  await board.begin("file:///k.cu", start, other.signal);
  other.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(board.cancel("s")).toBe(true);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
