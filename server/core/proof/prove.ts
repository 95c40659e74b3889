import { type Outcome, fail, succeed } from "../base/outcome";
import { at } from "../base/known";
import { splitBlocks } from "../vgpu/analyse/blocks";
import { analyzeLiveness } from "../vgpu/analyse/liveness";
import { SourceLines } from "../vgpu/analyse/source-lines";
import { flattenProgram } from "../vgpu/flatten/flatten";
import type { PtxModule } from "../vgpu/ptx/module";
import type { Access } from "./follow/execute";
import { flowGraph } from "./follow/graph";
import { type LaunchClass, surroundings, type Surroundings } from "./launch-class";
import type { Walk } from "./follow/loops";
import { machineOf } from "./memories";
import type { Condition } from "./decide/condition";
import { Symbols } from "./decide/symbols";
import { walkKernel, walkRound } from "./follow/walk";

const mostBlocks = 400;

/** A kernel that was gone through. */
export interface Walked {
  readonly machine: Walk["machine"];
  readonly walk: Walk;
  readonly accesses: readonly Access[];
  /** The condition of each branch. */
  readonly branches: ReadonlyMap<number, Condition>;
  readonly surroundings: Surroundings;
  readonly lines: SourceLines;
}

/** Goes through a kernel for all launches of a class; the problem says what is not followed. */
export function walkLaunches(
  module: PtxModule,
  entryName: string,
  launches: LaunchClass,
): Outcome<Walked, string> {
  const entry = module.functions.get(entryName);
  if (!entry?.isEntry || !entry.hasBody) return fail(`there is no kernel ${entryName}`);
  const program = flattenProgram(module, entry);
  if (!program.ok) return fail(program.problem.reason);
  const split = splitBlocks(program.value);
  if (!split.ok) return fail(split.problem.reason);
  const { blocks } = split.value;
  if (program.value.callDepth !== 0) return fail("it calls functions that are not put in line");
  const graph = blocks.length > mostBlocks ? undefined : flowGraph(blocks, 0);
  if (graph === undefined) return fail("its control flow is too involved");
  const symbols = new Symbols();
  const around = surroundings(launches, entry, symbols);
  const machine = machineOf({ module, program: program.value, around, symbols });
  const accesses: Access[] = [];
  const branches = new Map<number, Condition>();
  const walk: Walk = {
    ...{ machine, isHopeful: false, blocks, graph },
    liveness: analyzeLiveness(blocks, program.value.registers.length),
    seen: (access) => void accesses.push(access),
    branched: (block, condition) => void branches.set(block, condition),
    round: walkRound,
  };
  walkKernel(walk, at(graph.order, 0), { registers: new Map(), facts: [], choices: [] });
  return succeed({ machine, walk, accesses, branches, surroundings: around, lines: new SourceLines(module) });
}
