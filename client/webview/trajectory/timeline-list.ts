import { Component, h, type ComponentChild } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TimelineStep } from "../../../server/core/trajectory/timeline/step";
import type { StepLabel } from "../../../server/protocol/timeline-views";
import type { SessionView } from "../../../server/protocol/views";
import { clockText } from "../common/clock-text";
import { t } from "../common/localized";
import { kindWord } from "../common/status-words";
import { titleOf, rowMargin, visibleRange } from "./model";

/** Height of a row in pixels; the style sheet has the same. */
const rowHeight = 24;

interface ListProps {
  /** What says which times are shown. */
  readonly session: Pick<SessionView, "timeKind">;
  readonly steps: readonly TimelineStep[];
  readonly labels: ReadonlyMap<number, StepLabel>;
  readonly chosen: number | undefined;
  choose(seq: number): void;
  move(by: number): void;
}

/** The rows, of which only those in sight are made. */
export function TimelineList({ session, steps, labels, chosen, choose, move }: ListProps): ComponentChild {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const look = (): void => {
    const element = box.current;
    if (element !== null) setView({ top: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(() => {
    look();
    const watcher = new ResizeObserver(look);
    if (box.current !== null) watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  const at = steps.findIndex(({ seq }) => seq === chosen);
  useLayoutEffect(() => {
    if (box.current !== null && at >= 0) bringIntoSight(box.current, at);
  }, [at]);
  const { from, to } = visibleRange({ ...view, row: rowHeight }, steps.length);
  // A row that comes into sight takes the element of one that has gone out of it.
  const elements = Math.ceil(view.height / rowHeight) + 2 * rowMargin + 2;
  const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
  const keys = movesOf(page, steps.length);
  return h(
    "div",
    {
      ref: box,
      class: "timeline",
      role: "listbox",
      tabIndex: 0,
      "aria-label": t("Events of the session"),
      "aria-activedescendant": at >= from && at < to ? `step-${chosen}` : undefined,
      onScroll: look,
      onKeyDown: (event: KeyboardEvent) => {
        const by = keys[event.key];
        if (by === undefined) return;
        event.preventDefault();
        move(by);
      },
    },
    h(
      "div",
      { class: "rows", style: { height: `${steps.length * rowHeight}px` }, role: "presentation" },
      steps.slice(from, to).map((step, index) =>
        h(Row, {
          key: (from + index) % elements,
          step,
          title: titleOf(step, session),
          label: labels.get(step.seq),
          at: from + index,
          of: steps.length,
          chosen: step.seq === chosen,
          choose,
        }),
      ),
    ),
  );
}

/** How many rows each key goes on. */
function movesOf(page: number, all: number): Readonly<Record<string, number>> {
  return { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -all, End: all };
}

function bringIntoSight(box: HTMLElement, at: number): void {
  const top = at * rowHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + rowHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = top + rowHeight - box.clientHeight;
}

interface RowProps {
  readonly step: TimelineStep;
  readonly title: string;
  readonly label: StepLabel | undefined;
  /** Its place among the rows. */
  readonly at: number;
  readonly of: number;
  readonly chosen: boolean;
  choose(seq: number): void;
}

/** What decides how a row looks; the function that chooses one is another each time. */
const drawn = ["step", "title", "label", "at", "of", "chosen"] as const;

/** Most rows stay as they are while others come into sight. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: Readonly<RowProps>): boolean {
    return drawn.some((name) => next[name] !== this.props[name]);
  }

  override render({ step, title, label, at, of, chosen }: RowProps): ComponentChild {
    return h(
      "div",
      {
        id: `step-${step.seq}`,
        class: `row kind-${step.kind}${chosen ? " chosen" : ""}`,
        role: "option",
        "aria-selected": chosen,
        "aria-posinset": at + 1,
        "aria-setsize": of,
        style: { top: `${at * rowHeight}px` },
        onClick: () => this.props.choose(step.seq),
      },
      h("span", { class: "time" }, clockText(step.at)),
      h("span", { class: "kind" }, kindWord(step.kind)),
      h("span", { class: "title" }, title),
      label === undefined ? null : h("span", { class: "label" }, label.tag || t("note")),
      h("span", { class: "text" }, step.text),
      step.usd === undefined ? null : h("span", { class: "usd" }, `$${step.usd.toFixed(3)}`),
    );
  }
}
