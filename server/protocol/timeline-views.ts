import type { StepSection, TimelineStep } from "../core/trajectory/timeline/step";
import type { SessionView } from "./views";

/** What the trajectory editor shows of a session, as plain data. */
export interface TimelineView {
  /** Null beside the first events of a long log, which come before the rest of it is read. */
  readonly session: SessionView | null;
  /** The next events in order, at most `stepsPerReply`; fewer where they are the first. */
  readonly steps: readonly TimelineStep[];
  /** Whether events come after these by now. */
  readonly more: boolean;
  /** How many events the log has by now, as far as it is read. */
  readonly total: number;
  readonly labels: readonly StepLabel[];
}

/** Rows that one reply holds at most. */
export const stepsPerReply = 1_000;

/** Rows of the reply about a log's beginning: more than a screen has, few enough to be shown soon. */
export const firstSteps = 200;

export interface StepLabel {
  readonly seq: number;
  readonly tag: string;
  readonly note: string;
}

/** Everything that one event holds. */
export interface StepView {
  readonly seq: number;
  readonly title: string;
  /** `event 12 · llm.response · agent · 2026-11-23T10:00:00.000Z`. */
  readonly origin: string;
  /** When it happened, ISO 8601 in UTC. */
  readonly time: string;
  readonly sections: readonly StepSectionView[];
  /** The candidate that it is about, whose change can be opened. */
  readonly candidate?: string;
}

export interface StepSectionView {
  readonly title: string;
  readonly text: string;
  readonly language: StepSection["language"];
  /** Characters that were left out at the end. */
  readonly omitted: number;
}
