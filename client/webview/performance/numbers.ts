import { h, type ComponentChild } from "preact";
import { t } from "../common/localized";

interface NumbersProps {
  /** What the picture shows; the table's caption. */
  readonly title: string;
  readonly heads: readonly string[];
  /** The first cell of each names the row. */
  readonly rows: readonly (readonly string[])[];
}

/** The numbers of a picture as a table, which the keyboard opens and a screen reader reads. */
export function Numbers({ title, heads, rows }: NumbersProps): ComponentChild {
  return h(
    "details",
    {},
    h("summary", {}, t("{0}: the numbers", title)),
    h(
      "div",
      { class: "scroll", tabIndex: 0, role: "region", "aria-label": title },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((head) => h("th", { scope: "col" }, head)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map(([name, ...cells]) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, name),
              cells.map((cell) => h("td", {}, cell)),
            ),
          ),
        ),
      ),
    ),
  );
}
