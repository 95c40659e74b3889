import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "../../architecture/project";
import { catalogue } from "../../../server/host/services/catalogue";
import { Workplace } from "./workplace";

const place = new Workplace();
afterAll(() => place.remove());

const idsOf = (choices: readonly { readonly id: string }[]): string => choices.map(({ id }) => id).join(", ");

const cases: readonly {
  readonly title: string;
  readonly args: readonly string[];
  readonly code: number;
  readonly says: string;
}[] = [
  { title: "no command", args: [], code: 2, says: "Usage: kernelwright" },
  { title: "help", args: ["--help"], code: 0, says: "" },
  { title: "unknown command", args: ["polish"], code: 2, says: "unknown command 'polish'" },
  {
    title: "unknown option",
    args: ["check", "transpose.cu", "--fast"],
    code: 2,
    says: "unknown option '--fast'",
  },
  { title: "no kernel named", args: ["optimize"], code: 2, says: "missing required argument 'kernel'" },
  {
    title: "no such file",
    args: ["optimize", "nothing.cu"],
    code: 3,
    says: "nothing.cu: there is no such file",
  },
  {
    title: "a role of a strategy that asks no model",
    args: ["optimize", "transpose.cu", "--role", "judge=m"],
    code: 2,
    says: "the strategy rulebook does not ask it. Take --strategy refine or search",
  },
  {
    title: "a role of another strategy",
    args: ["optimize", "transpose.cu", "--strategy", "refine", "--role", "planner=m"],
    code: 2,
    says: "the strategy refine does not ask it. Take --strategy search",
  },
  {
    title: "a role on a target without counters",
    args: ["optimize", "command:cycles", "--role", "judge=m"],
    code: 2,
    says: "a target with a command has none",
  },
  ...["--endpoint http://127.0.0.1:9/v1", "--model-options effort=high", "--tool-servers tools.json"].map(
    (words) => ({
      title: `${words} for a strategy that asks no model`,
      args: ["optimize", "transpose.cu", ...words.split(" ")],
      code: 2,
      says: `${words.split(" ")[0]}: the strategy rulebook asks no model. Take --strategy refine or search`,
    }),
  ),
  {
    title: "a model that the strategy named does not ask",
    args: ["optimize", "transpose.cu", "--strategy", "rulebook", "--model", "m"],
    code: 2,
    says: "--model: the strategy rulebook asks no model",
  },
  {
    title: "a model without a strategy: one that asks it is taken",
    args: ["optimize", "transpose.cu", "--model", "m"],
    code: 3,
    says: "There is no key for the model",
  },
  {
    title: "no candidates",
    args: ["optimize", "transpose.cu", "--candidates", "0"],
    code: 2,
    says: "--candidates 0",
  },
  {
    title: "a role that nobody plays",
    args: ["optimize", "transpose.cu", "--strategy", "refine", "--model", "m", "--role", "poet=m"],
    code: 2,
    says: 'the role "poet=m" cannot be read: write ROLE=MODEL, where ROLE is judge, planner, tester',
  },
  { title: "no such kernel", args: ["check", "transpose.cu::nothing"], code: 3, says: "nothing" },
  {
    title: "unknown target",
    args: ["check", "transpose.cu", "--target", "moon"],
    code: 2,
    says: 'target "moon" is not known: write vgpu:sm_80',
  },
  {
    title: "a target that nobody models",
    args: ["check", "transpose.cu", "--target", "vgpu:sm_99"],
    code: 2,
    says: "the architectures that can be modelled are sm_70, sm_75, sm_80",
  },
  {
    title: "no Python",
    args: ["run", "vector_add.py", "--python", "/nowhere/python"],
    code: 3,
    says: "/nowhere/python: there is no such program",
  },
  {
    title: "a host that ssh would read as an option",
    args: ["check", "transpose.cu", "--target", "ssh:-oProxyCommand=x"],
    code: 2,
    says: "is not known",
  },
  {
    title: "a budget that is no number",
    args: ["optimize", "transpose.cu", "--minutes", "soon"],
    code: 2,
    says: "expected a number from 0 to 10000",
  },
  {
    title: "a seed that is no whole number",
    args: ["check", "transpose.cu", "--seed", "1.5"],
    code: 2,
    says: "--seed 1.5: expected a whole number from 0 to 4294967295",
  },
  {
    title: "unknown strategy",
    args: ["optimize", "transpose.cu", "--strategy", "luck"],
    code: 2,
    says: `Allowed choices are ${idsOf(catalogue.strategies)}`,
  },
  {
    title: "refine without a model",
    args: ["optimize", "transpose.cu", "--strategy", "refine"],
    code: 3,
    says: "--model",
  },
  {
    title: "unknown session",
    args: ["resume", "01JCZZZZZZZZZZZZZZZZZZZZZZ"],
    code: 3,
    says: "01JCZZZZZZZZZZZZZZZZZZZZZZ",
  },
  { title: "nothing to export", args: ["export"], code: 3, says: "no session to export" },
  {
    title: "unknown format",
    args: ["export", "--format", "pdf"],
    code: 2,
    says: `Allowed choices are ${idsOf(catalogue.formats)}`,
  },
];

test.each(cases)("$title", async ({ args, code, says }) => {
  const ended = await place.run(args, { KERNELWRIGHT_MODEL_KEY: "", OPENAI_API_KEY: "" });
  expect({ code: ended.code, says: ended.errors.includes(says) ? says : ended.errors }).toEqual({
    code,
    says,
  });
});

test("a pipe that closes early is no crash", () => {
  const script = `node ${join(projectRoot, "dist", "kernelwright.js")} --help | head -c 1 > /dev/null; echo "\${PIPESTATUS[0]}"`;
  const result = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  expect([result.stdout.trim(), result.stderr]).toEqual(["0", ""]);
});

test("failures in --json are one object", async () => {
  const ended = await place.run(["optimize", "nothing.cu", "--json"]);
  expect(JSON.parse(ended.output)).toMatchObject({ outcome: "failed", error: { code: "file-not-found" } });
});
