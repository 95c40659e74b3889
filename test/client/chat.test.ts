import { describe, expect, it, test } from "vitest";
import {
  type Answer,
  checked,
  explain,
  type KnownKernel,
  nobodyToTell,
  statusOf,
  told,
} from "../../client/src/chat/answer";
import { isInView, lineIn, namedIn, type Wish, wishOf } from "../../client/src/chat/request";
import type { SessionView } from "../../server/protocol/views";
import manifest from "../../package.json";

const kernel = { uri: "file:///w/k.cu", kernel: "k" };

/** An answer as a reader sees it: links as `→12`, buttons as `[Title: command]`. */
function shown({ parts, followUps }: Answer): readonly string[] {
  const text = parts
    .map((part) => {
      if ("markdown" in part) return part.markdown;
      return "line" in part ? `→${part.line}` : `\n[${part.title}: ${part.command}]`;
    })
    .join("");
  const lines = text.split("\n").filter((line) => line !== "");
  return [...lines, ...followUps.map(({ command, label }) => `${label} /${command}`)];
}

describe("a message", () => {
  it.each<[string | undefined, string, Wish]>([
    [undefined, "keep the signature", "tell"],
    [undefined, "no fp16", "tell"],
    [undefined, "try shared memory", "tell"],
    [undefined, "why is line 12 slow?", "explain"],
    [undefined, "What costs most", "explain"],
    [undefined, "line 12?", "explain"],
    [undefined, "  ", "status"],
    ["optimize", "why not?", "optimize"],
    ["tell", "why is it slow?", "tell"],
    ["unheard", "no fp16", "tell"],
  ])("/%s %s: %s", (command, prompt, wish) => expect(wishOf(command, prompt)).toBe(wish));

  it("names lines and kernels", () => {
    const kernels = [{ name: "nn::scale" }, { name: "scale_all" }, { name: "sum" }];
    expect(["why is line 12 slow", "the 3rd line", "lines of code", "on line 0x"].map(lineIn)).toEqual([
      12,
      3,
      undefined,
      undefined,
    ]);
    expect(
      ["what does scale cost", "scale and sum", "the scaled one"].map((text) => namedIn(text, kernels)?.name),
    ).toEqual(["nn::scale", undefined, undefined]);
  });

  it("is not about what only happens to be in view", () => {
    const references = ["file:///w/k.cu", "implicit.selection", "implicit.viewport", "implicit.file"];
    const ids = references.map((name) => (name.startsWith("implicit") ? `vscode.${name}` : name));
    expect(ids.map(isInView)).toEqual([false, false, true, true]);
  });

  it("has the commands of the manifest", () => {
    const [participant] = manifest.contributes.chatParticipants;
    const names = participant?.commands.map(({ name }) => name) ?? [];
    expect(names.map((name) => wishOf(name, "x"))).toEqual(names);
  });
});

