import { h, type ComponentChild } from "preact";
import {
  describeBytes,
  describeCount,
  describeNanoseconds,
  describeShare,
} from "../../../server/core/words/quantities";
import type { MemoryLevel } from "../../../server/core/timing/pictures/ceilings";
import type { ComparedFigure } from "../../../server/protocol/performance-views";
import {
  type Ceiling,
  type Roofline,
  rooflineOf,
  type RooflinePoint,
  rooflineSize as size,
  type Work,
  workOf,
} from "./geometry/roofline";
import { Numbers } from "./numbers";
import { levelWords, resourceWord, roofWords } from "./words";
import { t } from "../common/localized";

interface RooflineProps {
  readonly figures: readonly ComparedFigure[];
  readonly work: Work;
}

/** What the launches reach of what the GPU can do, at each level of memory. */
export function RooflinePicture({ figures, work }: RooflineProps): ComponentChild {
  const roofline = rooflineOf(figures, work);
  const { width, height, left, right, bottom, top } = size;
  return [
    h(
      "svg",
      {
        class: "picture",
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": inWords(roofline, work),
      },
      roofline.xTicks.map(({ at, value }) => [
        h("line", { class: "grid", x1: at, x2: at, y1: top, y2: height - bottom }),
        h("text", { class: "axis middle", x: at, y: height - bottom + 16 }, power(value)),
      ]),
      roofline.yTicks.map(({ at, value }) => [
        h("line", { class: "grid", x1: left, x2: width - right, y1: at, y2: at }),
        h("text", { class: "axis end", x: left - 6, y: at + 4 }, perSecond(value, work)),
      ]),
      h("text", { class: "axis middle", x: (left + width - right) / 2, y: height - 8 }, axisTitle(work)),
      roofline.ceilings.map((ceiling) => ceilingLine(ceiling, work)),
      roofline.points.map((point) => mark(point, work)),
    ),
    h(Legend, { figures, roofline }),
    h(Numbers, {
      title: t("Roofline"),
      heads: [
        t("Launch"),
        t("Version"),
        t("Modelled time"),
        t("Binds"),
        t(workTitles[work]),
        t("Rate"),
        ...levelHeads(),
      ],
      rows: figures.flatMap((figure) => rowsOf(figure, roofline, work)),
    }),
  ];
}

function axisTitle(work: Work): string {
  return work === "operations"
    ? t("floating-point operations for each byte that moves at the level")
    : t("instructions of warps for each byte that moves at the level");
}

const workTitles: Readonly<Record<Work, string>> = {
  operations: "Operations",
  instructions: "Instructions of warps",
};

function levelHeads(): readonly string[] {
  return Object.values(levelWords).map((level) => t("Moved at {0}, part of the ceiling", t(level)));
}

/** `0.01`, `1`, `1000`. */
function power(value: number): string {
  return value >= 1e4 || value < 1e-3
    ? `10${superscript(Math.round(Math.log10(value)))}`
    : String(Number(value.toPrecision(1)));
}

function superscript(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)] ?? "").join("");
  return exponent < 0 ? `⁻${digits}` : digits;
}

/** Work a nanosecond, as people say it: `1.56 TFLOP/s`, `200 G instr/s`. */
function perSecond(rate: number, work: Work): string {
  return work === "operations" ? `${describeCount(rate * 1e9)}FLOP/s` : `${describeCount(rate * 1e9)}/s`;
}

function ceilingWords({ name, rate }: Ceiling, work: Work): string {
  if (name === "dram" || name === "l2" || name === "shared")
    return `${t(levelWords[name])} ${describeCount(rate * 1e9)}B/s`;
  return `${t(roofWords[name])} ${perSecond(rate, work)}`;
}

function ceilingLine(ceiling: Ceiling, work: Work): ComponentChild {
  const { role, from, to, label } = ceiling;
  const isFlat = label.turned === 0;
  return h(
    "g",
    { class: `ceiling role-${role}` },
    h("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1] }),
    h(
      "text",
      {
        class: isFlat ? "end" : "",
        transform: `translate(${label.x.toFixed(1)} ${label.y.toFixed(1)}) rotate(${label.turned.toFixed(1)})`,
        dy: -5,
      },
      ceilingWords(ceiling, work),
    ),
  );
}

/**
 * Around the middle: a circle is DRAM, a square L2, a triangle shared memory. The square fits into the
 * circle, so that both are seen where as much moves at both levels.
 */
function shape(level: MemoryLevel): string {
  if (level === "dram") return "M-8 0A8 8 0 1 1 8 0A8 8 0 1 1 -8 0Z";
  return level === "l2" ? "M-4.5 -4.5H4.5V4.5H-4.5Z" : "M0 -7L6.5 5H-6.5Z";
}

function mark(point: RooflinePoint, work: Work): ComponentChild {
  const { role, level, x, y, launch, rate, intensity, reached } = point;
  const text = t(
    "{0}, {1}: {2} at {3} for each byte, {4} of the ceiling",
    launch.kernel,
    t(levelWords[level]),
    perSecond(rate, work),
    Number(intensity.toPrecision(3)),
    describeShare(reached),
  );
  return h(
    "g",
    { class: `mark role-${role}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    h("path", { d: shape(level) }),
    h("title", {}, text),
  );
}

function Legend({
  figures,
  roofline,
}: {
  readonly figures: readonly ComparedFigure[];
  readonly roofline: Roofline;
}): ComponentChild {
  const levels = [...new Set(roofline.points.map(({ level }) => level))];
  const sample = (className: string, level: MemoryLevel): ComponentChild =>
    h(
      "svg",
      { class: "sample", viewBox: "-10 -10 20 20", "aria-hidden": "true" },
      h("g", { class: className }, h("path", { d: shape(level) })),
    );
  return h(
    "ul",
    { class: "legend" },
    figures.map((figure) => h("li", {}, sample(`mark role-${figure.role}`, "dram"), figure.title)),
    levels.map((level) =>
      h("li", {}, sample("mark plain", level), t("by what moves at {0}", t(levelWords[level]))),
    ),
  );
}

function rowsOf(figure: ComparedFigure, { points }: Roofline, work: Work): readonly (readonly string[])[] {
  return figure.launches.map((launch) => {
    const own = points.filter((point) => point.role === figure.role && point.launch === launch);
    return [
      `${launch.kernel}, ${launch.blocks} × ${launch.threadsPerBlock} threads${launch.times > 1 ? `, ${launch.times} times` : ""}`,
      figure.title,
      describeNanoseconds(launch.nanoseconds),
      resourceWord(launch.binding),
      describeCount(workOf(launch, work)),
      own[0] === undefined ? "none" : perSecond(own[0].rate, work),
      ...(Object.keys(levelWords) as MemoryLevel[]).map((level) => {
        const point = own.find((each) => each.level === level);
        return `${describeBytes(launch.bytes[level])}${point === undefined ? "" : `, ${describeShare(point.reached)}`}`;
      }),
    ];
  });
}

function inWords({ points }: Roofline, work: Work): string {
  const parts = points
    .filter(({ level }) => level === "dram")
    .map(
      ({ launch, role, rate, reached }) =>
        `${launch.kernel} ${role}: ${t("{0}, {1} of what DRAM allows", perSecond(rate, work), describeShare(reached))}`,
    );
  return `${t("Roofline, modelled.")} ${parts.length === 0 ? t("No launch moves bytes over DRAM.") : parts.slice(0, 6).join("; ")}`;
}
