import { summarizeVerdict } from "../judge/verdict-summary";
import { previewOf } from "./blobs";
import type { EventData, EventType, SessionEvent, StoredText } from "./events";
import {
  type CandidateRecord,
  type Draft,
  type SessionState,
  baselineId,
  emptyDraft,
  isJudged,
} from "./state";
import { addUsage, allTokens } from "./usage";

export type { CandidateRecord, ProposalRecord, SessionState } from "./state";

type Handlers = {
  readonly [Type in EventType]?: (draft: Draft, data: EventData[Type], event: SessionEvent) => void;
};

const lifecycle: Handlers = {
  "session.started": (draft, data, event) => {
    draft.started = event.ts;
    draft.began = event.ts;
    draft.usedAt = event.ts;
    draft.productVersion = data.product.version;
    draft.workspace = data.workspace;
    draft.task = data.task;
    draft.limits = data.task.budget;
    draft.baselineTree = data.baseline_tree;
    draft.seed = data.seed;
  },
  "session.paused": (draft, data, event) => {
    // What passes meanwhile costs nothing.
    if (draft.paused && !data.paused) draft.usedAt = event.ts;
    draft.paused = data.paused;
  },
  "session.resumed": (draft, _, event) => {
    draft.paused = false;
    draft.began = event.ts;
    draft.usedAt = event.ts;
    draft.status = "open";
    draft.ended = undefined;
    draft.reason = "";
    draft.resumes++;
  },
  "session.recovered": (draft) => {
    draft.recoveries++;
    dropRunning(draft, "the process ended before its verdict");
  },
  "session.ended": (draft, data, event) => {
    draft.ended = event.ts;
    draft.paused = false;
    draft.used = data.used;
    draft.status = data.status;
    draft.reason = data.reason;
    draft.ending = data.ending;
    if (data.best !== null) select(draft, data.best);
    dropRunning(draft, "the session ended before its verdict");
  },
  "env.captured": (draft, data) => {
    draft.environment = { ...draft.environment, ...data.facts };
  },
  "budget.updated": (draft, data, event) => {
    draft.used = data.used;
    draft.usedAt = event.ts;
    draft.limits = data.limits;
  },
  "limit.reached": (draft, data, event) => {
    draft.used = data.used;
    draft.usedAt = event.ts;
  },
  "checkpoint.created": (draft, data, event) => {
    draft.checkpoint = {
      seq: event.seq,
      best: data.best,
      frontier: data.frontier,
      state: data.state,
    };
  },
};

const conversation: Handlers = {
  "llm.request": (draft, data) => {
    draft.requests.add(data.request);
  },
  "llm.response": (draft, data) => {
    draft.requests.delete(data.request);
    draft.usage = addUsage(draft.usage, data.usage);
    // The next count of the budget, after the next verdict, has the same in it.
    const { usd, modelCalls, tokens = 0 } = draft.used;
    draft.used = {
      ...draft.used,
      usd: usd + (data.cost.usd ?? 0),
      modelCalls: modelCalls + 1,
      tokens: tokens + allTokens(data.usage),
    };
    hear(draft, data.text);
  },
  "llm.failed": (draft, data) => {
    draft.requests.delete(data.request);
  },
  "tool.called": (draft, data) => {
    draft.calls.set(data.call, data.name);
  },
  "tool.returned": (draft, data) => {
    draft.calls.delete(data.call);
  },
};

const search: Handlers = {
  "candidate.created": (draft, data) => {
    const { candidate: id, parent, tree, hypothesis, strategy } = data;
    const last = [...draft.candidates.values()].at(-1);
    draft.candidates.set(id, {
      id,
      parent: parent ?? undefined,
      tree,
      hypothesis,
      // Most come from one hand: the name is kept once.
      origin: last?.origin === strategy ? last.origin : strategy,
      stage: "proposed",
      state: "running",
      accepted: false,
      reason: "",
      verdict: null,
      judgedAt: undefined,
    });
  },
  "candidate.staged": (draft, data, event) => {
    const known = draft.candidates.get(data.candidate);
    if (!known) return;
    const state = stateAfter(known, data);
    const isJudgement = data.verdict !== null;
    keep(draft, known, {
      state: known.state === "best" && state !== "dropped" ? "best" : state,
      stage: data.stage,
      accepted: data.accepted,
      reason: data.reason,
      verdict: isJudgement ? summaryOf(draft, data) : known.verdict,
      judgedAt: isJudgement ? event.seq : known.judgedAt,
    });
  },
  "rules.held_back": (draft, data) => {
    draft.heldRules = data.rules;
    draft.causes = data.causes ?? [];
  },
  "candidate.selected": (draft, data) => select(draft, data.candidate, data.reason),
  "job.queued": (draft, data) => {
    draft.jobs.set(data.job, {
      job: data.job,
      kind: data.kind,
      candidate: data.candidate,
      started: false,
    });
  },
  "job.started": (draft, data) => {
    const job = draft.jobs.get(data.job);
    if (job) draft.jobs.set(job.job, { ...job, started: true });
  },
  "job.finished": (draft, data) => {
    draft.jobs.delete(data.job);
  },
};

