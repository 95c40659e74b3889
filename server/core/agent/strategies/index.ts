import { OperationalError } from "../../base/operational-error";
import { keptCaseTester } from "../roles/case-tester";
import { endingAtFloor } from "./at-floor";
import { oneRule } from "./one-rule";
import { refine } from "./refine";
import { rulebook } from "./rulebook";
import { search } from "./search/search";
import type { MadeStrategy, StrategyChoice, StrategyEntry, StrategyParts } from "./entry";

/**
 * Every strategy; the first is the default. A new one is a file beside this one and a line here: settings,
 * command line and menus offer what stands in this list.
 */
const strategies: readonly StrategyEntry[] = [rulebook, refine, search];

/** The strategies as one picks them. */
export const strategyChoices: readonly StrategyChoice[] = strategies.map(
  ({ id, title, description, needsModel, roles, makeForCommand }) => ({
    ...{ id, title, description, needsModel, roles },
    forCommands: makeForCommand !== undefined,
  }),
);

/**
 * Makes a strategy by its name, or that of one rule at one line. Throws OperationalError `usage` for a name
 * that is not known.
 */
export async function createStrategy(
  name: string,
  parts: StrategyParts,
  subject: "kernel" | "command" = "kernel",
): Promise<MadeStrategy> {
  const single = subject === "kernel" ? oneRule(name, parts) : undefined;
  if (single !== undefined) return ofKernel(single);
  const entry = strategies.find((strategy) => strategy.id === name);
  if (entry === undefined)
    throw new OperationalError("usage", {
      forUser: `there is no strategy "${name}"; write one of: ${strategies.map(({ id }) => id).join(", ")}`,
    });
  if (subject === "kernel") return ofKernel(await entry.make(parts));
  if (entry.makeForCommand !== undefined) return entry.makeForCommand(parts);
  const able = strategies.filter(({ makeForCommand }) => makeForCommand !== undefined).map(({ id }) => id);
  throw new OperationalError("usage", {
    forUser: `the strategy "${name}" needs a kernel; for a target with a command write one of: ${able.join(", ")}`,
  });
}

function ofKernel(made: MadeStrategy): MadeStrategy {
  // Without a model for it, what refuted candidates before is still run.
  return { tester: keptCaseTester(), ...made, strategy: endingAtFloor(made.strategy) };
}

export type { StrategyChoice } from "./entry";
