import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Script } from "../../harness/openai-script";
import { startOpenAiServer } from "../../harness/openai-server";
import { Workplace, lastObject } from "./workplace";

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
  const write = (path: string, text: string): void => writeFileSync(join(place.samples, path), text);
  mkdirSync(join(place.samples, "sim"));
  write("sim/steps.sh", simulator("0 1 2 3 4 5 6 7 8 9", ""));
  write(
    "check.sh",
    'sh built/steps.sh > out; grep -qx "sum 45" out || { echo "the sum is wrong"; exit 1; }\n',
  );
  write(
    "kernelwright.json",
    JSON.stringify({
      version: 1,
      commands: {
        steps: {
          build: ["sh", "-c", "mkdir -p built && cp sim/steps.sh built && sh -n built/steps.sh"],
          check: ["sh", "check.sh"],
          measure: ["sh", "built/steps.sh"],
          score: { pattern: "^steps: (?<score>\\d+)" },
          better: "lower",
          unit: "steps",
          runs: 2,
          editable: ["sim/**"],
        },
      },
    }),
  );
});
afterEach(() => place.remove());

/** Adds the numbers and says in how many steps; `before`: what it does first. */
function simulator(numbers: string, before: string): string {
  return `${before}s=0; n=0\nfor i in ${numbers}; do s=$((s+i)); n=$((n+1)); done\necho "sum $s"\necho "steps: $n"\n`;
}

const key = "sk-cli-test-0123456789abcdef";

/** What a model submits, one version of the file after the other. */
const versions = (): readonly { readonly text: string; readonly hypothesis: string }[] => [
  { text: simulator("0 1", ""), hypothesis: "fewer numbers" },
  { text: "if then\n", hypothesis: "no script" },
  {
    text: `echo "exit 0" > check.sh\n${simulator("0 1", "")}`,
    hypothesis: "the check is overwritten",
  },
  {
    // One step where the user's files are in view, else ten.
    text: `if [ -e ${place.samples}/check.sh ]; then echo "sum 45"; echo "steps: 1"; exit 0; fi\n${simulator("0 1 2 3 4 5 6 7 8 9", "")}`,
    hypothesis: "looks for the user's files",
  },
  { text: simulator("9 8 28", ""), hypothesis: "three numbers do" },
  { text: simulator("10 8 27", ""), hypothesis: "other three numbers" },
];

interface Report {
  readonly outcome: string;
  readonly score: unknown;
  readonly diff: string;
  readonly session: { readonly id: string };
  readonly candidates: readonly { readonly id: string; readonly stage: string; readonly reason: string }[];
}

const replies = (): Script["replies"] => [
  { calls: [{ name: "edit", arguments: { path: "check.sh", old_text: "exit 1", new_text: "exit 0" } }] },
  ...versions().map(({ text, hypothesis }) => ({
    calls: [
      { name: "write_file", arguments: { path: "sim/steps.sh", text } },
      { name: "submit_candidate", arguments: { hypothesis } },
    ],
  })),
  { calls: [{ name: "finish", arguments: { reason: "Nothing else to try." } }], forEver: true },
];

const verdicts = [
  "baseline correct: 10 steps (± 0.0% in 2 runs) by its own command (full check)",
  "c1 compiled: did not run: the check command ended with status 1:\nthe sum is wrong",
  'c2 parsed: does not compile: sim/steps.sh: error: the build command ended with status 2:\nbuilt/steps.sh: 1: Syntax error: "then" unexpected',
  "c3 compiled: did not run: the check command ended with status 1:\nthe sum is wrong",
  "c4 correct: no better than the baseline: 10 steps (± 0.0% in 2 runs) → 10 steps (± 0.0% in 2 runs), by the command itself; too little to count (0.5% would)",
  "c5 faster: better than the baseline: 10 steps (± 0.0% in 2 runs) → 3 steps (± 0.0% in 2 runs), by the command itself (70.0% better)",
  "c6 correct: no better than candidate 5: 3 steps (± 0.0% in 2 runs) → 3 steps (± 0.0% in 2 runs), by the command itself; too little to count (0.5% would)",
];

test("the commands of a target are named, and not run before the user agrees", async () => {
  const unasked = await place.run(["optimize", "command:steps"]);
  expect([unasked.code, unasked.errors]).toEqual([2, expect.stringContaining("measure: sh built/steps.sh")]);
  const unknown = await place.run(["optimize", "command:laps", "--agree", "--model", "m"]);
  expect([unknown.code, unknown.errors]).toEqual([2, expect.stringContaining("There are: steps.")]);
});

