import { at } from "../../base/known";
import type { KernelMachineCode, PlacedInstruction } from "../../cubin/index";
import type { ExecutedInstruction } from "../../timing/execution/executed";
import { type Anchor, anchorOfMachine, anchorOfPtx, isArithmetic, isWrittenOut } from "./anchors";

/** A PTX instruction that is recognised in the machine code. */
export interface PtxAnchor extends Anchor {
  readonly instruction: ExecutedInstruction;
}

/** A machine instruction that is recognised in the PTX. */
export interface MachineAnchor extends Anchor {
  readonly index: number;
  readonly block: number;
  /** Has a guard, and so may run without doing anything. */
  readonly isGuarded: boolean;
}

/** Anchors of one kind on one line, in the order of both texts. */
export interface AnchorGroup {
  readonly ptx: readonly PtxAnchor[];
  readonly machine: readonly MachineAnchor[];
  /** Both stand on the same line; else all of the kind that no line brought together. */
  readonly isOfLine: boolean;
  /** The line has an operation that the machine does by arithmetic of the kind, as it divides. */
  readonly isWrittenOut: boolean;
}

interface Growing {
  readonly ptx: PtxAnchor[];
  readonly machine: MachineAnchor[];
}

/**
 * Brings the anchors of both forms together by kind and line. What has no counterpart on its line is brought
 * together by kind alone.
 */
export function anchorGroups(
  executed: readonly ExecutedInstruction[],
  code: KernelMachineCode,
): readonly AnchorGroup[] {
  const groups = new Map<string, Growing>();
  const writtenOut = new Set(executed.filter(isWrittenOut).map(placeOf));
  const growing = (key: string): Growing => {
    const known = groups.get(key) ?? { ptx: [], machine: [] };
    groups.set(key, known);
    return known;
  };
  for (const instruction of executed) {
    const anchor = anchorOfPtx(instruction);
    if (anchor) growing(keyOf(anchor, instruction)).ptx.push({ ...anchor, instruction });
  }
  for (const anchor of machineAnchors(code))
    growing(keyOf(anchor, at(code.instructions, anchor.index))).machine.push(anchor);
  const all = [...groups.values()];
  const onLines = all.filter(({ ptx, machine }) => ptx.length > 0 && machine.length > 0);
  return [
    ...onLines.map((group) => {
      const { kind, instruction } = at(group.ptx, 0);
      return {
        ...group,
        isOfLine: true,
        isWrittenOut: isArithmetic(kind) && writtenOut.has(placeOf(instruction)),
      };
    }),
    ...strays(all),
  ];
}

interface Place {
  readonly file: string;
  readonly line: number;
}

function keyOf({ kind }: Anchor, place: Place): string {
  return `${kind}\n${placeOf(place)}`;
}

function placeOf({ file, line }: Place): string {
  return `${file}\n${line}`;
}

function* machineAnchors({ instructions, blocks }: KernelMachineCode): Generator<MachineAnchor> {
  for (const [block, { start, end }] of blocks.entries())
    for (let index = start; index < end; index += 1) {
      const instruction = at(instructions, index);
      const anchor = anchorOfMachine(instruction);
      if (anchor) yield { ...anchor, index, block, isGuarded: isGuarded(instruction) };
    }
}

const always = 7;

export function isGuarded({ predicate }: PlacedInstruction): boolean {
  return predicate.register !== always || predicate.negated;
}

/** Groups by kind of the anchors that stand alone on their lines. */
function strays(groups: readonly Growing[]): readonly AnchorGroup[] {
  const byKind = new Map<string, Growing>();
  for (const { ptx, machine } of groups) {
    if (ptx.length > 0 && machine.length > 0) continue;
    const kind = at<Anchor>([...ptx, ...machine], 0).kind;
    const known = byKind.get(kind) ?? { ptx: [], machine: [] };
    byKind.set(kind, known);
    known.ptx.push(...ptx);
    known.machine.push(...machine);
  }
  return [...byKind.values()]
    .filter(({ ptx, machine }) => ptx.length > 0 && machine.length > 0)
    .map((group) => ({ ...group, isOfLine: false, isWrittenOut: false }));
}
