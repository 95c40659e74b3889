import fc from "fast-check";
import { known } from "../../../server/core/base/known";
import { blobsOf } from "../../../server/core/trajectory/blobs";
import { chainStart } from "../../../server/core/trajectory/chain";
import type { EventData, NewEvent, SessionEvent, StoredText } from "../../../server/core/trajectory/events";
import { readEvent } from "../../../server/core/trajectory/read-event";
import { sha256, task, counters, bound, correct, wrong } from "./event-fixtures";
import { type Move, moveArbitrary } from "./event-moves";

/** A session as a writer makes it, with the contents of its blobs. */
export interface Stream {
  readonly events: readonly NewEvent[];
  readonly blobs: ReadonlyMap<string, string>;
}

/** Makes valid streams out of arbitrary choices: whatever is drawn, every reference resolves. */
class StreamMaker {
  readonly events: NewEvent[] = [];
  readonly blobs = new Map<string, string>();
  private readonly messages: string[] = [];
  private readonly candidates: string[] = [];
  private count = 0;

  next(prefix: string): string {
    return `${prefix}${++this.count}`;
  }

  emit(event: NewEvent): void {
    this.events.push(event);
  }

  text(text: string, asBlob: boolean): StoredText {
    if (!asBlob) return text;
    // As the store does it: what is hashed is the UTF-8 form, in which a lone surrogate is replaced.
    const wellFormed = new TextDecoder().decode(new TextEncoder().encode(text));
    const hex = sha256(wellFormed);
    this.blobs.set(hex, wellFormed);
    return {
      $blob: `sha256:${hex}`,
      bytes: new TextEncoder().encode(wellFormed).length,
      media_type: "text/plain",
      preview: wellFormed.slice(0, 20),
    };
  }

  start(): void {
    this.snapshot("tree0", null);
    this.emit({
      type: "session.started",
      actor: { kind: "engine" },
      data: {
        format_version: "1.0",
        product: { name: "kernelwright", version: "1.2.3" },
        workspace: "w",
        task,
        baseline_tree: "tree0",
        seed: "5eed",
      },
    });
  }

  snapshot(tree: string, parent: string | null): void {
    const content = `content of ${tree}\n`;
    this.blobs.set(sha256(content), content);
    this.emit({
      type: "tree.snapshot",
      actor: { kind: "engine" },
      data: { tree, parent, files: { [task.file]: { blob: sha256(content), mode: "100644", eol: "lf" } } },
    });
  }

  say(kind: "message.system" | "message.user" | "message.injected", text: StoredText): void {
    const message = this.next("m");
    this.messages.push(message);
    if (kind === "message.injected")
      this.emit({
        type: kind,
        actor: { kind: "engine" },
        data: { message, text, reason: "the budget is nearly used up" },
      });
    else this.emit({ type: kind, actor: { kind: "user" }, data: { message, text } });
  }

  ask(move: Extract<Move, { kind: "ask" }>): void {
    const request = this.next("r");
    this.emit({
      type: "llm.request",
      actor: { kind: "agent" },
      data: {
        request,
        provider: "p",
        model: "m",
        messages: [...this.messages],
        tools: ["read", "edit"],
        purpose: "act",
        max_output_tokens: 100,
      },
    });
    if (move.end === "lost") return;
    if (move.end === "failed") {
      this.emit({
        type: "llm.failed",
        actor: { kind: "agent" },
        data: { request, failure: "rate-limited", message: move.text, attempts: 3, cost_usd: move.cost },
      });
      return;
    }
    const message = this.next("m");
    const calls = move.calls.map((made) => ({ made, call: this.next("call") }));
    this.messages.push(message);
    this.emit({
      type: "llm.response",
      actor: { kind: "agent" },
      data: {
        request,
        message,
        text: this.text(move.text, move.asBlob),
        reasoning: move.cost === null ? null : "because",
        finish: "stop",
        tool_calls: calls.map(({ made, call }) => ({
          call,
          name: "edit",
          raw_arguments: made.broken ? "{oops" : '{"a":1}',
          arguments: made.broken ? null : { a: 1 },
        })),
        usage: {
          input_uncached: move.tokens,
          cache_read: move.tokens === null ? null : 7,
          cache_write: null,
          output: move.tokens,
          reasoning: 1,
        },
        cost: { usd: move.cost, source: "none" },
        attempts: 1,
        total_ms: 12,
      },
    });
    for (const { made, call } of calls) if (made.end !== "never-made") this.call(call, "model", made);
  }

