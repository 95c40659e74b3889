import { describe, expect, it } from "vitest";
import { escapeMarkdown, fencedBlock } from "../../client/src/markdown";
import { hunkBody } from "../../client/src/review/hunk-text";
import { plainText } from "../../client/webview/common/plain-text";
import { kernelDescription } from "../../client/src/kernels/kernel-words";
import { newLines } from "../../client/src/review/new-lines";
import { boundedRestarts } from "../../client/src/server/restart-policy";
import {
  candidateDescription,
  candidateTitle,
  candidateLook,
  candidateRow,
  childrenOf,
  elapsedText,
  runDescription,
  sentences,
  sessionWord,
  spokenRow,
} from "../../client/src/sessions/session-words";
import type { CandidateView, SessionView, WorkspaceKernelView } from "../../server/protocol/views";

it("says what a run came to in sentences", () => {
  const parts = ["sum: nothing better was found.", "", "line 3: may be meant so", "Ask a model?"];
  expect(sentences(parts)).toBe("sum: nothing better was found. line 3: may be meant so. Ask a model?");
});

describe("text of others in Markdown", () => {
  it("stays text", () => {
    expect(escapeMarkdown("[run](command:x) <img src=x> `a` $(zap)\n# head")).toBe(
      "\\[run\\]\\(command:x\\) \\<img src=x\\> \\`a\\` \\$\\(zap\\) \\# head",
    );
  });

  it("cannot leave its block of code", () => {
    expect(fencedBlock("diff", ["+ ```", "+ ````"])).toBe("`````diff\n+ ```\n+ ````\n`````");
  });

  it("loses its marks in a terminal, and tables become columns", () => {
    expect(
      plainText(
        "**k: wrong**\n\n| shape | tolerance | result |\n| --- | ---: | --- |\n| n=8 | 0.1·\\|x\\| | passed |\n| n=1024 | 0 | failed |\n- `a` 3 \\* 4",
      ),
    ).toBe(
      "k: wrong\n\nshape   tolerance  result\nn=8     0.1·|x|    passed\nn=1024  0          failed\n- `a` 3 * 4",
    );
  });

  it("has long words of a table below their row", () => {
    const why = "race in shared memory: thread (32,0,0) reads what thread (31,0,0) wrote";
    expect(plainText(`| shape | result |\n| --- | --- |\n| n=8 | ${why} |\n| n=16 | passed |`)).toBe(
      `shape  result\nn=8\n  ${why}\nn=16   passed`,
    );
  });

  it("shows addresses of links in a terminal; what only looks like a link stays", () => {
    expect(plainText("[How it is made](file:///docs/made.md)\n- `[](int a) { return a; }`, x[i](0)")).toBe(
      "How it is made: file:///docs/made.md\n- `[](int a) { return a; }`, x[i](0)",
    );
  });

  it("is the change, what it is for and what was measured", () => {
    const hunk = {
      id: "h",
      file: "k.cu",
      baseStart: 1,
      baseLines: ["int a;"],
      proposedLines: ["int b;"],
    };
    expect(
      hunkBody(hunk, {
        language: "cuda-cpp",
        hypothesis: "pad *it*",
        state: "edited",
        claim: {
          state: "proposal",
          passed: true,
          text: "All 2 changes together: correct on 4 cases",
        },
        group: "This change needs change 2: they are accepted as one.",
      }),
    ).toBe(
      [
        "$(warning) **You have edited these lines since the proposal was made:** take the proposal's, keep yours, or edit both side by side.",
        "```cuda-cpp\nint b;\n```",
        "pad \\*it\\*",
        "$(link) This change needs change 2: they are accepted as one\\.",
        "$(beaker) All 2 changes together: correct on 4 cases",
      ].join("\n\n"),
    );
  });
});

