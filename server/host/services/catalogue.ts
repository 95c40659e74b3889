import { type StrategyChoice, strategyChoices } from "../../core/agent/strategies/index";
import type { Choice } from "../../core/base/choice";
import { virtualTargets } from "../../core/timing/target";
import { exporters } from "../../core/trajectory/export/registry";

/** Models to choose from are no list that is known: they are looked for. */
export type { ModelFinder } from "../../core/ports/model";

/** What can be chosen by name. Command line, protocol, manifest and menus derive from this. */
export interface Catalogue {
  /** The first is the default. */
  readonly formats: readonly Choice[];
  /** The first is the default. */
  readonly strategies: readonly StrategyChoice[];
  readonly targets: readonly Choice[];
}

export const catalogue: Catalogue = {
  formats: exporters.map(({ id, title, description }) => ({ id, title, description })),
  strategies: strategyChoices,
  targets: virtualTargets(),
};
