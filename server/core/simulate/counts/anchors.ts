import type { PlacedInstruction } from "../../cubin/index";
import type { ExecutedInstruction } from "../../timing/execution/executed";
import table from "./anchors.json";

/**
 * What an instruction is recognised by in both forms of a program: the compilers keep these in order and in
 * number, but for merged accesses and unrolled loops.
 */
export interface Anchor {
  /** `load global`, `barrier`, `fma fp32`. */
  readonly kind: string;
  /** What it weighs in a sum: bytes of a lane's access, 0 where these are not known, else one. */
  readonly amount: number;
  /** 0 to 1: how surely each stands for one of the other form. */
  readonly trust: number;
}

interface Kind {
  readonly kind: string;
  readonly trust?: number;
}

const byOpcode: Readonly<Record<string, Kind>> = table.ptx;
const byName: Readonly<Record<string, Kind>> = table.machine.names;
const byClass: Readonly<Record<string, Kind>> = table.machine.classes;
const arithmetic: Readonly<Record<string, string>> = table.arithmetic;
const weakTrust = table.arithmeticTrust;

/** The anchor that a PTX instruction is; undefined for what compilers rewrite freely. */
export function anchorOfPtx(instruction: ExecutedInstruction): Anchor | undefined {
  const { opcode, access, class: group } = instruction;
  if (isFragmentLoad(instruction)) return { kind: "matrix load", amount: 1, trust: 1 };
  // Other loads and stores of fragments are accesses as others.
  const named = opcode === "wmma" && group !== "tensor" ? undefined : byOpcode[opcode];
  if (named !== undefined) return { kind: named.kind, amount: 1, trust: named.trust ?? 1 };
  if (access !== undefined) {
    const space = spaceOf(instruction);
    return space === undefined
      ? undefined
      : {
          kind: `${access.access} ${space}`,
          amount: access.access === "atomic" ? 1 : access.bytes,
          trust: 1,
        };
  }
  const operation = arithmetic[opcode];
  if (operation === undefined || !/^fp(?:16|32|64)$/.test(group)) return undefined;
  return { kind: `${operation} ${group}`, amount: 1, trust: weakTrust };
}

/** Whether the machine does the operation by several of arithmetic: it divides so, and takes roots. */
export function isWrittenOut({ opcode }: ExecutedInstruction): boolean {
  return table.writtenOut.includes(opcode);
}

/** Whether anchors of a kind are arithmetic. */
export function isArithmetic(kind: string): boolean {
  return / fp\d+$/.test(kind);
}

/** Fragments of 16-bit elements in shared memory are loaded as matrices, four of 8 by 8 at a time. */
export function isFragmentLoad(instruction: ExecutedInstruction): boolean {
  const { opcode, access, elementBits } = instruction;
  if (opcode !== "wmma" || access?.access !== "load" || elementBits !== 16) return false;
  return spaceOf(instruction) === "shared";
}

/** The memory that an access went to; of a generic one by what it asked for. */
export function spaceOf({ access }: ExecutedInstruction): "global" | "shared" | "local" | undefined {
  if (access === undefined || access.space === "param") return undefined;
  if (access.space !== "generic") return access.space;
  if (access.sharedRequests > access.globalRequests) return "shared";
  return access.localRequests > access.globalRequests ? "local" : "global";
}

/** The anchor that a machine instruction is. */
export function anchorOfMachine({ operation, width }: PlacedInstruction): Anchor | undefined {
  const found = byName[operation.name] ?? byClass[operation.class];
  if (found === undefined) return undefined;
  const isAccess = /^(?:load|store) /.test(found.kind);
  return { kind: found.kind, amount: isAccess && width > 0 ? width : 1, trust: found.trust ?? 1 };
}
