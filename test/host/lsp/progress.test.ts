import { expect, test } from "vitest";
import { reduceSession, type SessionState } from "../../../server/core/trajectory/reduce";
import { sparkline, toProgressView } from "../../../server/host/lsp/views/convert-progress";
import { toSessionView } from "../../../server/host/lsp/views/convert-session";
import { eventsOf, exampleStream } from "../../core/trajectory/event-streams";

const events = eventsOf(exampleStream);

/** What the first events of the log say. */
function stateAfter(count: number): SessionState {
  return reduceSession(events.slice(0, count));
}

test("the progress of a session, by what its log says so far", () => {
  const told = [1, 5, 9, events.length].map((count) =>
    toProgressView(stateAfter(count), count < events.length),
  );
  const began = "2026-01-01T00:00:00.250Z";
  const lastWords = "I pad the tile.";
  const timeLeft = { minutes: 10, of: 10, asOf: began };
  expect(told).toEqual([
    { began: "", lastWords: "", scores: "", stage: "", spent: ["0 candidates"] },
    { began, lastWords: "", scores: "", stage: "asking the model", spent: ["0 of 8 candidates"], timeLeft },
    { began, lastWords, scores: "", stage: "using edit", spent: ["1 of 8 candidates"], timeLeft },
    {
      ...{ began, ended: "2026-01-01T00:00:08.750Z", lastWords },
      ...{ figure: "3.1 µs", scores: "███", stage: "", spent: ["3 of 8 candidates"] },
    },
  ]);
});

test("tokens and GPU minutes are shown with their limits", () => {
  const state = stateAfter(5);
  const { limits, task } = state;
  if (limits === undefined || task === undefined) throw new Error("a session that has begun was expected");
  const spent = (more: object, used: object): readonly string[] =>
    toProgressView(
      {
        ...{ ...state, task: { ...task, model: "m" } },
        ...{ limits: { ...limits, ...more }, used: { ...state.used, ...used } },
      },
      true,
    ).spent;
  expect(spent({}, { tokens: 12_300 })[1]).toBe("12.3 k tokens");
  expect(spent({ tokens: 2e5, gpuMinutes: 5 }, { tokens: 12_300, gpuMinutes: 1.5 }).slice(1, 3)).toEqual([
    "1 min 30 s of 5 min of the GPU",
    "12.3 k of 200 k tokens",
  ]);
  expect(spent({}, { gpuMinutes: 0.5 })[1]).toBe("30 s of the GPU");
});

test.each(["crashed", "damaged"] as const)("a session that is %s is not shown as asking", (status) => {
  const place = { sessionId: "s", file: "k.cu", folder: "/s" };
  expect(toSessionView({ ...place, status: "running" }, stateAfter(5)).progress?.stage).toMatch("asking");
  const { progress } = toSessionView({ ...place, status }, stateAfter(5));
  expect(progress).toMatchObject({ stage: "", spent: ["0 of 8 candidates"] });
});

test.each([
  [[], ""],
  [[7], ""],
  [[8, 8, 4, 1], "██▅▂"],
  [[0, 0], "▁▁"],
  [Array.from({ length: 40 }, (_, index) => 40 - index), "▄▄▃▃▃▃▃▃▂▂▂▂▂▂▁▁"],
])("the values %j are drawn as %j", (values, drawn) => expect(sparkline(values)).toBe(drawn));
