import { stepKinds, type StepKind, type TimelineStep } from "../../../server/core/trajectory/timeline/step";
import { type StepLabel, type StepView } from "../../../server/protocol/timeline-views";
import type { SessionView } from "../../../server/protocol/views";
import type { ToTrajectoryPage } from "../common/messages";
import type { Filter } from "./model";

/** All that the page shows. */
export interface PageState {
  readonly session: SessionView | undefined;
  readonly steps: readonly TimelineStep[];
  readonly total: number;
  readonly labels: ReadonlyMap<number, StepLabel>;
  readonly filter: Filter;
  /** The chosen event. */
  readonly chosen: number | undefined;
  /** What the chosen event holds, once it has come. */
  readonly detail: StepView | undefined;
  readonly playing: boolean;
  /** The last thing that could not be done. */
  readonly trouble: string;
}

export const emptyPage: PageState = {
  session: undefined,
  steps: [],
  total: 0,
  labels: new Map(),
  filter: { words: "", hidden: new Set<StepKind>(["engine"]), labelled: false },
  chosen: undefined,
  detail: undefined,
  playing: false,
  trouble: "",
};

/** The page after a message of the extension. */
export function received(state: PageState, message: ToTrajectoryPage): PageState {
  switch (message.kind) {
    case "timeline": {
      const { session, steps, total, labels } = message.view;
      const last = state.steps.at(-1)?.seq ?? 0;
      return {
        ...state,
        session: session === null ? state.session : kept(state.session, session),
        total,
        steps: [...state.steps, ...steps.filter(({ seq }) => seq > last)],
        labels: bySequence(labels),
      };
    }
    case "step":
      // An answer may come after the user has gone on.
      return message.view.seq === state.chosen ? { ...state, detail: message.view } : state;
    case "labels":
      return { ...state, labels: bySequence(message.labels) };
    case "failed":
      return { ...state, trouble: message.sentence, playing: false };
  }
}

/** The session as it is known where it has not changed, so that nothing of it is drawn anew. */
function kept(known: SessionView | undefined, session: SessionView): SessionView {
  return known !== undefined && JSON.stringify(known) === JSON.stringify(session) ? known : session;
}

function bySequence(labels: readonly StepLabel[]): ReadonlyMap<number, StepLabel> {
  return new Map(labels.map((label) => [label.seq, label]));
}

/** Shows or hides rows of a kind. */
export function toggled(filter: Filter, kind: StepKind): Filter {
  const hidden = new Set(filter.hidden);
  if (!hidden.delete(kind)) hidden.add(kind);
  return { ...filter, hidden };
}

/** The event that is so many rows from the chosen one; the nearest end where there are not as many. */
export function stepFrom(
  shown: readonly TimelineStep[],
  chosen: number | undefined,
  by: number,
): number | undefined {
  const at = chosen === undefined ? -1 : shown.findIndex(({ seq }) => seq >= chosen);
  const from = at < 0 && chosen !== undefined ? shown.length : at;
  const wanted = Math.max(0, Math.min(shown.length - 1, from + by));
  return shown[wanted]?.seq;
}

/** In the order of the buttons. */
export const filterKinds: readonly StepKind[] = stepKinds;
