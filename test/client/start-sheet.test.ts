import { describe, expect, it, test } from "vitest";
import {
  choose,
  chooseFiles,
  type RememberedOptions,
  requestOptions,
  type RunOptions,
} from "../../client/src/starting/run-options";
import { amountsIn, amountsText, times } from "../../client/src/starting/budget-amounts";
import {
  budgetWords,
  startedWith,
  startRows,
  toldMessages,
  type StartSheet,
} from "../../client/src/starting/start-rows";
import { catalogue } from "../../server/host/services/catalogue";

const settings: RunOptions = {
  strategy: "rulebook",
  target: "vgpu:sm_80",
  budget: { usd: 1, minutes: 10, candidates: 24 },
};
const alone = { file: "k.cu", others: [] };
const sheet: StartSheet = {
  ...{ kernel: "k", catalogue, model: "", settings, chosen: {}, files: alone },
  messages: [],
};
const drawing = {
  file: "k.cu",
  others: [
    { path: "lib/tile.cuh", bySpec: true },
    { path: "lib/util.cuh", bySpec: false },
  ],
};

test.each<[string, Partial<StartSheet>, readonly string[]]>([
  [
    "by the settings, a rulebook that asks no model and a kernel that draws in no file",
    {},
    [
      "Start | optimize k",
      "Strategy: Rulebook | from the settings",
      "Target: A100 40GB SXM (sm_80), modelled | from the settings",
      "Budget: 10 min · 24 candidates | from the settings",
    ],
  ],
  [
    "as chosen: a strategy with a model, a machine, other files and another budget",
    {
      model: "big-model",
      files: drawing,
      chosen: {
        strategy: "refine",
        target: "ssh:box",
        mayTouch: ["lib/util.cuh"],
        budget: { usd: 0.5, minutes: 5, candidates: 1 },
      },
    },
    [
      "Start | optimize k",
      "Strategy: Refine with a model | remembered for this workspace",
      "Model: big-model | from the settings",
      "Target: ssh:box | remembered for this workspace",
      "May touch: k.cu, lib/util.cuh | remembered for this workspace",
      "Budget: $0.5 · 5 min · 1 candidate | remembered for this workspace",
    ],
  ],
  [
    "a model that is missing, and files that the spec names",
    { settings: { ...settings, strategy: "refine" }, files: drawing },
    [
      "Start | optimize k",
      "Strategy: Refine with a model | from the settings",
      "Model: none yet | this strategy needs one",
      "Target: A100 40GB SXM (sm_80), modelled | from the settings",
      "May touch: k.cu, lib/tile.cuh | from the kernel's spec",
      "Budget: $1 · 10 min · 24 candidates | from the settings",
    ],
  ],
])("the start sheet: %s", (_, fields, expected) => {
  const rows = startRows({ ...sheet, ...fields });
  expect(
    rows.map(({ label, description }) => `${label.replace(/^\$\(\S+\) /, "")} | ${description}`),
  ).toEqual(expected);
});

describe("what is remembered for a workspace", () => {
  const chosen = choose({}, settings, ["strategy", "refine"]);

  it.each<[string, RememberedOptions, RunOptions, ReturnType<typeof requestOptions>]>([
    ["nothing", {}, settings, {}],
    ["a choice", chosen, settings, { strategy: "refine" }],
    ["a setting that was changed later counts", chosen, { ...settings, strategy: "search" }, {}],
    ["what the settings say is no choice", choose(chosen, settings, ["strategy", "rulebook"]), settings, {}],
    ["files", chooseFiles(chosen, "file:k", []), settings, { strategy: "refine", mayTouch: [] }],
    ["files of another kernel", chooseFiles({}, "file:other", ["a"]), settings, {}],
    [
      "files as in the spec again",
      chooseFiles(chooseFiles({}, "file:k", ["a"]), "file:k", undefined),
      settings,
      {},
    ],
  ])("%s", (_, remembered, now, expected) => {
    expect(requestOptions(remembered, now, "file:k")).toEqual(expected);
  });

  it("is told in the row's tooltip", () => {
    const budget = { usd: 2, minutes: 5, candidates: 8 };
    expect([
      startedWith({}),
      startedWith({ strategy: "refine", target: "ssh:box", mayTouch: ["a.cuh"], budget }),
      startedWith({ mayTouch: [] }),
    ]).toEqual([
      "",
      "Started as remembered for this workspace: strategy refine · target ssh:box · may change a.cuh too · $2 · 5 min · 8 candidates",
      "Started as remembered for this workspace: may change the kernel's file only",
    ]);
  });
});

test.each([
  ["1, 10, 24", { usd: 1, minutes: 10, candidates: 24 }, "$1 · 10 min · 24 candidates"],
  [
    "1, 10, 24, 200000",
    { usd: 1, minutes: 10, candidates: 24, tokens: 200_000 },
    "$1 · 10 min · 24 candidates · 200000 tokens",
  ],
  [
    "1, 10, 24, 0, 2.5",
    { usd: 1, minutes: 10, candidates: 24, gpuMinutes: 2.5 },
    "$1 · 10 min · 24 candidates · 2.5 min of the GPU",
  ],
  ["1, 10", undefined, ""],
  ["1, 10, 24.5", undefined, ""],
  ["1, 10, 24, 0.5", undefined, ""],
  ["1, 10, 24, -1", undefined, ""],
  ["1, 10, 24, 1, 1, 1", undefined, ""],
  ["1, , 24", undefined, ""],
])("the amounts %s", (text, budget, words) => {
  expect(amountsIn(text)).toEqual(budget);
  if (budget === undefined) return;
  expect([amountsText(budget), budgetWords(budget)]).toEqual([text, words]);
  expect(times(budget, 0.5)).toEqual(
    amountsIn(text.replace(/\d[\d.]*/g, (each) => String(Number(each) / 2))),
  );
});

test.each([
  { strategy: "rulebook", told: [], said: /^This strategy asks no model\. .*: Begin with line 3\.$/ },
  {
    strategy: "refine",
    told: ["Begin with line 3."],
    said: /^The model is told: Begin with line 3\.$/,
  },
])("a hint is told to the model of $strategy, if it has one", ({ strategy, told, said }) => {
  const hinted = { ...sheet, chosen: { strategy }, messages: ["Begin with line 3."] };
  expect(toldMessages(hinted)).toEqual(told);
  expect(startRows(hinted)[0]?.detail).toMatch(said);
});
