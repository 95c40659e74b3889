import { expect, test } from "vitest";
import { OperationalError } from "../../../server/core/base/operational-error";
import type { SessionStore } from "../../../server/core/ports/run-store";
import { SessionReduction } from "../../../server/core/trajectory/reduce";
import { findCandidate, takeUp } from "../../../server/host/services/recorded/taken-up";
import { runScripted } from "../../harness/agent-session";
import { loggedFrom } from "../../harness/memory-session-log";
import { scriptedStrategy } from "../../harness/scripted-strategy";

const baseline = "// bound 1000\nint a;\n";
const { log } = await runScripted(scriptedStrategy(["// bound 1500\nint a;\n", "// wrong\nint a;\n"]), {
  baseline,
});
const started = log.events.length + 1;
const reduction = new SessionReduction();
const task = {
  ...{ specPath: "", specText: "{}", file: "k.cu", kernel: "k", target: "vgpu:sm_80", strategy: "rulebook" },
  budget: { usd: 1, minutes: 10, candidates: 24 },
};
const envelope = { v: 1 as const, seq: started, id: "e", ts: "", mono_us: 0, branch: "main", prev: "" };
const firstTree = log.events.find((event) => event.type === "candidate.created")?.data.tree ?? "";
const first = {
  ...{ ...envelope, type: "session.started" as const, actor: { kind: "user" as const } },
  data: {
    ...{ format_version: "1.0" as const, product: { name: "kernelwright" as const, version: "0" } },
    ...{ workspace: "here", task, baseline_tree: firstTree, seed: "" },
  },
};
for (const event of [first, ...log.events]) reduction.apply(event);

const store = {
  read: () => Promise.resolve({ logged: loggedFrom([first, ...log.events]), state: reduction.state() }),
  loadTree: (_session: string, tree: string) =>
    tree === firstTree ? Promise.resolve({ "k.cu": baseline, "lib.h": "// helper\n" }) : log.loadTree(tree),
} as unknown as SessionStore;

interface Question {
  readonly candidate?: string;
  readonly file?: string;
  readonly kernel?: string;
  readonly workspace?: string;
  readonly present?: string;
  readonly editable?: readonly string[];
  readonly model?: string;
}

async function answer(question: Question): Promise<string> {
  const { candidate, file = "k.cu", kernel, workspace = "here", present = baseline } = question;
  try {
    const from = { sessionId: "01A", ...(candidate === undefined ? {} : { candidate }) };
    const name = { file, ...(kernel === undefined ? {} : { kernel }) };
    const found = await findCandidate({ store, workspaceDigest: workspace }, from, name);
    const { editable = ["k.cu"], model } = question;
    const reach = { editable, creatable: [] };
    return takeUp(found, { present: { "k.cu": present, "lib.h": "" }, reach, model }).tree["k.cu"] ?? "";
  } catch (thrown) {
    if (!(thrown instanceof OperationalError)) throw thrown;
    return thrown.message;
  }
}

const cases: readonly (readonly [string, Question, string])[] = [
  ["a dropped one", { candidate: "c1" }, "// bound 1500\nint a;\n"],
  [
    "below a new line",
    { candidate: "c1", present: `// new\n${baseline}` },
    "// new\n// bound 1500\nint a;\n",
  ],
  [
    "where its line was edited",
    { candidate: "c1", present: "// BOUND\nint a;\n" },
    "Lines that candidate 1 of session 01A changes were edited since: k.cu:1. Take the edits back there, or optimize the file as it is now.",
  ],
  [
    "where it stands already",
    { candidate: "c1", present: "// bound 1500\nint a;\n" },
    "The changes of candidate 1 of session 01A stand in the workspace already: optimize the kernel as it is, without a candidate to go on from.",
  ],
  [
    "what may not be edited",
    { candidate: "c1", editable: ["lib.h"] },
    "Candidate 1 of session 01A cannot be gone on from: k.cu may not be changed; these may: lib.h.",
  ],
  [
    "a wrong one without a model",
    { candidate: "c2" },
    "Candidate 2 of session 01A is not correct, and the rulebook builds on correct versions only. Choose the strategy refine or search: a model can mend it.",
  ],
  ["a wrong one with a model", { candidate: "c2", model: "m" }, "// wrong\nint a;\n"],
  ["one that is not there", { candidate: "c7" }, "Session 01A has no candidate c7."],
  [
    "the baseline",
    { candidate: "baseline" },
    "The baseline is the file as it stood: optimize without a candidate to go on from.",
  ],
  [
    "the best where there is none",
    {},
    "Session 01A found nothing better than the baseline. Name one of its candidates: 01A:c1, 01A:c2.",
  ],
  ["another file", { candidate: "c1", file: "other.cu" }, "Session 01A is about k.cu::k, not other.cu."],
  ["another kernel", { candidate: "c1", kernel: "other" }, "Session 01A is about k.cu::k, not k.cu::other."],
  [
    "another folder",
    { candidate: "c1", workspace: "there" },
    "Session 01A was recorded in another workspace folder. Open that folder, then try again; it can be viewed and exported from here.",
  ],
];

test.each(cases)("going on from a candidate: %s", async (_, question, gives) => {
  expect(await answer(question)).toBe(gives);
});
