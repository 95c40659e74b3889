import { h, type ComponentChild } from "preact";
import type { SessionView } from "../../../server/protocol/views";
import { baseline } from "../common/candidates";
import { clockText } from "../common/clock-text";
import { t } from "../common/localized";
import { kindWord, statusWord } from "../common/status-words";
import { filterKinds, type PageState, toggled } from "./state";

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
    dateText(session.started),
    last === undefined ? "" : clockText(last),
    spent === undefined ? "" : `$${spent.toFixed(4)}`,
    // As the budget counts them: the baseline is none of them.
    candidatesText(session.candidates.filter(({ id }) => id !== baseline).length),
  ];
  return h(
    "header",
    {},
    h("h1", {}, (session.name ?? session.kernel) || t("Trajectory")),
    h(
      "span",
      { class: `status status-${session.status}` },
      session.partly?.text ?? statusWord(session.status),
    ),
    h("p", {}, facts.filter(Boolean).join(" · ")),
    session.reason === "" ? null : h("p", { class: "reason" }, session.reason),
  );
}

/** Empty where the log lacks its beginning. */
function dateText(started: string): string {
  const date = new Date(started);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleString();
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
      // While rows come in, what they tell is said instead of their number.
      { class: "count", role: "status", "aria-live": state.session?.status === "running" ? "off" : "polite" },
      steps.length < total
        ? t("reading {0} of {1}", steps.length.toLocaleString(), total.toLocaleString())
        : t("{0} of {1} events", count.toLocaleString(), total.toLocaleString()),
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
