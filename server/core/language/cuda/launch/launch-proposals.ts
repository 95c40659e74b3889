import type { SizeRelation } from "../../../workload/probe/shapes/size-relations";
import type { KernelFacts, LaunchSite } from "../../facts";
import type { SyntaxNode } from "../../tree";
import type { Constants } from "../constants";
import { blockProposals, type BlockProposals } from "./launch-hints";
import { type SaidLaunch, saidLaunches, wholeSizes } from "./sizes/said-launch";
import { writtenLaunches } from "./sizes/written-launches";

/** What a text proposes for the launch of a kernel. */
export interface LaunchProposals {
  readonly blocks: BlockProposals;
  /** Launches that comments tell of a kernel that no code launches, or code by what it does not pass on. */
  readonly said: readonly SaidLaunch[];
  /** What sizes are multiples of by these. */
  readonly wholes: readonly SizeRelation[];
}

/** What the text and its comments propose; blocks that comments tell come first. */
export function launchProposals(
  root: SyntaxNode,
  { name: kernel, parameters, templateParameters }: KernelFacts,
  { constants, sites }: { readonly constants: Constants; readonly sites: readonly LaunchSite[] },
): LaunchProposals {
  const numbers = parameters.map(({ name }) => name);
  const names = templateParameters.map(({ name }) => name);
  const saidBy = (instances: readonly (readonly string[])[]): readonly SaidLaunch[] =>
    sites.length > 0
      ? []
      : instances.flatMap((values) =>
          saidLaunches(root.text, { kernel, numbers, constants: withNumbers(constants, names, values) }),
        );
  const said = saidBy(instancesIn(root.text, kernel));
  const blocks = blockProposals(root, kernel, constants);
  return {
    said: [...said, ...writtenLaunches(sites, parameters)],
    wholes: wholeSizes(said),
    blocks: (axes, instance) => [
      ...(instance.length === 0 ? said : saidBy([instance])).map(({ block }) => block),
      ...blocks(axes, instance),
    ],
  };
}

/** How many instances are looked at. */
const mostInstances = 4;

/** The arguments of each instance of a template that a text has; without arguments where it has none. */
function instancesIn(text: string, kernel: string): readonly (readonly string[])[] {
  const found = [...text.matchAll(new RegExp(String.raw`\b${kernel}\s*<([^<>;]*)>`, "g"))];
  const distinct = [...new Set(found.map(([, listed = ""]) => listed))].slice(0, mostInstances);
  return distinct.length === 0
    ? [[]]
    : distinct.map((listed) => listed.split(",").map((each) => each.trim()));
}

/** The constants with those parameters of a template that are numbers in an instance. */
function withNumbers(constants: Constants, names: readonly string[], values: readonly string[]): Constants {
  const numbers = names.flatMap((name, index) => {
    const text = values[index] ?? "";
    return /^\d+$/.test(text) ? [[name, { name, text, node: undefined }] as const] : [];
  });
  return new Map([...constants, ...numbers]);
}