describe("new lines beside the old ones", () => {
  const long = "x".repeat(120);
  const shared = "accumulator[threadIdx.x] += scale_of_this_row[threadIdx.y]";
  it.each([
    ["one for one", ["  int a;"], ["  int b;"], [{ row: 0, text: "int b;", more: 0 }]],
    [
      "more than there were",
      ["a", "b"],
      ["c", "d", "e", "f"],
      [
        { row: 0, text: "c", more: 0 },
        { row: 1, text: "d", more: 2 },
      ],
    ],
    [
      "changed lines beside those they are like, new ones behind the line that stays",
      ["float sum = 0;", "{", "  __shared__ float part[256];", "  int column = blockIdx.x;"],
      [
        "double sum = 0;",
        "{",
        "  const int at = threadIdx.x;",
        "  const bool inside = at < n;",
        "  __shared__ float part[32][8];",
        "  int column = at;",
      ],
      [
        { row: 0, text: "double sum = 0;", more: 0 },
        { row: 1, text: "const int at = threadIdx.x;", more: 1 },
        { row: 2, text: "__shared__ float part[32][8];", more: 0 },
        { row: 3, text: "int column = at;", more: 0 },
      ],
    ],
    [
      "what would stand before the first line",
      ["a", "b"],
      ["x", "a", "c"],
      [
        { row: 0, text: "x", more: 1 },
        { row: 1, text: "c", more: 0 },
      ],
    ],
    ["fewer than there were", ["a", "b"], ["c"], [{ row: 0, text: "c", more: 0 }]],
    ["an insertion", [], ["a", "b"], [{ row: -1, text: "a", more: 1 }]],
    ["an insertion that begins with a blank line", [], ["", "b"], [{ row: -1, text: "", more: 1 }]],
    ["a blank line", ["a", "b"], ["", "c"], [{ row: 1, text: "c", more: 0 }]],
    ["lines that go", ["a"], [], []],
    ["a long line", ["a"], [long], [{ row: 0, text: `${long.slice(0, 112)}…`, more: 0 }]],
    [
      "a long line whose beginning stays",
      [`  ${shared} * value_of(i);`],
      [`  ${shared} * value_of(j);`],
      [{ row: 0, text: "…j);", more: 0 }],
    ],
    [
      "a long line behind one of any length",
      [long],
      [long.replace("x", "y")],
      [{ row: 0, text: `y${long.slice(0, 38)}…`, more: 0 }],
    ],
  ])("%s", (_, baseLines, proposedLines, expected) => {
    expect(newLines({ id: "h", file: "k.cu", baseStart: 1, baseLines, proposedLines })).toEqual(expected);
  });
});

it("a kernel's row says which of its times are bounds", () => {
  const kernel = (kind: "bound" | "simulation"): WorkspaceKernelView => ({
    ...{ uri: "file:///k.cu", name: "k", line: 6, file: "k.cu", dialect: "cuda", verdict: null },
    ...{ session: { sessionId: "s", status: "succeeded", figure: "1.2 µs, −50%" }, workload: null },
    ...{ time: { text: "2.4 µs", kind }, share: null, recorded: null, specUri: undefined },
  });
  expect((["bound", "simulation"] as const).map((kind) => kernelDescription(kernel(kind)))).toEqual([
    "bound 2.4 µs · best 1.2 µs, −50% · k.cu:7",
    "2.4 µs · best 1.2 µs, −50% · k.cu:7",
  ]);
});

