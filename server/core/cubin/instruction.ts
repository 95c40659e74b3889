import { invariant } from "../base/assert";
import type { ByteReader } from "./byte-reader";
import { type ControlCode, readControlCode } from "./schedule/control-code";
import { type Operation, operationsOf } from "./opcode-table";

/** One 16-byte instruction. */
export interface Instruction {
  /** Byte offset in its code section. */
  readonly offset: number;
  readonly operation: Operation;
  /** Register number of the guard (7 is always true) and whether it is negated. */
  readonly predicate: { readonly register: number; readonly negated: boolean };
  /** Bytes that each lane moves, for loads, stores and asynchronous copies; 0 otherwise. */
  readonly width: number;
  readonly control: ControlCode;
  /** Offset in the section that a direct branch goes to. */
  readonly target?: number;
  /** Of DEPBAR: waits until the scoreboard counts no more than so many. */
  readonly atMost?: { readonly scoreboard: number; readonly count: number };
  /** Of BSSY: offset in the section from which lanes that go different ways from here go on together. */
  readonly together?: number;
  /** Offset in the section of what a direct call calls. */
  readonly called?: number;
  /** Of MEMBAR beyond the block: for whom what was written has to be visible. */
  readonly fence?: "gpu" | "system";
  /** A direct branch has a condition beside its guard. */
  readonly conditional?: boolean;
}

const instructionBytes = 16;

/** Bytes by the three bits at bit 73: U8, S8, U16, S16, 32, 64, 128, and 128 with a hint. */
const widths = [1, 1, 2, 2, 4, 8, 16, 16];
const branch = 0x147;
const kindOfBranch = 3;
const relativeCall = 0x144;
const waysBegin = 0x145;
const fence = 0x192;
/** By the two bits at bit 76 of a fence: the block, and three wider scopes. */
const fenceScopes = [undefined, "gpu", "gpu", "system"] as const;
/** DEPBAR names its scoreboard at bit 44 and the count at bit 38. */
const countedWait = 0x11a;
/**
 * A branch's second condition in the third word: a predicate (7 is always true), whether it is negated, and
 * whether it is a uniform one.
 */
const conditionMask = 0xf800000;
const noCondition = 0x3800000;
const withWidth = /^(LD|LDG|LDS|LDL|LDC|LDCU|ULDC|ST|STG|STS|STL)$/;

/** Asynchronous copies and matrix loads keep their width elsewhere; theirs is not read. */
function widthOf(operation: Operation, words: Words): number {
  if (operation.width !== undefined) return operation.width;
  return withWidth.test(operation.name) ? (widths[(words[2] >>> 9) & 7] ?? 0) : 0;
}

/** Reads all instructions of a code section, one after the other, without keeping them. */
export function* decodeInstructions(code: ByteReader, architecture: number): Generator<Instruction> {
  const operations = operationsOf(architecture);
  for (let offset = 0; code.end - code.position >= instructionBytes; offset += instructionBytes) {
    const words = [code.u32(), code.u32(), code.u32(), code.u32()] as const;
    yield decode(words, { offset, operations, architecture });
  }
}

type Words = readonly [number, number, number, number];

interface Place {
  readonly offset: number;
  readonly operations: readonly Operation[];
  readonly architecture: number;
}

function decode(words: Words, { offset, operations, architecture }: Place): Instruction {
  const operation = operations[words[0] & 0xfff];
  invariant(operation !== undefined, "the table has an operation for each of the twelve-bit values");
  const instruction: Instruction = {
    offset,
    operation,
    predicate: { register: (words[0] >>> 12) & 7, negated: ((words[0] >>> 15) & 1) === 1 },
    width: widthOf(operation, words),
    control: readControlCode(words[3]),
  };
  if ((words[0] & 0x1ff) === countedWait)
    return { ...instruction, atMost: { scoreboard: (words[1] >>> 12) & 7, count: (words[1] >>> 6) & 0x3f } };
  const behind = offset + instructionBytes;
  const target = behind + branchDistance(words, architecture);
  switch (words[0] & 0x1ff) {
    case relativeCall:
      return { ...instruction, called: target };
    case fence: {
      const scope = fenceScopes[(words[2] >>> 12) & 3];
      return scope === undefined ? instruction : { ...instruction, fence: scope };
    }
    case waysBegin:
      // In bytes, whatever the architecture.
      return { ...instruction, together: behind + (words[1] | 0) };
    case branch:
      return { ...instruction, target, conditional: (words[2] & conditionMask) !== noCondition };
    default:
      return instruction;
  }
}

/**
 * Up to sm_89 the distance is in bytes from bit 32, whose lowest two bits tell a kind instead: taken where
 * the whole warp agrees (`BRA.U`), where its lanes are apart (`BRA.DIV`) or are together (`BRA.CONV`). From
 * sm_90 it is in words, its low eight bits at bit 16 and the rest from bit 34.
 */
function branchDistance(words: Words, architecture: number): number {
  if (architecture < 90) return (words[1] | 0) & ~kindOfBranch;
  return (((words[1] | 0) >> 2) * 256 + ((words[0] >>> 16) & 0xff)) * 4;
}
