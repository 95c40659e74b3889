import { h, type ComponentChild } from "preact";
import { describeNanoseconds, describeShare } from "../../../server/core/words/quantities";
import type { ComparedFigure } from "../../../server/protocol/performance-views";
import { type Bar, barsOf, timeOf, wholeTime } from "./geometry/bars";
import { Numbers } from "./numbers";
import { resourceWord } from "./words";
import { t } from "../common/localized";

const room = { width: 900, left: 150, right: 245, row: 20, gap: 8, top: 26 } as const;

/**
 * What each resource takes by itself: the longest is what binds. A line stands where the data alone would be.
 */
export function BarsPicture({ figures }: { readonly figures: readonly ComparedFigure[] }): ComponentChild {
  const { groups, floors } = barsOf(figures);
  const long = room.width - room.left - room.right;
  let y: number = room.top;
  const drawn = groups.map(({ resource, bars }) => {
    const from = y;
    y += bars.length * room.row + room.gap;
    return [
      h(
        "text",
        { class: "axis end", x: room.left - 8, y: from + room.row / 2 + 3 },
        resource === wholeTime ? t("by simulation") : resourceWord(resource),
      ),
      bars.map((bar, index) => barRow(bar, from + index * room.row, long)),
    ];
  });
  return [
    h(
      "svg",
      {
        class: "picture",
        viewBox: `0 0 ${room.width} ${y + 4}`,
        role: "img",
        "aria-label": t("Time of each resource alone, modelled. {0}", figures.map(inWords).join(" ")),
      },
      floors.map(({ role, at }) => {
        const x = room.left + at * long;
        return h(
          "g",
          { class: `floor role-${role}` },
          h("line", { x1: x, x2: x, y1: room.top - 6, y2: y }),
          role === "now"
            ? h("text", { class: "axis", x: x + 4, y: room.top - 10 }, t("least for the data"))
            : null,
        );
      }),
      drawn,
    ),
    h(Legend, { figures }),
    h(Numbers, {
      title: t("Resources"),
      heads: [t("Resource"), ...figures.map(({ title }) => title)],
      rows: numberRows(figures),
    }),
  ];
}

function Legend({ figures }: { readonly figures: readonly ComparedFigure[] }): ComponentChild {
  return h(
    "ul",
    { class: "legend" },
    figures.map((figure) =>
      h(
        "li",
        {},
        h(
          "svg",
          { class: "sample", viewBox: "0 0 16 16", "aria-hidden": "true" },
          h(
            "g",
            { class: `bar role-${figure.role} binds` },
            h("rect", { x: 1, y: 3, width: 14, height: 10 }),
          ),
        ),
        figure.title,
      ),
    ),
  );
}

function barRow({ role, length, nanoseconds, share, binds }: Bar, y: number, long: number): ComponentChild {
  return h(
    "g",
    { class: `bar role-${role}${binds ? " binds" : ""}` },
    h("rect", { x: room.left, y: y + 2, width: Math.max(1, length * long), height: room.row - 4 }),
    h(
      "text",
      { class: "value", x: room.left + length * long + 6, y: y + room.row / 2 + 4 },
      `${describeNanoseconds(nanoseconds)} · ${describeShare(share)}${binds ? ` · ${t("sets the bound")}` : ""}`,
    ),
  );
}

/** `Now, on A100: 7 µs by simulation; bound 5 µs modelled, set by DRAM; the data alone needs 3 µs (43%).` */
export function inWords(figure: ComparedFigure): string {
  const { nanoseconds, binding, floorNanoseconds, simulatedNanoseconds } = figure;
  const said = [figure.title, describeNanoseconds(nanoseconds), resourceWord(binding)];
  const time =
    simulatedNanoseconds === null
      ? t("{0}: {1} modelled, set by {2}", ...said)
      : t(
          "{0}: {3} by simulation; bound {1} modelled, set by {2}",
          ...said,
          describeNanoseconds(simulatedNanoseconds),
        );
  if (floorNanoseconds === null || nanoseconds === 0) return `${time}.`;
  const least = [describeNanoseconds(floorNanoseconds), describeShare(floorNanoseconds / timeOf(figure))];
  return `${time}; ${t("the data alone needs {0} ({1})", ...least)}.`;
}

function numberRows(figures: readonly ComparedFigure[]): readonly (readonly string[])[] {
  const names = [...new Set(figures.flatMap(({ terms }) => terms.map(({ name }) => name)))];
  const isUsed = (name: string): boolean =>
    figures.some(({ terms }) => terms.some((term) => term.name === name && term.nanoseconds > 0));
  return [
    [
      t("by simulation"),
      ...figures.map(({ simulatedNanoseconds: time }) =>
        time === null ? t("none") : describeNanoseconds(time),
      ),
    ],
    [t("modelled bound"), ...figures.map(({ nanoseconds }) => describeNanoseconds(nanoseconds))],
    [
      t("least for the data"),
      ...figures.map(({ floorNanoseconds }) =>
        floorNanoseconds === null ? t("not known") : describeNanoseconds(floorNanoseconds),
      ),
    ],
    ...names.filter(isUsed).map((name) => [
      resourceWord(name),
      ...figures.map(({ terms }) => {
        const term = terms.find((each) => each.name === name);
        return term === undefined ? t("none") : describeNanoseconds(term.nanoseconds);
      }),
    ]),
  ];
}
