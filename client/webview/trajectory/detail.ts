import { h, type ComponentChild } from "preact";
import type { StepLabel, StepSectionView, StepView } from "../../../server/protocol/timeline-views";
import { baseline } from "../common/candidates";
import { t } from "../common/localized";
import type { CandidateSight } from "../common/messages";
import { plainText } from "../common/plain-text";

interface DetailProps {
  readonly view: StepView | undefined;
  /** As its row has it. */
  readonly title: string | undefined;
  readonly label: StepLabel | undefined;
  openLabel(seq: number): void;
  open(candidate: string, what: CandidateSight): void;
}

/** Titles of the buttons for a candidate; a baseline changes nothing. */
function sights(): readonly (readonly [title: string, what: CandidateSight])[] {
  return [
    [t("Open Change"), "change"],
    [t("Open File"), "file"],
    [t("Show Performance"), "performance"],
  ];
}

/** Everything that the chosen event holds. */
export function Detail({ view, title, label, openLabel, open }: DetailProps): ComponentChild {
  if (view === undefined)
    return h(
      "section",
      { class: "detail", "aria-label": t("Event") },
      h("p", { class: "hint" }, t("Choose an event.")),
    );
  const { candidate } = view;
  return h(
    "section",
    { class: "detail", "aria-label": t("Event"), tabIndex: 0 },
    h("h2", {}, title ?? view.title),
    h("p", { class: "origin" }, `${view.origin} · ${new Date(view.time).toLocaleString()}`),
    h(
      "div",
      { class: "actions" },
      sights()
        .filter(([, what]) => candidate !== undefined && !(what === "change" && candidate === baseline))
        .map(([title, what]) =>
          h("button", { type: "button", onClick: () => open(candidate ?? baseline, what) }, title),
        ),
      h(
        "button",
        { type: "button", onClick: () => openLabel(view.seq) },
        label === undefined ? t("Add Note") : t("Edit Note"),
      ),
    ),
    label === undefined
      ? null
      : h("p", { class: "note" }, h("span", { class: "label" }, label.tag || "note"), label.note),
    view.sections.map((section, index) => h(Section, { key: `${view.seq}-${index}`, section })),
  );
}

function Section({ section }: { readonly section: StepSectionView }): ComponentChild {
  const { title, language, omitted } = section;
  return h(
    "details",
    { open: true },
    h("summary", {}, title),
    h("pre", { class: language, tabIndex: 0 }, shownText(section)),
    omitted === 0
      ? null
      : h("p", { class: "hint" }, t("{0} more characters stand in the event log.", omitted.toLocaleString())),
  );
}

function shownText({ text, language }: StepSectionView): ComponentChild {
  if (language === "diff") return diffLines(text);
  return language === "markdown" ? plainText(text) : text;
}

/** Lines of a diff by what they do. All text stays text. */
function diffLines(text: string): readonly ComponentChild[] {
  return text.split("\n").map((line) => h("span", { class: `line ${kindOf(line)}` }, `${line}\n`));
}

function kindOf(line: string): string {
  if (/^(\+\+\+|---|@@)/.test(line)) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