  call(
    call: string,
    origin: "model" | "engine",
    made: { readonly end: string; readonly text: string; readonly candidate: boolean },
  ): void {
    this.emit({
      type: "tool.called",
      actor: { kind: "agent" },
      data: { call, name: "edit", arguments: { a: 1 }, effect: "exec", origin },
    });
    if (made.candidate) this.candidate({ kind: "candidate", end: "correct" });
    if (made.end === "lost") return;
    this.messages.push(call);
    this.emit({
      type: "tool.returned",
      actor: { kind: "engine" },
      data: { call, status: "ok", output: this.text(made.text, true), shown: made.text, duration_ms: 3 },
    });
  }

  candidate(move: Extract<Move, { kind: "candidate" }>): void {
    const candidate = this.next("c");
    const tree = this.next("tree");
    this.snapshot(tree, "tree0");
    this.emit({
      type: "candidate.created",
      actor: { kind: "engine" },
      data: {
        candidate,
        parent: this.candidates.at(-1) ?? null,
        tree,
        hypothesis: "padding *ends* `conflicts` | <b>",
        strategy: "rulebook:pad",
      },
    });
    this.candidates.push(candidate);
    const job = this.next("job");
    this.emit({ type: "job.queued", actor: { kind: "engine" }, data: { job, kind: "check", candidate } });
    if (move.end === "lost") return;
    this.emit({ type: "job.started", actor: { kind: "runner" }, data: { job } });
    this.emit({
      type: "job.finished",
      actor: { kind: "runner" },
      data: { job, status: "ok", duration_ms: 5 },
    });
    const good = move.end === "correct";
    this.emit({
      type: "candidate.staged",
      actor: { kind: "engine" },
      data: {
        candidate,
        stage: good ? "correct" : "launched",
        accepted: good,
        reason: "judged",
        verdict: good ? correct : wrong,
      },
    });
    if (good)
      this.emit({
        type: "candidate.selected",
        actor: { kind: "engine" },
        data: { candidate, reason: "fewest wavefronts" },
      });
  }

  note(what: string, text: string): void {
    const used = { usd: 0.5, minutes: 1, candidates: 1, modelCalls: 1 };
    const actor = { kind: "engine" } as const;
    if (what === "checkpoint")
      this.emit({
        type: "checkpoint.created",
        actor,
        data: { best: this.candidates.at(-1) ?? null, frontier: [], state: { text } },
      });
    if (what === "budget") this.emit({ type: "budget.updated", actor, data: { limits: task.budget, used } });
    if (what === "limit") this.emit({ type: "limit.reached", actor, data: { limit: "usd", used } });
    if (what === "loop") this.emit({ type: "loop.detected", actor, data: { pattern: text } });
    const candidate = this.candidates.at(-1);
    if (what === "rules" && candidate !== undefined) {
      const because = "limit" as const;
      const rules = [{ rule: "pad", title: "Pad", because, sentence: text, line: 3 }];
      this.emit({ type: "rules.held_back", actor, data: { candidate, rules } });
    }
    if (what === "environment") this.emit({ type: "env.captured", actor, data: { facts: { text } } });
    if (what === "unknown") this.emit({ type: "future.event", actor, data: { text } } as unknown as NewEvent);
    if (what === "resume") {
      this.end("cancelled");
      this.emit({ type: "session.resumed", actor, data: { from_seq: 1 } });
    }
  }

  /**
   * An end is only told when nothing is open, as the engine does it; else the stream ends as after a crash.
   */
  end(status: EventData["session.ended"]["status"]): void {
    const best = this.candidates.at(-1) ?? null;
    this.emit({
      type: "session.ended",
      actor: { kind: "engine" },
      data: { status, reason: "done", best, used: { usd: 0, minutes: 2, candidates: 1, modelCalls: 0 } },
    });
  }

