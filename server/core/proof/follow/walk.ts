import { at, mustGet } from "../../base/known";
import { negated } from "../decide/condition";
import { executeBlock, takenWhen } from "./execute";
import { withoutCounters } from "./counters";
import { enterLoop, type Walk } from "./loops";
import { merged } from "./merge";
import { assume, type State } from "./state";

/** Goes through all blocks of a kernel, each once but for those of loops, which are looked at before. */
export function walkKernel(walk: Walk, entry: number, start: State): void {
  walkBlocks(walk, { order: walk.graph.order, entry, start });
}

/** Goes through the blocks of one round of a loop; gives the states at its ends. */
export function walkRound(walk: Walk, header: number, start: State): readonly State[] {
  const { blocks } = mustGet(walk.graph.loops, header);
  const order = walk.graph.order.filter((block) => blocks.has(block));
  return walkBlocks(walk, { order, entry: header, start });
}

interface Part {
  readonly order: readonly number[];
  readonly entry: number;
  readonly start: State;
}

/** The states in which control comes back to the first block. */
function walkBlocks(walk: Walk, { order, entry, start }: Part): readonly State[] {
  const inside = new Set(order);
  const done = new Set<number>();
  const incoming = new Map<number, State[]>([[entry, [start]]]);
  const back: State[] = [];
  for (const block of order) {
    done.add(block);
    const states = incoming.get(block);
    if (states === undefined) continue;
    const before = block === entry ? start : stateAt(walk, block, states);
    const begun = block !== entry && walk.graph.loops.has(block) ? enterLoop(walk, block, before) : before;
    for (const [to, state] of leave(walk, block, begun)) {
      if (to === entry) back.push(state);
      else if (inside.has(to) && !done.has(to)) incoming.set(to, [...(incoming.get(to) ?? []), state]);
    }
  }
  return back;
}

function stateAt({ machine, liveness }: Walk, block: number, states: readonly State[]): State {
  return merged(machine, states, at(liveness.liveIn, block));
}

/** Executes a block; gives where control goes, and in which states. */
function leave(walk: Walk, block: number, start: State): readonly (readonly [number, State])[] {
  const code = at(walk.blocks, block);
  const { seen } = walk;
  const state = executeBlock(walk, code, start, (access) => seen?.({ ...access, block }));
  const { terminator } = code;
  switch (terminator.kind) {
    case "jump":
      return [[terminator.target, state]];
    case "pause":
    case "barrier":
      return [[terminator.next, state]];
    case "branch": {
      const condition = takenWhen(state, terminator);
      walk.branched?.(block, condition);
      const ways = [
        [terminator.taken, assume(state, condition)] as const,
        [terminator.otherwise, assume(state, negated(condition))] as const,
      ];
      return ways.flatMap(([to, after]) =>
        after === undefined ? [] : [[to, withoutCounters(walk.machine.symbols, after)] as const],
      );
    }
    case "table":
      return terminator.targets.map((to) => [to, state] as const);
    default:
      return [];
  }
}
