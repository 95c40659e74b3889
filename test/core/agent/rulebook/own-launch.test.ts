import { expect, test } from "vitest";
import { withTritonLauncher } from "../../../../server/core/agent/rulebook/triton/spelling/own-launcher";
import { heldByOwnLaunch } from "../../../../server/core/agent/rulebook/triton/own-launch";
import type { RuleProposal } from "../../../../server/core/agent/rulebook/rule";
import { readCase } from "./case-file";
import { ruleParse } from "./grammars";

const source = `#@case {"kernel": "twice"}
import triton
import triton.language as tl


@triton.jit
def twice(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)


def run(x, y):
    twice[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), BLOCK=64)
`;

/** Whether a rewrite is held back where the spec's entry is such a call. */
async function check(call: string, [from, to]: readonly [string, string]): Promise<boolean> {
  const input = readCase("case.py", source, await ruleParse());
  const text = input.tree[input.file] ?? "";
  const spec = { ...input.spec, run: { kind: "entry" as const, entry: { call, arguments: [] } } };
  const tree = { ...input.tree, [input.file]: text.replace(from, to) };
  const evidence = {
    file: input.file,
    line: 8,
    counter: "instructions",
    value: 2,
    ideal: 1,
    sentence: "it waits",
  };
  const held = heldByOwnLaunch({ ...input, spec }, { tree, evidence } as unknown as RuleProposal);
  return held !== undefined;
}

const function_ = "case.py::run";
const itself = "case.py::twice[(blocks,)](x, y, n, BLOCK=64)";

test.each([
  ["a launch that a function makes", function_, ["BLOCK=64)", "BLOCK=1024)"], false],
  ["a launch that the spec makes", itself, ["BLOCK=64)", "BLOCK=1024)"], true],
  ["a parameter more, of a kernel that the spec launches", itself, ["(x, y, n,", "(x, y, n, m,"], true],
  ["the body of a kernel that the spec launches", itself, ["2 * tl.load", "2.0 * tl.load"], false],
] as const)("%s", async (_, call, change, held) => {
  expect(await check(call, change)).toBe(held);
});

const bare = source.slice(0, source.indexOf("\n\ndef run"));
const launcher = "def launch_twice(blocks, x, y, n):\n    twice[(blocks,)](x, y, n, BLOCK=64)\n";

/** What becomes of a rewrite of a bare kernel beside its own launcher: the source, and what is said of it. */
async function finished([from, to]: readonly [string, string]): Promise<readonly string[]> {
  const input = readCase("case.py", bare, await ruleParse());
  const run = { kind: "entry" as const, entry: { call: itself, arguments: [] } };
  const spec = { ...input.spec, run, origins: { "entry.call": "probed" as const } };
  const beside = withTritonLauncher({ ...input, spec });
  const text = beside?.input.tree[input.file] ?? "";
  const tree = { ...input.tree, [input.file]: text.replace(from, to) };
  const evidence = { file: input.file, line: 13, sentence: "line 13 waits" };
  const proposal = { tree, evidence, hypothesis: "Do it.", gain: 1 } as unknown as RuleProposal;
  const done = beside?.finished(proposal);
  const before = input.tree[input.file] ?? "";
  return [
    (done?.tree[input.file] ?? "").replace(before, "…"),
    done?.hypothesis ?? "",
    done?.evidence.sentence ?? "",
  ];
}

test.each([
  [
    "a launch that was found out, changed",
    ["BLOCK=64)", "BLOCK=1024)"],
    [
      `…\n\n${launcher.replace("64", "1024")}`,
      "Do it; launch_twice says how the kernel is launched from then on.",
      "line 6 waits",
    ],
  ],
  ["a launch that was found out, as it was", ["Nobody", ""], ["…", "Do it.", "line 6 waits"]],
] as const)("%s", async (_, change, expected) => {
  expect(await finished(change)).toEqual(expected);
});
