import { h, type ComponentChild } from "preact";
import type { CandidateView } from "../../../server/protocol/views";
import { candidateName } from "../common/candidates";
import { stateWord } from "../common/status-words";
import { t } from "../common/localized";
import type { LineageRow } from "./model";

const marks: Readonly<Record<CandidateView["state"], string>> = {
  running: "…",
  dropped: "×",
  accepted: "✓",
  best: "★",
};

/** Deeper descent is not moved further to the right. */
const deepest = 12;

interface LineageProps {
  readonly rows: readonly LineageRow[];
  readonly chosen: string | undefined;
  choose(candidate: string): void;
}

/** The candidates as a tree of descent. */
export function LineageList({ rows, chosen, choose }: LineageProps): ComponentChild {
  return h(
    "ul",
    { class: "lineage", "aria-label": t("Candidates by descent") },
    rows.map(({ candidate, depth }) =>
      h(
        "li",
        { key: candidate.id, class: `depth-${Math.min(depth, deepest)}` },
        h(
          "button",
          {
            type: "button",
            class: `candidate state-${candidate.state}${candidate.id === chosen ? " chosen" : ""}`,
            title: candidate.reason,
            onClick: () => choose(candidate.id),
          },
          h("span", { class: "mark", "aria-label": stateWord(candidate.state) }, marks[candidate.state]),
          h("span", { class: "name" }, candidateName(candidate.id)),
          h("span", { class: "figure" }, candidate.figure ?? candidate.stage),
          h("span", { class: "text" }, candidate.hypothesis),
        ),
      ),
    ),
  );
}