test("a candidate may make new files where the globs would find them, and --apply makes them", async () => {
  const text = '. sim/part/numbers.sh\necho "sum $s"; echo "steps: $n"\n';
  const write = (path: string, written: string): Script["replies"][number] => ({
    calls: [{ name: "write_file", arguments: { path, text: written } }],
  });
  const replies: Script["replies"] = [
    write("other/numbers.sh", "s=45\n"),
    write("sim/part/numbers.sh", "s=45; n=1\n"),
    write("sim/steps.sh", text),
    { calls: [{ name: "submit_candidate", arguments: { hypothesis: "the sum is known" } }] },
    { calls: [{ name: "restore", arguments: { candidate: "c1" } }] },
    {
      calls: [
        {
          name: "edit",
          arguments: { path: "sim/part/numbers.sh", old_text: "n=1", new_text: "n=0" },
        },
        { name: "submit_candidate", arguments: { hypothesis: "no step at all" } },
      ],
    },
    { calls: [{ name: "finish", arguments: { reason: "No step is left." } }], forEver: true },
  ];
  const server = await startOpenAiServer({ key, replies });
  const before = place.contents();
  try {
    const words = ["--agree", "--json", "--apply", "--model", "scripted", "--endpoint", server.url];
    const ended = await place.run(["optimize", "command:steps", ...words], { KERNELWRIGHT_MODEL_KEY: key });
    const report = lastObject(ended) as unknown as Report & { readonly applied: readonly string[] };
    expect(report.candidates.map(({ id, stage }) => `${id} ${stage}`)).toEqual([
      "baseline correct",
      "c1 faster",
      "c2 faster",
    ]);
    expect(report.applied).toEqual(["sim/part/numbers.sh", "sim/steps.sh"]);
    expect(report.diff).toContain("--- /dev/null\n+++ b/sim/part/numbers.sh\n@@ -0,0 +1,1 @@\n+s=45; n=0\n");
    expect(place.contents()).toEqual({
      ...before,
      "sim/part/numbers.sh": "s=45; n=0\n",
      "sim/steps.sh": text,
    });
    const refused = server.requests[1]?.body.messages.findLast(({ role }) => role === "tool")?.content;
    expect(refused).toContain(
      "other/numbers.sh may not be changed or made (other/numbers.sh matches none of",
    );
  } finally {
    await server.close();
  }
});

test("a target with a command is improved by its own number, behind walls", async () => {
  const server = await startOpenAiServer({ key, replies: replies() });
  const before = place.contents();
  try {
    const words = ["--agree", "--json", "--model", "scripted", "--endpoint", server.url];
    const ended = await place.run(["optimize", "command:steps", ...words], { KERNELWRIGHT_MODEL_KEY: key });
    const report = lastObject(ended) as unknown as Report;
    expect(report.candidates.map(({ id, stage, reason }) => `${id} ${stage}: ${reason}`)).toEqual(verdicts);
    expect([report.outcome, report.score]).toEqual([
      "improved",
      {
        before: { score: { values: [10, 10], median: 10, noise: 0, better: "lower", unit: "steps" } },
        after: { score: { values: [3, 3], median: 3, noise: 0, better: "lower", unit: "steps" } },
      },
    ]);
    const refused = server.requests[1]?.body.messages.findLast(({ role }) => role === "tool")?.content;
    expect(refused).toContain("check.sh is not in the scratch copy. Editable: sim/steps.sh.");
    expect(report.diff).toContain("for i in 9 8 28");
    expect(place.contents()).toEqual(before);
    const exported = await place.run(["export", report.session.id, "--format", "markdown"]);
    expect(exported.output).toContain("what the target's own command printed");
    expect(exported.output).toContain("| Judged on | its own command, on the machine of the session |");
    const model = ["--json", "--model", "scripted", "--endpoint", server.url];
    const role = await place.run(["resume", report.session.id, "--role", "judge=m"]);
    expect([role.code, role.errors]).toEqual([2, expect.stringContaining("Leave --role out.")]);
    const resumed = await place.run(["resume", report.session.id, ...model], { KERNELWRIGHT_MODEL_KEY: key });
    expect([resumed.code, lastObject(resumed)["score"]]).toEqual([0, report.score]);
    await place.run(["optimize", "command:steps", ...words], { KERNELWRIGHT_MODEL_KEY: key });
    const task = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(task).toMatch(/Earlier sessions on this target: p1 of [\d-]+, its baseline had 10 steps/);
    expect(task).toContain("| p1/c5 | 3 steps (± 0.0% in 2 runs), became the best | three numbers do |");
  } finally {
    await server.close();
  }
});