describe("what was counted", () => {
  const fact = (line: number, share: number, text: string): KnownKernel["lines"][number] => ({
    ...{ line, share, text, kind: "fault" as const },
    detail: `| sectors | ${line} |`,
  });
  const known: KnownKernel = {
    kernel,
    origin: "Counted by the virtual GPU for vgpu:sm_80.",
    lines: [
      fact(4, 0.1, "10% of the modelled cost"),
      fact(12, 0.75, "75% of the modelled cost · 32-way bank conflict"),
    ],
    isStale: false,
    verdict: null,
  };
  const rest = [
    "Counted by the virtual GPU for vgpu:sm\\_80\\.",
    "[Show Performance: kernelwright.showPerformance]",
    "[Show Machine Code: kernelwright.showMachineCode]",
    "Is it correct? /check",
    "Optimize it /optimize",
  ];

  it.each<[string, Partial<KnownKernel>, number | undefined, readonly string[]]>([
    [
      "of the costliest lines",
      {},
      undefined,
      ["Where `k` spends its modelled cost:", "- →12: 75% · 32\\-way bank conflict", "- →4: 10%", ...rest],
    ],
    ["of a line", {}, 12, ["→12: 75% of the modelled cost.", "| sectors | 12 |", ...rest]],
    ["of a line without cost", {}, 5, ["→5: no cost was counted on this line.", ...rest]],
    [
      "before an edit, with the last check",
      {
        isStale: true,
        lines: [],
        verdict: { passed: false, isGuess: false, isStale: true, text: "wrong *" },
      },
      undefined,
      [
        "Before your edits: wrong \\*",
        "No line of `k` has counts that belong to its present text.",
        `You have edited the file since it was counted; edited lines are left out. ${rest[0]}`,
        ...rest.slice(1),
      ],
    ],
    [
      "nothing yet",
      { origin: undefined },
      12,
      [
        "Nothing was counted for `k` yet. Profile it: then each line has its counters.",
        "[Profile: kernelwright.profile]",
        "Profile it /profile",
      ],
    ],
  ])("%s", (_, fields, line, expected) => {
    expect(shown(explain({ ...known, ...fields }, line))).toEqual(expected);
  });
});

test("what a check found", () => {
  const place = { uri: kernel.uri, line: 7 };
  const result = {
    ...{ passed: false, summary: "wrong on 1 of 2 shapes", detail: "", isGuess: true, place: null },
    unknowns: ["n is 64"],
    shapes: [
      { name: "n=64", failure: "y[3] is 0", place },
      { name: "n=8", failure: null, place: null },
    ],
  };
  expect(shown(checked(kernel, result))).toEqual([
    "wrong on 1 of 2 shapes",
    "- n\\=64: y\\[3\\] is 0 · →7".replace("\\=", "="),
    "- assumed: n is 64",
    "[Set Up Kernel: kernelwright.createSpec]",
    "What does it cost? /explain",
  ]);
});

test("how runs stand, and where words to them go", () => {
  const began = "2026-01-01T00:00:00.000Z";
  const progress = {
    ...{ figure: "5.39 µs, −78%", scores: "█▂", stage: "checking c3", spent: ["3 of 24 candidates"] },
    ...{ lastWords: "", began },
  };
  const run: SessionView = {
    ...{ sessionId: "s", file: "k.cu", kernel: "k", target: "vgpu:sm_80", strategy: "refine" },
    ...{ status: "running", reason: "", started: began, folder: "", candidates: [], paused: false, progress },
    ...{ hasProposal: false, heldBack: [], partly: null },
  };
  const ended: SessionView = {
    ...run,
    ...{ status: "succeeded", hasProposal: true, progress: null },
    next: { tried: "7 candidates.", headroom: "", moves: [{ kind: "review", text: "Review it." }] },
  };
  const now = Date.parse(began) + 7000;
  expect([
    shown(statusOf(kernel, [run], now)),
    shown(statusOf(kernel, [ended], now)),
    shown(statusOf(kernel, [], now)),
    shown(statusOf(undefined, [], now)),
    shown(told(run)),
    shown(nobodyToTell(kernel)).slice(-1),
  ]).toEqual([
    [
      "`k`: 5\\.39 µs, −78% █▂ · checking c3 · 3 of 24 candidates · 0:07",
      "[Pause: kernelwright.pause]",
      "[Raise Budget: kernelwright.raiseBudget]",
      "[Listen: kernelwright.listen]",
      "Stop the run /stop",
    ],
    ["`k`: improved", "7 candidates\\.", "- Review it\\.", "[Review Proposal: kernelwright.reviewProposal]"],
    ["No session of `k` in this window.", "[Optimize: kernelwright.optimize]"],
    ["Nothing is running."],
    ["The model that optimizes `k` reads it before its next turn.", "How is it going? /status"],
    ["[Optimize: kernelwright.optimize]"],
  ]);
});
