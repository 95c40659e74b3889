import { describe, expect, it } from "vitest";
import { escapeMarkdown, fencedBlock } from "../../client/src/markdown";
import { hunkBody } from "../../client/src/review/hunk-text";
import { boundedRestarts } from "../../client/src/server/restart-policy";
import {
  candidateDescription,
  candidateTitle,
  candidateLook,
  childrenOf,
  sessionWord,
} from "../../client/src/sessions/session-words";
import type { CandidateView, SessionView } from "../../server/protocol/views";

describe("text of others in Markdown", () => {
  it("stays text", () => {
    expect(escapeMarkdown("[run](command:x) <img src=x> `a` $(zap)\n# head")).toBe(
      "\\[run\\]\\(command:x\\) \\<img src=x\\> \\`a\\` \\$\\(zap\\) \\# head",
    );
  });

  it("cannot leave its block of code", () => {
    expect(fencedBlock("diff", ["+ ```", "+ ````"])).toBe("`````diff\n+ ```\n+ ````\n`````");
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
        claim: { state: "proposal", passed: true, text: "All 2 changes together: correct on 4 cases" },
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
    candidates: [candidate("base"), candidate("a", "base"), candidate("b", "a"), candidate("c", "lost")],
  };

  it("stand below their parents; one whose parent is not known stands at the top", () => {
    expect(
      [undefined, "base", "a", "b"].map((parent) => childrenOf(session, parent).map(({ id }) => id)),
    ).toEqual([["base", "c"], ["a"], ["b"], []]);
  });

  it("say their stage, their state and the reason; one that was cut short says so", () => {
    const open: CandidateView = { ...candidate("a"), state: "running", stage: "compiled", reason: "" };
    const said = [
      candidateTitle({ ...candidate("a"), figure: "5.39 µs, −78 %" }),
      candidateDescription(session, candidate("a")),
      candidateDescription({ ...session, status: "running" }, open),
      candidateDescription(session, open),
      sessionWord(session),
    ];
    expect(said).toEqual([
      "5.39 µs, −78 % · a",
      "correct · dropped: no gain",
      "compiled",
      "compiled · not judged to the end",
      "no gain",
    ]);
    expect([
      candidateLook({ ...session, status: "running" }, open).icon,
      candidateLook(session, open).icon,
    ]).toEqual(["sync~spin", "debug-pause"]);
  });
});
