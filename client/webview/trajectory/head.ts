import { h, type ComponentChild } from "preact";
import type { SessionView } from "../../../server/protocol/views";
import { clockText } from "../common/clock-text";
import { t } from "../common/localized";
import { kindWord, statusWord } from "../common/status-words";
import { filterKinds, type PageState, toggled } from "./state";

/** The name of the version that a session begins with. */
const baseline = "baseline";

interface HeadProps {
  readonly session: SessionView | undefined;
  /** US dollars. */
  readonly spent: number | undefined;
  /** Milliseconds that the run took. */
  readonly last: number | undefined;
}

/** What the session was about and how it ended. */
export function Head({ session, spent, last }: HeadProps): ComponentChild {
  if (session === undefined)
    return h("header", {}, h("h1", {}, t("Trajectory")), h("p", {}, t("Reading the log …")));
  const facts = [
    session.name === undefined ? "" : session.kernel,
    session.file,
    session.target,
    session.strategy,
    new Date(session.started).toLocaleString(),
    last === undefined ? "" : clockText(last),
    spent === undefined ? "" : `$${spent.toFixed(4)}`,
    // As the budget counts them: the baseline is none of them.
    candidatesText(session.candidates.filter(({ id }) => id !== baseline).length),
  ];
  return h(
    "header",
    {},
    h("h1", {}, session.name ?? session.kernel),
    h(
      "span",
      { class: `status status-${session.status}` },
      session.partly?.text ?? statusWord(session.status),
    ),
    h("p", {}, facts.filter(Boolean).join(" · ")),
    session.reason === "" ? null : h("p", { class: "reason" }, session.reason),
  );
}

function candidatesText(count: number): string {
  return count === 1 ? t("1 candidate") : t("{0} candidates", count);
}

interface ToolsProps {
  readonly state: PageState;
  /** Rows that pass the filter. */
  readonly count: number;
  change(part: Partial<PageState>): void;
  move(by: number): void;
}

/** Search, filters, and the buttons that step through the session. */
export function Tools({ state, count, change, move }: ToolsProps): ComponentChild {
  const { filter, playing, steps, total } = state;
  return h(
    "div",
    { class: "tools", role: "toolbar", "aria-label": t("Search, filter and play") },
    h("input", {
      type: "search",
      placeholder: t("Search"),
      "aria-label": t("Search the events"),
      value: filter.words,
      onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
        change({ filter: { ...filter, words: currentTarget.value } }),
    }),
    filterKinds.map((kind) =>
      pressed(kindWord(kind), !filter.hidden.has(kind), () => change({ filter: toggled(filter, kind) })),
    ),
    pressed(t("with notes"), filter.labelled, () =>
      change({ filter: { ...filter, labelled: !filter.labelled } }),
    ),
    h("button", { type: "button", "aria-label": t("Previous event"), onClick: () => move(-1) }, "◀"),
    h(
      "button",
      { type: "button", onClick: () => change({ playing: !playing }) },
      playing ? t("Pause") : t("Play"),
    ),
    h("button", { type: "button", "aria-label": t("Next event"), onClick: () => move(1) }, "▶"),
    h(
      "span",
      { class: "count", role: "status" },
      steps.length < total
        ? t("reading {0} of {1}", steps.length, total)
        : t("{0} of {1} events", count, total),
    ),
  );
}

function pressed(title: string, on: boolean, toggle: () => void): ComponentChild {
  return h(
    "button",
    { type: "button", class: on ? "chip on" : "chip", "aria-pressed": on, onClick: toggle },
    title,
  );
}