  /** `mended`: the baseline was wrong. */
  propose(end: "proposed" | "mended"): void {
    const candidate = this.candidates.at(-1);
    if (candidate === undefined) return;
    const hunks = [
      { id: "h1", file: task.file, baseStart: 1, baseLines: ["content of tree0"], proposedLines: ["new"] },
    ];
    this.emit({
      type: "proposal.ready",
      actor: { kind: "engine" },
      data: {
        candidate,
        hunks,
        before:
          end === "mended"
            ? { outcome: "wrong", summary: "wrong on shape n=33: y[32]: expected 1, got 0" }
            : { counters: counters(8192), bound: bound(12_400) },
        after: { counters: counters(256), bound: bound(3100) },
      },
    });
    this.emit({
      type: "edit.hunk_decided",
      actor: { kind: "user" },
      data: { hunks: ["h1"], decision: "accepted", edits: [] },
    });
  }
}

function makeStream(moves: readonly Move[], end: "proposed" | "mended" | "ended" | "crashed"): Stream {
  const maker = new StreamMaker();
  maker.start();
  for (const move of moves) {
    if (move.kind === "say") maker.say(move.what, maker.text(move.text, move.asBlob));
    else if (move.kind === "ask") maker.ask(move);
    else if (move.kind === "engine-call") maker.call(maker.next("call"), "engine", move);
    else if (move.kind === "candidate") maker.candidate(move);
    else maker.note(move.what, move.text);
  }
  if (end === "proposed" || end === "mended") maker.propose(end);
  if (end !== "crashed") maker.end("succeeded");
  return { events: maker.events, blobs: maker.blobs };
}

/** Arbitrary sessions: crashes, failed model calls, lost tools, unknown events and all. */
export const streams: fc.Arbitrary<Stream> = fc
  .tuple(
    fc.array(moveArbitrary, { maxLength: 12 }),
    fc.constantFrom("proposed" as const, "mended" as const, "ended" as const, "crashed" as const),
  )
  .map(([moves, end]) => makeStream(moves, end));

/** One fixed session in which most things happen. */
export const exampleStream: Stream = makeStream(
  [
    { kind: "say", what: "message.system", text: "You optimize kernels.", asBlob: false },
    { kind: "say", what: "message.user", text: "Optimize it.", asBlob: true },
    {
      kind: "ask",
      end: "replied",
      text: "I pad the tile.",
      asBlob: false,
      cost: 0.25,
      tokens: 1000,
      calls: [
        { end: "returned", text: "done", candidate: true, broken: false },
        { end: "never-made", text: "", candidate: false, broken: true },
      ],
    },
    {
      kind: "ask",
      end: "failed",
      text: "too many requests",
      asBlob: false,
      cost: null,
      tokens: null,
      calls: [],
    },
    { kind: "engine-call", end: "returned", text: "read /home/alice/project/a.cu", candidate: false },
    { kind: "candidate", end: "wrong" },
    { kind: "note", what: "checkpoint", text: "x" },
    { kind: "candidate", end: "correct" },
  ],
  "proposed",
);

/** The lines as the store would write them, with a clock and ids that count. */
export function linesOf(events: readonly NewEvent[]): readonly string[] {
  let prev = chainStart;
  return events.map((event, index) => {
    const blobs = blobsOf(event.type, event.data);
    const ts = new Date(Date.UTC(2026, 0, 1) + index * 250).toISOString();
    const line = JSON.stringify({
      v: 1,
      seq: index + 1,
      id: `E${String(index + 1).padStart(25, "0")}`,
      ts,
      mono_us: index * 250_000,
      type: event.type,
      actor: event.actor,
      branch: "main",
      data: event.data,
      ...(blobs.length > 0 ? { blobs } : {}),
      prev,
    });
    prev = sha256(line);
    return line;
  });
}

export function eventsOf(stream: Stream): readonly SessionEvent[] {
  return linesOf(stream.events).map((line) => known(readEvent(JSON.parse(line)), "an envelope"));
}

export function bytesOf(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
}