const proposal: Handlers = {
  "proposal.ready": (draft, data) => {
    const hunks = data.hunks.map((hunk) => ({
      ...hunk,
      decision: "open" as const,
      // The whole proposal was checked, so a single hunk needs nothing else.
      needs: data.hunks.length === 1 ? [] : null,
    }));
    draft.proposal = {
      candidate: data.candidate,
      hunks,
      before: data.before,
      after: data.after,
      bounded: false,
      checked: undefined,
    };
    // The user may have chosen another one than the search.
    select(draft, data.candidate);
  },
  "review.grouped": (draft, data) => {
    if (draft.proposal?.candidate !== data.candidate) return;
    const hunks = draft.proposal.hunks.map((hunk) => ({
      ...hunk,
      needs: data.needs[hunk.id] ?? hunk.needs,
    }));
    draft.proposal = { ...draft.proposal, hunks, bounded: data.bounded };
  },
  "review.checked": (draft, { accepted, texts_sha256: digest, outcome, summary }) => {
    if (!draft.proposal) return;
    draft.proposal = {
      ...draft.proposal,
      checked: { accepted, digest, outcome, summary },
    };
  },
  "edit.hunk_decided": (draft, data) => {
    if (!draft.proposal) return;
    const decision = data.decision === "undone" ? ("open" as const) : data.decision;
    const decided = new Set(data.hunks);
    const hunks = draft.proposal.hunks.map((hunk) => (decided.has(hunk.id) ? { ...hunk, decision } : hunk));
    draft.proposal = { ...draft.proposal, hunks };
  },
};

const handlers: Handlers = {
  ...lifecycle,
  ...conversation,
  ...search,
  ...proposal,
};

function stateAfter(
  known: CandidateRecord,
  data: EventData["candidate.staged"],
): "running" | "accepted" | "dropped" {
  if (!isJudged(data)) return "running";
  // The baseline is compared with nothing: it is accepted when it is correct.
  const isSoundBaseline = known.id === baselineId && data.verdict?.kind === "correct";
  return data.accepted || isSoundBaseline ? "accepted" : "dropped";
}

/** What is kept of a verdict. */
function summaryOf(
  draft: Draft,
  { candidate, accepted, verdict }: EventData["candidate.staged"],
): CandidateRecord["verdict"] {
  if (verdict === null) return null;
  const isBaseline = candidate === baselineId;
  if (isBaseline) draft.baseline = verdict;
  if (verdict.kind === "correct" && (isBaseline || accepted)) draft.bounds.set(candidate, verdict.bound);
  return summarizeVerdict(verdict, isBaseline ? undefined : draft.baseline);
}

function hear(draft: Draft, text: StoredText): void {
  const words = previewOf(text);
  if (words.trim() !== "") draft.lastWords = words;
}

function select(draft: Draft, id: string, reason?: string): void {
  if (draft.best !== undefined && draft.best !== id) change(draft, draft.best, { state: "accepted" });
  draft.best = id;
  change(draft, id, reason === undefined ? { state: "best" } : { state: "best", reason });
}

function change(draft: Draft, id: string, fields: Partial<CandidateRecord>): void {
  const known = draft.candidates.get(id);
  if (known) keep(draft, known, fields);
}

/**
 * Puts a changed record in the place of one. Written out: there is one for each candidate of a long session,
 * and objects that are made by spreading take several times the memory.
 */
function keep(draft: Draft, known: CandidateRecord, fields: Partial<CandidateRecord>): void {
  draft.candidates.set(known.id, {
    id: known.id,
    parent: known.parent,
    tree: known.tree,
    hypothesis: known.hypothesis,
    origin: known.origin,
    stage: fields.stage ?? known.stage,
    state: fields.state ?? known.state,
    accepted: fields.accepted ?? known.accepted,
    reason: fields.reason ?? known.reason,
    verdict: fields.verdict ?? known.verdict,
    judgedAt: fields.judgedAt ?? known.judgedAt,
  });
}

function dropRunning(draft: Draft, reason: string): void {
  for (const candidate of draft.candidates.values())
    if (candidate.state === "running") change(draft, candidate.id, { state: "dropped", reason });
}

/** Builds the state of a session event by event: for a live view. */
export class SessionReduction {
  private readonly draft = emptyDraft();

  /** Takes the next event. One that could not be read changes nothing; spoilt data is noted. */
  apply(event: SessionEvent): void {
    this.draft.lastSequence = event.seq;
    if (event.type === "unread") {
      if (event.data.fault !== undefined) this.draft.unread.push(event.seq);
      return;
    }
    // Keys and data of the table belong together; the compiler cannot follow that through an index.
    const handler = handlers[event.type] as
      | ((draft: Draft, data: unknown, event: SessionEvent) => void)
      | undefined;
    handler?.(this.draft, event.data, event);
  }

  /** The candidates as they are now, in the order of their creation. */
  candidates(): readonly CandidateRecord[] {
    return [...this.draft.candidates.values()];
  }

  /** The state after all events so far; later events do not change it. */
  state(): SessionState {
    const { candidates, bounds, baseline: _, jobs, calls, requests, unread, ...rest } = this.draft;
    const [usedTool] = calls.values();
    return {
      ...rest,
      candidates: [...candidates.values()],
      bounds: new Map(bounds),
      jobs: [...jobs.values()],
      openCalls: [...calls.keys()],
      openRequests: [...requests],
      usedTool,
      unread: [...unread],
    };
  }
}

/** The state that the events describe. */
export function reduceSession(events: Iterable<SessionEvent>): SessionState {
  const reduction = new SessionReduction();
  for (const event of events) reduction.apply(event);
  return reduction.state();
}
