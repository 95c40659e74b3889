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
  readonly chosen: number | undefined;
  choose(seq: number): void;
}

/** Modelled bounds of the correct candidates on a logarithmic axis, and the best so far as a line. */
export function ScoreChart({ points, chosen, choose }: ChartProps): ComponentChild {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const bounds = points.map(({ bound }) => bound);
  const [low, high] = [Math.min(...bounds), Math.max(...bounds)];
  const x = (index: number): number =>
    edge.left + (index * (width - edge.left - edge.right)) / Math.max(1, points.length - 1);
  const y = (bound: number): number =>
    edge.top + heightOf(bound, { low, high }) * (height - edge.top - edge.bottom);
  return h(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: "xMinYMid",
      role: "img",
      "aria-label": t(
        "Modelled bound of {0} correct candidates, from {1} to {2} at best",
        points.length,
        describeNanoseconds(first.bound),
        describeNanoseconds(last.best),
      ),
    },
    [...new Set([high, low])].map((bound) => [
      h("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: y(bound), y2: y(bound) }),
      h("text", { class: "axis", x: edge.left - 6, y: y(bound) + 4 }, describeNanoseconds(bound)),
    ]),
    h("path", { class: "best", d: stairs(points.map(({ best }, index) => [x(index), y(best)])) }),
    points.map(({ seq, candidate, bound, best }, index) =>
      h(
        "circle",
        {
          class: `point${bound === best ? " gain" : ""}${seq === chosen ? " chosen" : ""}`,
          cx: x(index),
          cy: y(bound),
          r: seq === chosen ? 6 : 4,
          onClick: () => choose(seq),
        },
        h("title", {}, `${candidateName(candidate)}: ${describeNanoseconds(bound)}`),
      ),
    ),
  );
}
