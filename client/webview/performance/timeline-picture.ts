import { h, type ComponentChild } from "preact";
import { warpActivities } from "../../../server/core/timing/execution/launch-model";
import { activities, activityOrder } from "../../../server/core/words/model-text";
import { describeNanoseconds, describeShare } from "../../../server/core/words/quantities";
import type { SimulationView } from "../../../server/protocol/performance-views";
import { type Band, mostPerClock, timelineOf, timelineSize as size } from "./geometry/timeline";
import { Numbers } from "./numbers";
import { t } from "../common/localized";

const order = activityOrder.map((activity) => warpActivities.indexOf(activity));
/** Of the stretches as many are told in the table. */
const rowsAtMost = 64;

/** One multiprocessor while it runs a launch: what its resident warps do and wait for. */
export function TimelinePicture({ simulation }: { readonly simulation: SimulationView }): ComponentChild {
  const { bands, pace, ticks } = timelineOf(simulation, order);
  const { width, height, left, right, top, bottom } = size;
  const told = bands.map(({ activity, share }) => `${wordsOf(activity)} ${describeShare(share)}`);
  return [
    h("p", { class: "note" }, summary(simulation)),
    h(
      "svg",
      {
        class: "picture",
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": t("What the resident warps do over time, simulated: {0}", told.join(", ")),
      },
      bands.map(({ activity, path }) =>
        h(
          "path",
          { class: `band band-${warpActivities[activity] ?? ""}`, d: path },
          h("title", {}, wordsOf(activity)),
        ),
      ),
      h("path", { class: "pace", d: pace }),
      [0, 0.5, 1].map((part) => {
        const y = height - bottom - part * (height - top - bottom);
        return [
          h("text", { class: "axis end", x: left - 6, y: y + 4 }, describeShare(part)),
          h("text", { class: "axis", x: width - right + 6, y: y + 4 }, `${part * mostPerClock} / clock`),
        ];
      }),
      ticks.map(({ x, nanoseconds }) =>
        h("text", { class: "axis middle", x, y: height - bottom + 16 }, describeNanoseconds(nanoseconds)),
      ),
    ),
    h(Legend, { bands }),
    h(Numbers, {
      title: t("Multiprocessor over time"),
      heads: [t("From"), t("Instructions a clock"), ...bands.map(({ activity }) => wordsOf(activity))],
      rows: simulation.stretches
        .slice(0, rowsAtMost)
        .map(({ fromNanoseconds, instructionsPerClock, shares }) => [
          describeNanoseconds(fromNanoseconds),
          instructionsPerClock.toFixed(2),
          ...bands.map(({ activity }) => describeShare(shares[activity] ?? 0)),
        ]),
    }),
  ];
}

function Legend({ bands }: { readonly bands: readonly Band[] }): ComponentChild {
  return h(
    "ul",
    { class: "legend" },
    bands.map(({ activity, share }) =>
      h(
        "li",
        {},
        h("span", { class: `swatch band-${warpActivities[activity] ?? ""}`, "aria-hidden": "true" }),
        `${wordsOf(activity)} ${describeShare(share)}`,
      ),
    ),
    h(
      "li",
      {},
      h("span", { class: "swatch pace-sample", "aria-hidden": "true" }),
      t("instructions a clock (right axis)"),
    ),
  );
}

function wordsOf(activity: number): string {
  const name = warpActivities[activity];
  return name === undefined ? "" : activities[name].words;
}

function summary({
  kernel,
  gpu,
  nanoseconds,
  residentWarps,
  simulatedShare,
  isSound,
  busy,
}: SimulationView): string {
  const part =
    simulatedShare < 1
      ? t(" The first {0} of its instructions were simulated.", describeShare(simulatedShare))
      : "";
  const units = busy.slice(0, 5).map(({ unit, share }) => `${unit} ${describeShare(share)}`);
  const warning = isSound
    ? ""
    : t(" Not to be used: the simulated warps did not go the way that was counted.");
  const time = t(
    "{0} on {1}: {2} by simulation of the machine code, {3} warps resident.",
    ...[kernel, gpu, describeNanoseconds(nanoseconds), residentWarps],
  );
  return `${time}${part} ${t("Busy: {0}.", units.join(", "))}${warning}`;
}
