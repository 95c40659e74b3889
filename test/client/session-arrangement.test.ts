import { expect, it } from "vitest";
import {
  dateText,
  groupedByKernel,
  listed,
  sessionsWith,
} from "../../client/src/sessions/session-arrangement";
import type { SessionView } from "../../server/protocol/views";
import { endedSession } from "./session-fixture";

const sessions: readonly SessionView[] = [
  { ...endedSession, sessionId: "4", name: "Wide rows" },
  { ...endedSession, sessionId: "3", file: "transpose.cu", kernel: "transpose", status: "no_gain" },
  { ...endedSession, sessionId: "2", strategy: "refine", status: "crashed" },
  { ...endedSession, sessionId: "1", file: "other/softmax.py" },
];

it.each([
  ["", ["4", "3", "2", "1"]],
  ["  SOFTMAX  refine ", ["2"]],
  ["no gain", ["3"]],
  ["wide", ["4"]],
  ["interrupted", ["2"]],
  ["nothing like it", []],
])("sessions with the words %j", (words, ids) => {
  expect(sessionsWith(sessions, words).map(({ sessionId }) => sessionId)).toEqual(ids);
});

it("sessions of one kernel of one file stand together, the newest group first", () => {
  expect(
    groupedByKernel(sessions).map((group) => [
      group.kernel,
      group.file,
      group.sessions.map(({ sessionId }) => sessionId),
    ]),
  ).toEqual([
    ["softmax_kernel", "softmax.py", ["4", "2"]],
    ["transpose", "transpose.cu", ["3"]],
    ["softmax_kernel", "other/softmax.py", ["1"]],
  ]);
});

it.each([
  [new Date(2026, 10, 23, 9, 5), "09:05"],
  [new Date(2026, 10, 22, 23, 59), "22 Nov, 23:59"],
  [new Date(2025, 10, 23, 9, 5), "23 Nov 2025"],
])("a session of %s has a date", (started, text) => {
  expect(dateText(started.toISOString(), new Date(2026, 10, 23, 12, 0), "en-GB")).toBe(text);
});

it("a session whose start was never written has none", () => {
  expect(dateText("", new Date())).toBe("");
});

const progress: NonNullable<SessionView["progress"]> = {
  ...{ stage: "", began: "2026-11-23T10:00:00Z", figure: "5.39 µs", scores: "█▅" },
  ...{ spent: [], lastWords: "I look once more." },
};
const running: SessionView = { ...endedSession, status: "running" };
const failed: SessionView = { ...endedSession, status: "failed", reason: "no answer" };
const paused: SessionView = { ...running, paused: true, progress };

it.each([
  { what: "that nobody knew", row: running, known: undefined, shown: running },
  { what: "of a paused run", row: running, known: paused, shown: paused },
  {
    what: "of a run that got a name",
    row: { ...running, name: "Wide rows" },
    known: paused,
    shown: { ...paused, name: "Wide rows" },
  },
  { what: "of a run of another window", row: running, known: { ...running, paused: true }, shown: running },
  { what: "of a run that has ended", row: endedSession, known: paused, shown: { ...endedSession, progress } },
  {
    what: "of a run that failed while the model was asked",
    row: failed,
    known: { ...running, progress: { ...progress, stage: "asking m", spent: ["0.3 of 1 US dollars left"] } },
    shown: { ...failed, progress },
  },
])("a row of the list $what", ({ row, known, shown }) => {
  expect(listed(row, known)).toEqual(shown);
});
