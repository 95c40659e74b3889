import { at } from "../../base/known";
import { type KernelMachineCode, mostCallers, type PlacedInstruction } from "../../cubin/index";
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

/** Anchors of one kind at one place, in the order of both texts. */
export interface AnchorGroup {
  readonly ptx: readonly PtxAnchor[];
  readonly machine: readonly MachineAnchor[];
  /** Both stand on the same line; else all of the kind that no line brought together. */
  readonly isOfLine: boolean;
  /** The line has an operation that the machine does by arithmetic of the kind, as it divides. */
  readonly isWrittenOut: boolean;
}

type Growing = Pick<AnchorGroup, "ptx" | "machine">;

/**
 * Brings the anchors of both forms together by kind and place: the line with the calls that it was inlined
 * for, since an atomic operation of a header stands on one line for all that call it. What has no counterpart
 * there is brought together by kind and line, and what is left by kind alone.
 */
export function anchorGroups(
  executed: readonly ExecutedInstruction[],
  code: KernelMachineCode,
): readonly AnchorGroup[] {
  const writtenOut = new Set(executed.filter(isWrittenOut).map(lineOf));
  const anchors: Growing = {
    ptx: executed.flatMap((instruction) => {
      const anchor = anchorOfPtx(instruction);
      return anchor === undefined ? [] : [{ ...anchor, instruction }];
    }),
    machine: [...machineAnchors(code)],
  };
  const inCode = ({ index }: MachineAnchor): Place => at(code.instructions, index);
  const byPlace = broughtTogether(anchors, inCode, placeOf);
  const byLine = broughtTogether(byPlace.alone, inCode, lineOf);
  const onLines = [...byPlace.together, ...byLine.together].map((group) => {
    const { kind, instruction } = at(group.ptx, 0);
    const isMade = isArithmetic(kind) && writtenOut.has(lineOf(instruction));
    return { ...group, isOfLine: true, isWrittenOut: isMade };
  });
  const strays = broughtTogether(byLine.alone, inCode, () => "");
  return [
    ...onLines,
    ...strays.together.map((group) => ({ ...group, isOfLine: false, isWrittenOut: false })),
  ];
}

/** Anchors of both forms by kind and place, and those of which only one form has any at their place. */
function broughtTogether(
  { ptx, machine }: Growing,
  inCode: (anchor: MachineAnchor) => Place,
  by: (place: Place) => string,
): { readonly together: readonly Growing[]; readonly alone: Growing } {
  const groups = new Map<string, { ptx: PtxAnchor[]; machine: MachineAnchor[] }>();
  const at = (kind: string, place: Place): { ptx: PtxAnchor[]; machine: MachineAnchor[] } => {
    const key = `${kind}\n${by(place)}`;
    const known = groups.get(key) ?? { ptx: [], machine: [] };
    groups.set(key, known);
    return known;
  };
  for (const anchor of ptx) at(anchor.kind, anchor.instruction).ptx.push(anchor);
  for (const anchor of machine) at(anchor.kind, inCode(anchor)).machine.push(anchor);
  const all = [...groups.values()];
  const isAlone = (group: Growing): boolean => group.ptx.length === 0 || group.machine.length === 0;
  const alone = all.filter(isAlone);
  return {
    together: all.filter((group) => !isAlone(group)),
    alone: {
      ptx: alone.flatMap((group) => group.ptx),
      machine: alone.flatMap((group) => group.machine),
    },
  };
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly callers: readonly number[];
}

function lineOf({ file, line }: Place): string {
  return `${file}\n${line}`;
}

function placeOf(place: Place): string {
  return `${lineOf(place)}\n${place.callers.slice(0, mostCallers).join("<")}`;
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
