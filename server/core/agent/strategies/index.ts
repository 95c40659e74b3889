import { OperationalError } from "../../base/operational-error";
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
  ({ id, title, description, needsModel }) => ({ id, title, description, needsModel }),
);

/** Makes a strategy by its name. Throws OperationalError `usage` for a name that is not known. */
export async function createStrategy(name: string, parts: StrategyParts): Promise<MadeStrategy> {
  const entry = strategies.find((strategy) => strategy.id === name);
  if (entry === undefined)
    throw new OperationalError("usage", {
      forUser: `there is no strategy "${name}"; write one of: ${strategies.map(({ id }) => id).join(", ")}`,
    });
  return entry.make(parts);
}

export type { StrategyChoice } from "./entry";