describe("the row of a run", () => {
  const began = "2026-01-01T00:00:00.000Z";
  const progress = {
    figure: "5.39 µs, −78%",
    scores: "█▆▂",
    stage: "checking c3",
    spent: ["3 of 24 candidates", "12,300 tokens", "0.92 of 1 US dollars left"],
    lastWords: "",
    began,
  };
  const view: SessionView = {
    sessionId: "s",
    file: "k.cu",
    kernel: "k",
    target: "vgpu:sm_80",
    strategy: "refine",
    status: "running",
    reason: "",
    started: began,
    folder: "",
    candidates: [],
    paused: false,
    progress,
    hasProposal: false,
    heldBack: [],
    partly: null,
  };
  const now = Date.parse(began) + 75_000;

  it.each<[Partial<SessionView>, string]>([
    [
      {},
      "5.39 µs, −78% █▆▂ · checking c3 · 3 of 24 candidates · 12,300 tokens · 0.92 of 1 US dollars left · 1:15",
    ],
    [
      { progress: { ...progress, stage: "asking m", lastWords: "I tile it." } },
      "5.39 µs, −78% █▆▂ · asking m · 3 of 24 candidates · 12,300 tokens · 0.92 of 1 US dollars left · 1:15 · I tile it.",
    ],
    [
      {
        status: "no_gain",
        reason: "no rule fires",
        progress: {
          ...progress,
          stage: "",
          spent: ["0 of 24 candidates"],
          scores: "",
          ended: began,
        },
      },
      "no gain · 5.39 µs, −78% · 0 of 24 candidates · 0:00 · no rule fires",
    ],
    [
      { status: "succeeded", reason: "c2 is faster", progress: { ...progress, spent: [], ended: began } },
      "5.39 µs, −78% · improved · 0:00 · █▆▂ · c2 is faster",
    ],
    [
      { paused: true },
      "pauses after this step · 5.39 µs, −78% █▆▂ · checking c3 · 3 of 24 candidates · 12,300 tokens · 0.92 of 1 US dollars left · 1:15",
    ],
    [{ paused: true, progress: { ...progress, stage: "", spent: [] } }, "paused · 5.39 µs, −78% █▆▂ · 1:15"],
    // A minute and a quarter after that was counted, and while nothing is used up.
    ...([false, true] as const).map((paused): [Partial<SessionView>, string] => [
      {
        paused,
        progress: {
          ...{ began, scores: "", lastWords: "", stage: "", spent: [] },
          timeLeft: { minutes: 9, of: 10, asOf: began },
        },
      },
      paused ? "paused · 9 of 10 minutes left · 1:15" : "7.8 of 10 minutes left · 1:15",
    ]),
    [{ status: "failed", reason: "no model", progress: null }, "failed · no model"],
    [
      { status: "crashed", progress: { ...progress, stage: "asking m", spent: [] } },
      "interrupted · 5.39 µs, −78% · █▆▂",
    ],
  ])("has numbers first", (fields, expected) => {
    expect(runDescription({ ...view, ...fields }, now)).toBe(expected);
  });

  it.each<[Partial<SessionView>, string]>([
    [
      { progress: { ...progress, stage: "asking m", spent: ["3 of 24 candidates"] } },
      "running, 5.39 µs, −78%, asking m, 3 of 24 candidates, 1:15",
    ],
    [{ paused: true, progress: { ...progress, stage: "", spent: [] } }, "paused, 5.39 µs, −78%, 1:15"],
    [
      { status: "succeeded", reason: "c2 is faster", progress: { ...progress, spent: [], ended: began } },
      "improved, 5.39 µs, −78%, 0:00, c2 is faster",
    ],
    [{ status: "failed", reason: "no model", progress: null }, "failed, no model"],
  ])("is heard with its state first and without its picture", (fields, expected) => {
    const heard = { ...view, ...fields };
    expect(spokenRow(heard, runDescription(heard, now))).toBe(expected);
  });

  it.each([
    [0, "0:00"],
    [-5, "0:00"],
    [754_900, "12:34"],
    [3_723_000, "1:02:03"],
  ])("says %i ms as %s", (passed, text) => expect(elapsedText(0, passed)).toBe(text));
});

describe("a server that ends by itself", () => {
  it("is started again four times in three minutes, and again later", () => {
    const policy = boundedRestarts(4, 180_000);
    expect([0, 1, 2, 3, 4, 200_000].map((now) => policy.allows(now * (now > 100 ? 1 : 1_000)))).toEqual([
      true,
      true,
      true,
      true,
      false,
      true,
    ]);
  });
});

