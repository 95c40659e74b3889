import { expect, test } from "vitest";
import { readSettings } from "../../../server/host/lsp/handshake/sent-settings";
import { defaultSettings } from "../../../server/protocol/settings";

const cases: readonly {
  readonly title: string;
  readonly sent: unknown;
  readonly taken?: Readonly<Record<string, unknown>>;
  readonly problems?: readonly string[];
}[] = [
  { title: "nothing", sent: null },
  { title: "no object", sent: "quick" },
  {
    title: "some, and one that is not ours",
    sent: { "budget.usd": 0.5, exclude: ["*.key"], colour: "red" },
    taken: { "budget.usd": 0.5, exclude: ["*.key"] },
  },
  {
    title: "wrong forms",
    sent: { allowUnwalledCandidates: "false", exclude: ["a", 7], "budget.minutes": "10", nvcc: "/opt/nvcc" },
    taken: { nvcc: "/opt/nvcc" },
    problems: [
      'kernelwright.budget.minutes: expected a number, found "10"; the default 10 is used',
      "kernelwright.exclude[1]: expected text, found 7; the default [] is used",
      'kernelwright.allowUnwalledCandidates: expected true or false, found "false"; the default false is used',
    ],
  },
];

test.each(cases)("settings of a client: $title", ({ sent, taken = {}, problems = [] }) => {
  expect(readSettings(sent)).toEqual({ settings: { ...defaultSettings, ...taken }, problems });
});
