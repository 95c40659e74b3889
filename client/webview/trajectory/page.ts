import { h, type ComponentChild } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Channel } from "../common/host";
import { timeWords } from "../common/candidates";
import { runEnd } from "../common/run-end";
import type { FromTrajectoryPage, ToTrajectoryPage } from "../common/messages";
import { ScoreChart } from "./chart";
import { Detail } from "./detail";
import { Head, Tools } from "./head";
import { LineageList } from "./lineage-list";
import { chartPoints, lineage, newsOf, shownSteps, titleOf } from "./model";
import { emptyPage, type PageState, received, stepFrom } from "./state";
import { TimelineList } from "./timeline-list";

/** Time on each event while the session is played, in milliseconds. */
const playPace = 700;

type PageChannel = Channel<ToTrajectoryPage, FromTrajectoryPage>;

/** The whole page of a trajectory. */
export function TrajectoryPage({ channel }: { readonly channel: PageChannel }): ComponentChild {
  const [state, setState] = useState(emptyPage);
  const change = (part: Partial<PageState>): void => setState((before) => ({ ...before, ...part }));
  useEffect(() => {
    channel.listen((message) => setState((before) => received(before, message)));
    channel.send({ kind: "ready" });
  }, [channel]);
  const { steps, labels, filter, chosen, detail, session, playing } = state;
  useEffect(() => {
    if (session !== undefined) channel.keep({ sessionId: session.sessionId, kernel: session.kernel });
  }, [session?.sessionId]);
  const shown = useMemo(() => shownSteps(steps, filter, labels), [steps, filter, labels]);
  const choose = (seq: number): void => {
    change({ chosen: seq });
    channel.send({ kind: "step", seq });
  };
  const move = (by: number): void => {
    const next = stepFrom(shown, chosen, by);
    if (next !== undefined && next !== chosen) choose(next);
    else change({ playing: false });
  };
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setTimeout(() => move(1), playPace);
    return () => clearTimeout(timer);
  }, [playing, chosen]);
  const chosenStep = steps.find(({ seq }) => seq === chosen);
  const { chart, descent } = useCandidatePictures(state, choose);
  return h(
    "main",
    {},
    h(Head, {
      session,
      spent: steps.findLast(({ usd }) => usd !== undefined)?.usd,
      last: session && runEnd(session.status, steps),
    }),
    h("p", { class: "heard", role: "status" }, newsOf(steps, state.total, session ?? {})),
    state.trouble === "" ? null : h("p", { class: "trouble", role: "alert" }, state.trouble),
    chart,
    h(Tools, { state, count: shown.length, change, move }),
    h(
      "div",
      { class: "columns" },
      h(TimelineList, { session: session ?? {}, steps: shown, labels, chosen, choose, move }),
      h(
        "div",
        { class: "side" },
        descent,
        h(Detail, {
          view: detail?.seq === chosen ? detail : undefined,
          title: chosenStep && titleOf(chosenStep, session ?? {}),
          label: chosen === undefined ? undefined : labels.get(chosen),
          openLabel: (seq) => channel.send({ kind: "label", seq }),
          open: (candidate, what) => channel.send({ kind: "open", candidate, what }),
        }),
      ),
    ),
  );
}

/** The chart and the descent. Hundreds of candidates are not drawn anew for each letter of a search. */
function useCandidatePictures(
  { steps: read, total, session, chosen }: PageState,
  choose: (seq: number) => void,
): { readonly chart: ComponentChild; readonly descent: ComponentChild } {
  const drawn = useRef(read);
  // While a long log is being read the pictures stay as they are.
  if (drawn.current.length === 0 || read.length >= total) drawn.current = read;
  const steps = drawn.current;
  const points = useMemo(() => (session === undefined ? [] : chartPoints(steps, session)), [steps, session]);
  const rows = useMemo(() => lineage(session?.candidates ?? []), [session]);
  const chosenCandidate = steps.find(({ seq }) => seq === chosen)?.candidate;
  const chart = useMemo(
    () => h(ScoreChart, { points, what: timeWords(session ?? {}), chosen, choose }),
    [points, chosen],
  );
  const descent = useMemo(() => {
    const show = (candidate: string): void => {
      const judged = steps.findLast((step) => step.candidate === candidate && step.kind === "candidate");
      if (judged !== undefined) choose(judged.seq);
    };
    return h(LineageList, { rows, chosen: chosenCandidate, choose: show });
  }, [rows, chosenCandidate, steps]);
  return { chart, descent };
}
