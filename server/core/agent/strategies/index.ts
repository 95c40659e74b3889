import { OperationalError } from "../../base/operational-error";
import type { Strategy } from "../strategy";
import { type RefineOptions, refineStrategy } from "./refine";
import { type RulebookOptions, rulebookStrategy } from "./rulebook";

/**
 * What strategies are made of. A part that costs something to get (a model and its key) is asked for only by
 * those that need it.
 */
export interface StrategyParts {
  readonly rulebook: RulebookOptions;
  /** Throws OperationalError `model-unavailable` when no model is configured. */
  readonly refine: () => Promise<RefineOptions>;
}

export interface MadeStrategy {
  readonly strategy: Strategy;
  /** Name of the model, for those that use one. */
  readonly model?: string;
}

/** One line for each strategy. */
const makers: Readonly<Record<string, (parts: StrategyParts) => Promise<MadeStrategy>>> = {
  rulebook: (parts) => Promise.resolve({ strategy: rulebookStrategy(parts.rulebook) }),
  refine: async (parts) => {
    const options = await parts.refine();
    return { strategy: refineStrategy(options), model: options.provider.model };
  },
};

const strategyNames: readonly string[] = Object.keys(makers);

/** Makes a strategy by its name. Throws OperationalError `usage` for a name that is not known. */
export async function createStrategy(name: string, parts: StrategyParts): Promise<MadeStrategy> {
  const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (!make)
    throw new OperationalError("usage", {
      forUser: `there is no strategy "${name}"; write one of: ${strategyNames.join(", ")}`,
    });
  return make(parts);
}
