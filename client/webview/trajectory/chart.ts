import { h, type ComponentChild } from "preact";
import { describeNanoseconds } from "../../../server/core/words/quantities";
import { candidateName } from "../common/candidates";
import { t } from "../common/localized";
import { heightOf, stairs } from "../common/scale";
import type { ChartPoint } from "./model";

const width = 600;
const height = 110;
const edge = { left: 62, right: 8, top: 8, bottom: 8 };

interface ChartProps {
  readonly points: readonly ChartPoint[];
  /** What the times are, at the head of a sentence. */
  readonly what: string;
  readonly chosen: number | undefined;
  choose(seq: number): void;
}

/** Modelled times of the correct candidates on a logarithmic axis, and the best so far as a line. */
export function ScoreChart({ points, what, chosen, choose }: ChartProps): ComponentChild {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const times = points.map(({ time }) => time);
  const [low, high] = [Math.min(...times), Math.max(...times)];
  const x = (index: number): number =>
    edge.left + (index * (width - edge.left - edge.right)) / Math.max(1, points.length - 1);
  const y = (time: number): number =>
    edge.top + heightOf(time, { low, high }) * (height - edge.top - edge.bottom);
  return h(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: "xMinYMid",
      role: "img",
      "aria-label": t(
        "{0} of {1} correct candidates, from {2} to {3} at best",
        what,
        points.length,
        describeNanoseconds(first.time),
        describeNanoseconds(last.best),
      ),
    },
    [...new Set([high, low])].map((time) => [
      h("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: y(time), y2: y(time) }),
      h("text", { class: "axis", x: edge.left - 6, y: y(time) + 4 }, describeNanoseconds(time)),
    ]),
    h("path", { class: "best", d: stairs(points.map(({ best }, index) => [x(index), y(best)])) }),
    points.map(({ seq, candidate, time, best }, index) =>
      h(
        "circle",
        {
          class: `point${time === best ? " gain" : ""}${seq === chosen ? " chosen" : ""}`,
          cx: x(index),
          cy: y(time),
          r: seq === chosen ? 6 : 4,
          onClick: () => choose(seq),
        },
        h("title", {}, `${candidateName(candidate)}: ${describeNanoseconds(time)}`),
      ),
    ),
  );
}
