import { retold, t } from "../base/localized";
import * as z from "zod/mini";
import { objectOf } from "../base/shape";
import { type SessionEvent, type SessionStatus, sessionStatuses } from "./events";
import type { Lineage } from "./proposal/lineage";
import { SessionReduction } from "./reduce";
import { baselineId, type ProposalRecord } from "./state";

/** A proposal of which only a part was accepted: what the session's own outcome says nothing about. */
export interface PartialAcceptance {
  /** One line: how much was accepted, and what came of it. */
  readonly text: string;
  /** Whether the part was found correct; null while it was not checked. */
  readonly passed: boolean | null;
}

/** Undefined when nothing was accepted, or everything. */
export function partialAcceptance(proposal: ProposalRecord | undefined): PartialAcceptance | undefined {
  const { hunks = [], checked } = proposal ?? {};
  const accepted = hunks.filter((hunk) => hunk.decision === "accepted").map((hunk) => hunk.id);
  if (accepted.length === 0 || accepted.length === hunks.length) return undefined;
  const part = t`${accepted.length} of ${hunks.length} changes accepted`;
  if (checked === undefined || [...checked.accepted].sort().join() !== [...accepted].sort().join())
    return { text: t`${part}: not checked yet`, passed: null };
  return { text: `${part}: ${retold(checked.summary)}`, passed: checked.outcome === "correct" };
}

const reviewTypes: ReadonlySet<string> = new Set(["proposal.ready", "review.checked", "edit.hunk_decided"]);

/** What a list of sessions shows of one, from its events alone. */
export interface EventSummary {
  readonly started: string;
  /** Digest of the workspace folder it was recorded in. */
  readonly workspace: string;
  readonly file: string;
  readonly kernel: string;
  readonly target: string;
  readonly strategy: string;
  /** `open` = no end after the newest start or resume. */
  readonly status: SessionStatus | "open";
  readonly reason: string;
  readonly best: string | null;
  /** Null when nothing of the proposal was accepted, or everything. */
  readonly partly: PartialAcceptance | null;
  readonly candidates: number;
  readonly events: number;
  /** The candidate that it goes on from. */
  readonly from?: Pick<Lineage, "session" | "candidate">;
}

/** The form of a summary that was kept on disk. */
export const summaryShape = objectOf<EventSummary>()({
  started: z.string(),
  workspace: z.string(),
  file: z.string(),
  kernel: z.string(),
  target: z.string(),
  strategy: z.string(),
  status: z.enum([...sessionStatuses, "open"]),
  reason: z.string(),
  best: z.nullable(z.string()),
  partly: z.nullable(objectOf<PartialAcceptance>()({ text: z.string(), passed: z.nullable(z.boolean()) })),
  candidates: z.number(),
  events: z.number(),
  from: z.optional(
    objectOf<NonNullable<EventSummary["from"]>>()({ session: z.string(), candidate: z.string() }),
  ),
});

/** What each event alone says of it. */
type EventCounts = Omit<EventSummary, "partly" | "events">;

/** Sums a log up event by event; one that is empty or begins in the middle gives empty texts. */
export class SessionSum {
  private summary: EventCounts = {
    started: "",
    workspace: "",
    file: "",
    kernel: "",
    target: "",
    strategy: "",
    status: "open",
    reason: "",
    best: null,
    candidates: 0,
  };
  private events = 0;
  private readonly review = new SessionReduction();

  apply(event: SessionEvent): void {
    if (this.events === 0) this.summary = { ...this.summary, started: event.ts };
    this.events += 1;
    if (reviewTypes.has(event.type)) this.review.apply(event);
    this.summary = withEvent(this.summary, event);
  }

  /** The sum of all events so far. */
  total(): EventSummary {
    const partly = partialAcceptance(this.review.state().proposal) ?? null;
    return { ...this.summary, partly, events: this.events };
  }
}

/** Sums a log up. */
export function summarize(events: readonly SessionEvent[]): EventSummary {
  const sum = new SessionSum();
  for (const event of events) sum.apply(event);
  return sum.total();
}

function withEvent(summary: EventCounts, event: SessionEvent): EventCounts {
  switch (event.type) {
    case "session.started": {
      const { file, kernel, target, strategy, from } = event.data.task;
      return {
        ...summary,
        started: event.ts,
        workspace: event.data.workspace,
        file,
        kernel,
        target,
        strategy,
        ...(from && { from: { session: from.session, candidate: from.candidate } }),
      };
    }
    case "candidate.created":
      // The baseline is judged like a candidate, but nobody proposed it.
      return event.data.candidate === baselineId
        ? summary
        : { ...summary, candidates: summary.candidates + 1 };
    case "candidate.selected":
    case "proposal.ready":
      return { ...summary, best: event.data.candidate };
    case "session.resumed":
      return { ...summary, status: "open", reason: "" };
    case "session.ended":
      return { ...summary, status: event.data.status, reason: event.data.reason, best: event.data.best };
    default:
      return summary;
  }
}
