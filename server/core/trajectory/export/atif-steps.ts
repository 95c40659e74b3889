import type { JsonObject } from "../../base/json";
import type { SessionEvent } from "../events";
import type { AtifMetrics, AtifResult, AtifStep, AtifToolCall } from "./atif-types";
import type { ExportInput } from "./exporter";
import { textOf } from "./content";

/** A step while its results are still to come. */
interface StepDraft extends Omit<
  { -readonly [Key in keyof AtifStep]: AtifStep[Key] },
  "step_id" | "tool_calls" | "observation" | "extra"
> {
  readonly calls: AtifToolCall[];
  readonly results: AtifResult[];
  readonly notes: Record<string, unknown>;
}

/** A call that was made: where its result belongs, and what happened under it. */
interface OpenCall {
  readonly step: StepDraft;
  /** Unique in the document, also when a damaged log uses an id twice. */
  readonly id: string;
  readonly candidates: CandidateNotes[];
  called: boolean;
}

interface CandidateNotes {
  readonly candidate: string;
  readonly step: StepDraft | undefined;
  readonly facts: Record<string, unknown>;
  readonly stages: JsonObject[];
  readonly jobs: JsonObject[];
}

/** What a new step begins with. */
interface StepStart {
  readonly message: string;
  readonly notes?: Record<string, unknown>;
  /** Of a reply: absent on a step that no model was asked for. */
  readonly llm_call_count?: number;
  readonly model_name?: string;
  readonly reasoning_content?: string;
  readonly metrics?: AtifMetrics;
}

/** Collects steps in the order of the log and finds the step that a later event belongs to. */
export class StepCollector {
  readonly steps: StepDraft[] = [];
  readonly requests = new Map<string, { readonly model: string; readonly tools: readonly string[] }>();
  readonly jobs = new Map<string, { readonly kind: string; readonly candidate: string }>();
  /** How many events of each type could not be put into steps. */
  readonly passedOver = new Map<string, number>();
  private readonly open = new Map<string, OpenCall>();
  private readonly candidates = new Map<string, CandidateNotes>();
  private readonly usedIds = new Set<string>();
  private newestTime = "";

  constructor(private readonly input: ExportInput) {}

  passOver(type: string): void {
    this.passedOver.set(type, (this.passedOver.get(type) ?? 0) + 1);
  }

  text(stored: Parameters<ExportInput["loadText"]>[0]): Promise<string> {
    return textOf(this.input, stored);
  }

  /**
   * Adds a step. Wall clocks may go back; steps may not, so such a step takes the time of the one before it.
   */
  add(source: AtifStep["source"], event: SessionEvent, start: StepStart): StepDraft {
    const { notes = {}, message, ...fields } = start;
    const valid = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(event.ts) && !Number.isNaN(Date.parse(event.ts));
    if (valid && event.ts > this.newestTime) this.newestTime = event.ts;
    const clock = valid && event.ts !== this.newestTime ? { clock: event.ts } : {};
    const timestamp = this.newestTime === "" ? {} : { timestamp: this.newestTime };
    const step: StepDraft = {
      ...timestamp,
      source,
      message,
      ...fields,
      calls: [],
      results: [],
      notes: { event: event.seq, ...clock, ...notes },
    };
    this.steps.push(step);
    return step;
  }

  /** A call on a step, before its result. */
  addCall(
    step: StepDraft,
    call: {
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonObject;
      readonly extra?: JsonObject;
      readonly called: boolean;
    },
  ): void {
    let { id } = call;
    for (let copy = 2; this.usedIds.has(id); copy++) id = `${call.id}~${copy}`;
    this.usedIds.add(id);
    step.calls.push({
      tool_call_id: id,
      function_name: call.name,
      arguments: call.arguments,
      ...(call.extra ? { extra: call.extra } : {}),
    });
    this.open.set(call.id, { step, id, candidates: [], called: call.called });
  }

  /** True when a reply of the model announced the call and it has not been made yet. */
  begin(call: string): boolean {
    const open = this.open.get(call);
    if (!open || open.called) return false;
    open.called = true;
    return true;
  }

  /** The result of a call, on the step that made it; one that answers nothing becomes a step of its own. */
  addResult(
    call: string,
    event: SessionEvent,
    result: { readonly content: string; readonly extra: Record<string, unknown> },
  ): void {
    const open = this.open.get(call);
    this.open.delete(call);
    if (!open) {
      const step = this.add("agent", event, {
        message: "",
        llm_call_count: 0,
        notes: { ...result.extra, call, unanswered: true },
      });
      step.results.push({ content: result.content });
      return;
    }
    const candidates = open.candidates.map((notes) => ({
      ...notes.facts,
      stages: notes.stages,
      jobs: notes.jobs,
    }));
    const extra = { kernelwright: { ...result.extra, ...(candidates.length > 0 ? { candidates } : {}) } };
    open.step.results.push({
      source_call_id: open.id,
      content: result.content,
      extra: extra as unknown as JsonObject,
    });
  }

  /** A candidate under the call that made it, or as a step of the engine's own. */
  addCandidate(
    candidate: string,
    event: SessionEvent,
    facts: { readonly hypothesis: string; readonly notes: Record<string, unknown> },
  ): void {
    const under = [...this.open.values()]
      .filter((call) => call.called && call.step.llm_call_count !== 0)
      .at(-1);
    const step = under
      ? undefined
      : this.add("agent", event, { message: facts.hypothesis, llm_call_count: 0 });
    const notes: CandidateNotes = { candidate, step, facts: { ...facts.notes }, stages: [], jobs: [] };
    if (step) step.notes.candidate = { ...facts.notes, stages: notes.stages, jobs: notes.jobs };
    under?.candidates.push(notes);
    this.candidates.set(candidate, notes);
  }

  candidate(id: string): CandidateNotes | undefined {
    return this.candidates.get(id);
  }

  /** Steps with their numbers and without empty parts. */
  finish(): readonly AtifStep[] {
    return this.steps.map(({ calls, results, notes, ...step }, index) => ({
      step_id: index + 1,
      ...step,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(results.length > 0 ? { observation: { results } } : {}),
      extra: withContextManagement(notes),
    }));
  }
}

/** `context_management` is a name of the format and stands beside ours. */
function withContextManagement(notes: Record<string, unknown>): JsonObject {
  const { context_management, ...own } = notes;
  return {
    ...(context_management === undefined ? {} : { context_management }),
    kernelwright: own,
  } as unknown as JsonObject;
}
