import { h, type ComponentChild } from "preact";
import { describeNanoseconds } from "../../../server/core/words/quantities";
import { clockText } from "../common/clock-text";
import { heightOf, stairs } from "../common/scale";
import type { CurvePoint } from "./model";
import { t } from "../common/localized";

const width = 900;
const height = 240;
const edge = { left: 70, right: 16, top: 14, bottom: 26 };

interface Scale {
  x(at: number): number;
  y(bound: number): number;
}

/** Best modelled time so far over time, one line for each session: the second is dashed. */
export function Curves({ curves }: { readonly curves: readonly (readonly CurvePoint[])[] }): ComponentChild {
  const points = curves.flat();
  if (points.length === 0)
    return h(
      "p",
      { class: "empty" },
      t("Neither session has a correct candidate whose time could be drawn."),
    );
  const bounds = points.map(({ best }) => best);
  const [low, high] = [Math.min(...bounds), Math.max(...bounds)];
  const end = Math.max(1, ...points.map(({ at }) => at));
  const scale: Scale = {
    x: (at) => edge.left + (at / end) * (width - edge.left - edge.right),
    y: (bound) => edge.top + heightOf(bound, { low, high }) * (height - edge.top - edge.bottom),
  };
  return h(
    "svg",
    {
      class: "curves",
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": inWords(curves),
    },
    [...new Set([high, low])].map((bound) => [
      h("line", {
        class: "grid",
        x1: edge.left,
        x2: width - edge.right,
        y1: scale.y(bound),
        y2: scale.y(bound),
      }),
      h("text", { class: "axis end", x: edge.left - 6, y: scale.y(bound) + 4 }, describeNanoseconds(bound)),
    ]),
    h("text", { class: "axis", x: edge.left, y: height - 6 }, "0:00"),
    h("text", { class: "axis end", x: width - edge.right, y: height - 6 }, clockText(end)),
    curves.map((curve, index) =>
      h("path", {
        class: `curve curve-${index}`,
        d: stairs(curve.map(({ at, best }) => [scale.x(at), scale.y(best)] as const)),
      }),
    ),
  );
}

function inWords(curves: readonly (readonly CurvePoint[])[]): string {
  const words = curves.map((curve, index) => {
    const [first, last] = [curve[0], curve.at(-1)];
    return first && last
      ? t(
          "session {0} from {1} to {2}",
          index + 1,
          describeNanoseconds(first.best),
          describeNanoseconds(last.best),
        )
      : t("session {0} without a correct candidate", index + 1);
  });
  return t("Best modelled time over time: {0}", words.join("; "));
}
