import { expect, test } from "vitest";
import type { LaunchSite } from "../../../server/core/language/facts";
import { launchFormulas } from "../../../server/core/language/launch-expressions";

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function siteOf(grid: readonly string[], constants: Readonly<Record<string, string>>): LaunchSite {
  return {
    ...{ kernel: "k", dialect: "cuda", grid, block: ["kThreads"], constants, range },
    ...{ arguments: ["out", "count"], keywords: {}, templateArguments: [], hostParameters: [] },
  };
}

interface Case {
  readonly what: string;
  readonly grid: readonly string[];
  readonly constants: Readonly<Record<string, string>>;
  readonly blocks: number;
  readonly formulas: readonly string[] | undefined;
}

test.each([
  {
    what: "constants of constants",
    grid: ["(count + tile - 1) / tile"],
    constants: { tile: "kThreads * 2", kThreads: "64" },
    blocks: 3,
    formulas: ["(n + (64 * 2) - 1) / (64 * 2)"],
  },
  {
    what: "a helper function",
    ...{ grid: ["div_up(count, kThreads)"], constants: { kThreads: "64" }, blocks: 5 },
    formulas: ["div_up(n, 64)"],
  },
  {
    what: "a name without a meaning",
    ...{ grid: ["blocks"], constants: { kThreads: "64" }, blocks: 5, formulas: undefined },
  },
  {
    what: "another value than was read",
    ...{ grid: ["count"], constants: { kThreads: "64" }, blocks: 5, formulas: undefined },
  },
] as readonly Case[])("$what", ({ grid, constants, blocks, formulas }) => {
  const question = {
    site: siteOf(grid, constants),
    arguments: ["out", { value: "n", dtype: "int32" as const }],
    sizes: { n: 300 },
  };
  const shape = { grid: [blocks, 1, 1], block: [64, 1, 1], sharedBytes: 0 } as const;
  expect(launchFormulas(question, shape)?.grid).toEqual(formulas);
});
