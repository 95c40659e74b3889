import { h, type ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import { describeNanoseconds } from "../../../server/core/words/quantities";
import type { PerformanceView } from "../../../server/protocol/performance-views";
import type { Channel } from "../common/host";
import { t } from "../common/localized";
import type { AskedPerformance, FromPerformancePage, ToPerformancePage } from "../common/messages";
import { BarsPicture, inWords } from "./bars-picture";
import { usualWork, type Work } from "./geometry/roofline";
import { MemoryPicture } from "./memory-picture";
import { RooflinePicture } from "./roofline-picture";
import { TimelinePicture } from "./timeline-picture";

interface PageState {
  readonly view?: PerformanceView;
  /** The view comes from a log. */
  readonly isRecorded: boolean;
  readonly trouble: string;
  readonly busy: boolean;
  readonly asked: AskedPerformance;
  /** What the user chose; else what the kernel does. */
  readonly work?: Work;
}

/** The whole page of a kernel's performance. */
export function PerformancePage({
  channel,
}: {
  readonly channel: Channel<ToPerformancePage, FromPerformancePage>;
}): ComponentChild {
  const [state, setState] = useState<PageState>({
    isRecorded: false,
    trouble: "",
    busy: true,
    asked: { shape: 0 },
  });
  useEffect(() => {
    channel.listen((message) => {
      if (message.kind === "view") {
        channel.keep(message.page);
        const { view, isRecorded } = message;
        setState((before) => ({ ...before, view, isRecorded, trouble: "", busy: false }));
      } else setState((before) => ({ ...before, trouble: message.sentence, busy: false }));
    });
    channel.send({ kind: "ask", asked: state.asked });
  }, [channel]);
  const ask = (change: Partial<AskedPerformance>): void => {
    const asked = { ...state.asked, ...change };
    setState((before) => ({ ...before, asked: { ...asked, again: false }, busy: true, trouble: "" }));
    channel.send({ kind: "ask", asked });
  };
  const { view, trouble, busy } = state;
  return h(
    "main",
    { "aria-busy": busy },
    h("h1", {}, view === undefined ? t("Kernel Performance") : t("Performance of {0}", view.kernel)),
    trouble === "" ? null : h("p", { class: "trouble", role: "alert" }, trouble),
    h("p", { class: "note", role: "status" }, busy ? t("The kernel is run and modelled …") : ""),
    view === undefined
      ? null
      : [
          h(Controls, { view, ask, asked: state.asked, isRecorded: state.isRecorded }),
          h(Pictures, {
            view,
            work: state.work ?? usualWork(view.figures),
            choose: (work) => setState((before) => ({ ...before, work })),
          }),
        ],
  );
}

interface ControlsProps {
  readonly view: PerformanceView;
  readonly asked: AskedPerformance;
  readonly isRecorded: boolean;
  ask(change: Partial<AskedPerformance>): void;
}

type Selected = { readonly currentTarget: HTMLSelectElement };

function Controls({ view, asked, isRecorded, ask }: ControlsProps): ComponentChild {
  const own = view.figures[0]?.gpu;
  return h(
    "div",
    { class: "tools", role: "toolbar", "aria-label": t("Shape, GPU and profile") },
    h(
      "label",
      {},
      `${t("Shape")} `,
      h(
        "select",
        { onChange: ({ currentTarget }: Selected) => ask({ shape: Number(currentTarget.value) }) },
        view.shapes.map((shape, index) =>
          h(
            "option",
            { value: index, selected: index === view.shape },
            shape === "" ? t("the only one") : shape,
          ),
        ),
      ),
    ),
    view.gpus.length === 0
      ? null
      : h(
          "label",
          {},
          `${t("Compare with GPU")} `,
          h(
            "select",
            {
              onChange: ({ currentTarget }: Selected) =>
                ask({ gpu: currentTarget.value === "" ? undefined : currentTarget.value }),
            },
            h("option", { value: "", selected: asked.gpu === undefined }, t("none")),
            view.gpus
              .filter((gpu) => gpu !== own)
              .map((gpu) => h("option", { value: gpu, selected: gpu === asked.gpu }, gpu)),
          ),
        ),
    isRecorded
      ? null
      : h("button", { type: "button", onClick: () => ask({ again: true }) }, t("Profile Again")),
  );
}

interface PicturesProps {
  readonly view: PerformanceView;
  readonly work: Work;
  choose(work: Work): void;
}

function Pictures({ view, work, choose }: PicturesProps): ComponentChild {
  const { figures, simulation, trouble, measuredNanoseconds: measured } = view;
  return [
    trouble === "" ? null : h("p", { class: "trouble" }, t("Counted all the same: {0}", trouble)),
    h(
      "ul",
      { class: "facts" },
      figures.map((figure) => h("li", {}, inWords(figure))),
      measured === null
        ? null
        : h("li", {}, t("Measured on the GPU of {0}: {1}.", view.target, describeNanoseconds(measured))),
    ),
    h(
      "p",
      { class: "note" },
      t(
        "Counts are exact, of a run on the virtual GPU. Times, caches and what sets the bound are modelled from published peaks, not measured. Another GPU is modelled with the same counts and the same registers, and compared by the bound.",
      ),
    ),
    h("h2", {}, t("Roofline, modelled")),
    h(
      "div",
      { class: "tools", role: "group", "aria-label": t("What the roofline counts") },
      (["operations", "instructions"] as const).map((each) =>
        h(
          "button",
          {
            type: "button",
            class: each === work ? "chip on" : "chip",
            "aria-pressed": each === work,
            onClick: () => choose(each),
          },
          each === "operations" ? t("Floating-point operations") : t("Instructions of warps"),
        ),
      ),
    ),
    h(RooflinePicture, { figures, work }),
    h("h2", {}, t("Time of each resource alone, modelled")),
    h(BarsPicture, { figures }),
    figures.map((figure) => [
      h("h2", {}, t("Memory: accesses counted, caches modelled. {0}", figure.title)),
      h(MemoryPicture, { figure }),
    ]),
    h("h2", {}, t("One multiprocessor over time, modelled")),
    simulation === null ? h("p", { class: "note" }, view.notSimulated) : h(TimelinePicture, { simulation }),
  ];
}
