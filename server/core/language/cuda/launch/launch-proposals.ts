import type { SizeRelation } from "../../../workload/probe/shapes/size-relations";
import type { KernelFacts } from "../../facts";
import type { SyntaxNode } from "../../tree";
import type { Constants } from "../constants";
import { blockProposals, type BlockProposals } from "./launch-hints";
import { type SaidLaunch, saidLaunches, wholeSizes } from "./sizes/said-launch";

/** What a text proposes for the launch of a kernel. */
export interface LaunchProposals {
  readonly blocks: BlockProposals;
  /** Launches that comments tell of a kernel that no code launches. */
  readonly said: readonly SaidLaunch[];
  /** What sizes are multiples of by these. */
  readonly wholes: readonly SizeRelation[];
}

/** What the text and its comments propose; blocks that comments tell come first. */
export function launchProposals(
  root: SyntaxNode,
  { name: kernel, parameters }: KernelFacts,
  { constants, isLaunched }: { readonly constants: Constants; readonly isLaunched: boolean },
): LaunchProposals {
  const numbers = parameters.map(({ name }) => name);
  const said = isLaunched ? [] : saidLaunches(root.text, { kernel, numbers, constants });
  const blocks = blockProposals(root, kernel, constants);
  return {
    said,
    wholes: wholeSizes(said),
    blocks: (axes, instance) => [...said.map(({ block }) => block), ...blocks(axes, instance)],
  };
}
