import { type StrategyChoice, strategyChoices } from "../../core/agent/strategies/index";
import type { Choice } from "../../core/base/choice";
import { virtualTargets } from "../../core/timing/target";
import { type RoleChoice, roleChoices } from "../../core/trajectory/talk/role";
import { exporters } from "../../core/trajectory/export/registry";

/** Models to choose from are no list that is known: they are looked for. */
export type { ModelFinder } from "../../core/ports/model";

/** What can be chosen by name. Command line, protocol, manifest and menus derive from this. */
export interface Catalogue {
  /** The first is the default. */
  readonly formats: readonly Choice[];
  /** The first is the default. */
  readonly strategies: readonly StrategyChoice[];
  readonly roles: readonly RoleChoice[];
  readonly targets: readonly Choice[];
}

export const catalogue: Catalogue = {
  formats: exporters.map(({ id, title, description }) => ({ id, title, description })),
  strategies: strategyChoices,
  roles: roleChoices,
  targets: virtualTargets(),
};

/** `judge=MODEL reads the counters … (refine, search); planner=MODEL …`: all roles, and who asks them. */
export function describeRoles(mark: (text: string) => string = (text) => text): string {
  return catalogue.roles
    .map(({ id, does }) => {
      const asking = catalogue.strategies.filter(({ roles }) => roles.includes(id));
      return `${mark(`${id}=MODEL`)} ${does} (${asking.map((strategy) => strategy.id).join(", ")})`;
    })
    .join("; ");
}