describe("candidates", () => {
  const candidate = (id: string, parent?: string): CandidateView => ({
    id,
    parent,
    hypothesis: id,
    origin: "rulebook",
    stage: "correct",
    state: "dropped",
    reason: "no gain",
  });
  const session: SessionView = {
    sessionId: "s",
    file: "k.cu",
    kernel: "k",
    target: "vgpu:sm_80",
    strategy: "rulebook",
    status: "no_gain",
    reason: "",
    started: "2026-01-01T00:00:00Z",
    folder: "/s",
    hasProposal: false,
    heldBack: [],
    partly: null,
    paused: false,
    progress: null,
    candidates: [candidate("base"), candidate("a", "base"), candidate("b", "a"), candidate("c", "lost")],
  };

  it("stand below their parents; one whose parent is not known stands at the top", () => {
    expect(
      [undefined, "base", "a", "b"].map((parent) => childrenOf(session, parent).map(({ id }) => id)),
    ).toEqual([["base", "c"], ["a"], ["b"], []]);
  });

  it.each<[string, Partial<CandidateView>, string, string]>([
    ["a win", { figure: "5.39 µs, −78%", state: "best" }, "−78% · Pad the rows of tile by 1", "5.39 µs"],
    [
      "a baseline",
      { figure: "24.5 µs", state: "accepted", hypothesis: "baseline" },
      "24.5 µs · baseline",
      "",
    ],
    ["no gain", { figure: "25 µs, +2%" }, "+2% · Pad the rows of tile by 1", "25 µs · no gain"],
    ["one without a reason", { reason: "" }, "Pad the rows of tile by 1", "dropped"],
    [
      "one that is being judged",
      { state: "running" },
      "Pad the rows of tile by 1",
      "correct · not judged to the end",
    ],
    [
      "a long thought",
      { state: "best", hypothesis: "Keep the partial sums of each warp in registers of its lanes" },
      "Keep the partial sums of each warp…",
      "",
    ],
    [
      "a verb that its reason alone explains",
      { state: "best", hypothesis: "Multiply instead of calling pow." },
      "Multiply instead of calling pow",
      "",
    ],
    [
      "a call, and a number of something",
      { state: "best", hypothesis: "Carry powf(gain, k) along (line 3 calls it)" },
      "Carry powf(gain, k) along",
      "",
    ],
    [
      "a number that another one replaces",
      { state: "best", hypothesis: "Launch programs of 1 instead of 4 warps, which waits less" },
      "Launch programs of 1 instead of 4…",
      "",
    ],
  ])("have rows that a narrow view holds: %s", (_, fields, label, description) => {
    const hypothesis = "Pad the rows of tile by 1 so that the elements of one column do not fall together";
    expect(candidateRow(session, { ...candidate("a"), hypothesis, ...fields })).toEqual({
      label,
      description,
    });
  });

  it("say their stage, their state and the reason; one that was cut short says so", () => {
    const open: CandidateView = {
      ...candidate("a"),
      state: "running",
      stage: "compiled",
      reason: "",
    };
    const said = [
      candidateTitle({ ...candidate("a"), figure: "5.39 µs, −78%" }),
      candidateDescription(session, candidate("a")),
      candidateDescription({ ...session, status: "running" }, open),
      candidateDescription(session, open),
      sessionWord(session),
      sessionWord({ ...session, status: "running", paused: true }),
    ];
    expect(said).toEqual([
      "5.39 µs, −78% · a",
      "correct · dropped: no gain",
      "compiled",
      "compiled · not judged to the end",
      "no gain",
      "paused",
    ]);
    expect([
      candidateLook({ ...session, status: "running" }, open).icon,
      candidateLook(session, open).icon,
    ]).toEqual(["sync~spin", "debug-pause"]);
  });
});
