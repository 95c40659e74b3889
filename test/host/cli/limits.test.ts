import { Command } from "commander";
import { expect, test } from "vitest";
import { budgetFlags, budgetOf, type Flags, saidLimits } from "../../../server/host/cli/flags";

function parsed(line: string, usual?: Parameters<typeof budgetFlags>[1]): Flags {
  const command = budgetFlags(
    new Command().exitOverride().configureOutput({ writeErr: () => undefined }),
    usual,
  );
  return command.parse(line.split(" ").filter(Boolean), { from: "user" }).opts();
}

test.each([
  ["", { usd: 1, minutes: 10, candidates: 24 }, {}],
  ["--candidates 6", { usd: 1, minutes: 10, candidates: 6 }, { candidates: 6 }],
  [
    "--tokens 2e5 --gpu-minutes 2.5",
    { usd: 1, minutes: 10, candidates: 24, tokens: 200_000, gpuMinutes: 2.5 },
    { tokens: 200_000, gpuMinutes: 2.5 },
  ],
])("the flags '%s' begin a session, and go on with one", (line, begins, goesOn) => {
  expect(budgetOf(parsed(line))).toEqual(begins);
  expect(saidLimits(parsed(line, {}))).toEqual(goesOn);
});

test.each(["--tokens 0", "--gpu-minutes -1", "--tokens many"])("the flags '%s' are refused", (line) => {
  expect(() => parsed(line)).toThrow(line.split(" ")[0]);
});
