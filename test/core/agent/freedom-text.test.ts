import { expect, test } from "vitest";
import { freedomText } from "../../../server/core/agent/dialogue/talk/freedom-text";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { scriptedTask } from "../../harness/scripted-evaluator";

const { spec } = scriptedTask("// bound 1000\n");
const found = { kind: "launch", launch: { arguments: ["x"], grid: ["n"], block: [64] } } as const;
const call = "bare.py::k[(n,)](x, n, BLOCK=64)";
const cases: readonly { readonly name: string; readonly spec: KernelSpec; readonly told: RegExp }[] = [
  { name: "a launch of the user's own", spec: { ...spec, run: found }, told: /^$/ },
  {
    name: "a launch that was found out",
    spec: { ...spec, run: found, origins: { "launch.grid": "guessed", "launch.block": "guessed" } },
    told: /inline void launch_k\(PARAMETERS, .*k<<<GRID, BLOCK, 0, stream>>>/,
  },
  {
    name: "a recorded program",
    spec: { ...spec, run: found, program: { file: "app.cu", arguments: ["7"], compileOptions: [] } },
    told: /recorded from a program: `app.cu 7`\. Its host code in the editable files is yours/,
  },
  {
    name: "a bare kernel of Triton",
    spec: {
      ...{ ...spec, dialect: "triton", file: "bare.py", origins: { "entry.call": "guessed" } },
      run: { kind: "entry", entry: { call, arguments: [] } },
    },
    told: /def launch_k\(n, x\):\n {4}k\[\(n,\)\]\(x, n, BLOCK=64\)/,
  },
];

test.each(cases)("what may change is told of $name", ({ spec: given, told }) => {
  expect(freedomText(given)).toMatch(told);
});
