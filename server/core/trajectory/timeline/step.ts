import type { StoredText } from "../events";

/**
 * What kind of thing an event is to somebody who looks for it. `engine`: bookkeeping that a reader rarely
 * wants (jobs, snapshots, checkpoints).
 */
export const stepKinds = [
  "session",
  "message",
  "model",
  "tool",
  "candidate",
  "review",
  "budget",
  "problem",
  "engine",
] as const;

export type StepKind = (typeof stepKinds)[number];

/** One event as a row of the timeline. */
export interface TimelineStep {
  readonly seq: number;
  readonly kind: StepKind;
  /** A few words: `Model replied`, `Candidate c2 correct`. */
  readonly title: string;
  /** The rest of the row, one line of at most `rowTextLimit` characters. */
  readonly text: string;
  /** Milliseconds since the first event by the wall clock; never less than those of the step before. */
  readonly at: number;
  /** The candidate that the event is about. */
  readonly candidate?: string;
  /** US dollars spent up to here, where this step changed them. */
  readonly usd?: number;
  /** Modelled bound of a candidate that was found correct, in nanoseconds. */
  readonly bound?: number;
  /** Its time by simulation, where that is known. */
  readonly simulated?: number;
  /** Its title without a time: which of the two times its session shows is known once all is judged. */
  readonly judged?: string;
  /** The run is over: what follows is its review. */
  readonly ends?: true;
}

export const rowTextLimit = 200;

/** A part of what an event holds, to be read in full. */
export interface StepSection {
  readonly title: string;
  readonly text: StoredText;
  /** `diff` lines begin with `+`, `-` or a blank. */
  readonly language: "text" | "markdown" | "json" | "diff";
}
