import { at } from "../../base/known";
import type { Anchor } from "./anchors";
import type { AnchorGroup, MachineAnchor, PtxAnchor } from "./groups";

/** A statement about how often blocks of machine code ran: coefficients by block. */
export interface BlockEquation {
  readonly blocks: ReadonlyMap<number, number>;
  readonly value: number;
  /** 0 to 1. */
  readonly trust: number;
  /** All of it has guards: blocks ran as often, or more often and did nothing. */
  readonly isGuarded?: boolean;
}

/** What a guard or another line takes from the trust in an anchor. */
const guardedTrust = 0.003;
const strayTrust = 0.1;
/** Below this an anchor may have no counterpart: a division by a constant is a product. */
const doubtful = 0.3;

/**
 * What the anchors of a group say together, whatever their order: compilers may lay the versions of a loop
 * out in another one.
 */
export function groupSum(group: AnchorGroup): readonly BlockEquation[] {
  const { machine, isOfLine, isWrittenOut } = group;
  const ptx = withoutDoubtful(group);
  // How many of them a division has is the machine's affair.
  if (isWrittenOut && ptx.length !== machine.length) return [];
  // And which of the divisions it has none of.
  if (machine.length < ptx.length && ptx.some(isDoubtful)) return [];
  const isGuarded = machine.every((each) => each.isGuarded);
  return [{ ...sum(ptx, machine), trust: (isOfLine ? 1 : strayTrust) * trustOf(machine), isGuarded }];
}

/**
 * What the anchors of a group say about the machine code's blocks. As many of them in both forms are the same
 * ones in order; merged accesses are put together by their bytes; one matrix instruction may be several; of
 * what is left, unrolled loops among it, the sum is the same.
 */
export function groupEquations(group: AnchorGroup): readonly BlockEquation[] {
  const { machine } = group;
  const ptx = withoutDoubtful(group);
  const pairs = inOrder(ptx, machine) ?? merged(ptx, machine) ?? split(ptx, machine);
  if (pairs === undefined) return groupSum(group);
  const trust = group.isOfLine ? 1 : strayTrust;
  return pairs.map(([from, to]) => ({
    blocks: new Map([[to.block, 1]]),
    value: from.instruction.executions,
    trust: trust * to.trust * (to.isGuarded ? guardedTrust : 1),
    isGuarded: to.isGuarded,
  }));
}

/** Where the machine has fewer, those that it may have none of are left out, if that makes them as many. */
function withoutDoubtful({ ptx, machine }: AnchorGroup): readonly PtxAnchor[] {
  if (ptx.length === machine.length) return ptx;
  const sure = ptx.filter((each) => !isDoubtful(each));
  return sure.length === machine.length ? sure : ptx;
}

function isDoubtful({ trust }: Anchor): boolean {
  return trust < doubtful;
}

type Pair = readonly [PtxAnchor, MachineAnchor];

function inOrder(ptx: readonly PtxAnchor[], machine: readonly MachineAnchor[]): readonly Pair[] | undefined {
  const isAlike = machine.every(({ amount }, index) => amount === ptx[index]?.amount);
  return ptx.length === machine.length && isAlike
    ? ptx.map((each, index): Pair => [each, at(machine, index)])
    : undefined;
}

/** One machine access for several of PTX that follow each other and run equally often. */
function merged(ptx: readonly PtxAnchor[], machine: readonly MachineAnchor[]): readonly Pair[] | undefined {
  if (ptx.some(({ amount }) => amount === 0)) return undefined;
  const pairs: Pair[] = [];
  let next = 0;
  for (const access of machine) {
    const first = ptx[next];
    if (first === undefined) return undefined;
    let bytes = 0;
    for (; bytes < access.amount; next += 1) {
      const each = ptx[next];
      if (each?.instruction.block !== first.instruction.block) return undefined;
      bytes += each.amount;
    }
    if (bytes !== access.amount) return undefined;
    pairs.push([first, access]);
  }
  return next === ptx.length ? pairs : undefined;
}

/**
 * Several machine instructions for one of PTX: matrix products of more numbers than the hardware takes, and
 * loads of their fragments.
 */
function split(ptx: readonly PtxAnchor[], machine: readonly MachineAnchor[]): readonly Pair[] | undefined {
  const each = machine.length / ptx.length;
  const { kind, amount } = at(ptx, 0);
  const isSplit = kind === "tensor" || kind === "matrix load" || amount === 0;
  if (!Number.isInteger(each) || !isSplit) return undefined;
  return machine.map((instruction, index): Pair => [at(ptx, Math.floor(index / each)), instruction]);
}

function sum(ptx: readonly PtxAnchor[], machine: readonly MachineAnchor[]): Omit<BlockEquation, "trust"> {
  const blocks = new Map<number, number>();
  for (const { block, amount } of machine) blocks.set(block, (blocks.get(block) ?? 0) + amount);
  const value = ptx.reduce((all, { amount, instruction }) => all + amount * instruction.executions, 0);
  return { blocks, value };
}

function trustOf(machine: readonly MachineAnchor[]): number {
  const sums = machine.reduce((all, { trust, isGuarded }) => all + trust * (isGuarded ? guardedTrust : 1), 0);
  return sums / machine.length;
}
