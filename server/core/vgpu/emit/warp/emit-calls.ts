import { at, known } from "../../../base/known";
import { invariant } from "../../../base/assert";
import { functionStride } from "../../functions";
import { addressWindows, staticLayout } from "../../layout";
import { globals } from "../../library/library";
import { systemCodes } from "../../library/system";
import { isWide, types } from "../../ptx/types";
import {
  type Wasm,
  call,
  choose,
  get,
  getGlobal,
  i32,
  i64,
  load,
  op,
  set,
  store,
  when,
} from "../../wasm/code";
import type { Terminator } from "../../analyse/blocks";
import { callRecord } from "../../analyse/call-records";
import type { WarpFamily, WarpFamilies } from "./emit-memory";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import type { WarpEmitter } from "../emitters/warp-emitter";
import { forEachLane } from "../../library/lanes";

/** Functions that a call may reach, in order of their numbers, with their first blocks. */
export type PointerList = readonly { readonly number: number; readonly block: number }[];

/** The call stacks of one warp behind its registers: linear address of lane 0's and the bytes of each. */
function stackParts({ kernel, warp }: WarpEmitter): readonly [Wasm, Wasm] {
  return [op("i32.add", warp, i32(kernel.calls.stack.at)), i32(kernel.calls.stack.bytes)];
}

function siteOf(warp: WarpEmitter, instruction: ProgramInstruction): Wasm {
  return i32(warp.kernel.addSite({ instruction, space: "generic", access: "load", bytes: 0 }));
}

/**
 * Code of a call: puts the registers that have to survive and the block to come back to on the call stack;
 * its value is the next block.
 */
export function emitCall(
  warp: WarpEmitter,
  terminator: Extract<Terminator, { kind: "call" }>,
  saved: readonly number[],
): Wasm {
  const { instruction, next, target } = terminator;
  const parts = stackParts(warp);
  const { bytes, places } = callRecord(saved, warp.kernel.registers);
  const goal = target === undefined ? pointedAt(warp, instruction) : i32(target);
  warp.push(
    warp.call(
      "stack_push",
      warp.warp,
      ...parts,
      i32(bytes),
      i32(next),
      warp.active,
      siteOf(warp, instruction),
    ),
  );
  for (const { register, size, below } of places) {
    warp.push(
      warp.call(
        `stack_save_${size}`,
        warp.warp,
        ...parts,
        op("i32.add", warp.warp, i32(warp.kernel.slotOf(register))),
        i32(below),
        warp.active,
      ),
    );
  }
  return [warp.code, goal];
}

/** Code at the start of the block behind a call. */
export function emitResume(warp: WarpEmitter, saved: readonly number[]): Wasm {
  const parts = stackParts(warp);
  const { bytes, places } = callRecord(saved, warp.kernel.registers);
  for (const { register, size, below } of places) {
    warp.push(
      warp.call(
        `stack_restore_${size}`,
        warp.warp,
        ...parts,
        op("i32.add", warp.warp, i32(warp.kernel.slotOf(register))),
        i32(below),
        warp.active,
      ),
    );
  }
  warp.push(warp.call("stack_pop", warp.warp, i32(bytes), warp.active));
  return warp.code;
}

/**
 * Code of a procedure's end: its value is the block to go on with, or that the lanes go to different ones.
 */
export function emitReturn(warp: WarpEmitter): Wasm {
  return warp.call("stack_return", warp.warp, ...stackParts(warp), warp.active);
}

/**
 * Finds the block of each lane's function. An address that belongs to no function with these arguments ends
 * the launch.
 */
function pointedAt(warp: WarpEmitter, instruction: ProgramInstruction): Wasm {
  const { kernel, builder } = warp;
  const [pointer] = instruction.operands;
  const addresses = warp.source(instruction, pointer, types.u64);
  const search = kernel.calls.pointerSearch(
    known(instruction.matched.modifiers.pointers, "the functions that a call may reach"),
  );
  const [rest, lane, block] = [builder.local("i32"), builder.local("i32"), builder.local("i32")];
  const address = builder.local("i64");
  const blocks = op("i32.add", getGlobal(globals.static), i32(staticLayout.addresses));
  const system = call(
    kernel.importOf("system"),
    i32(systemCodes.badCall),
    warp.warp,
    siteOf(warp, instruction),
    get(lane),
    get(address),
    i64(0n),
    i64(0n),
    i64(0n),
    i64(0n),
  );
  warp.push(
    set(rest, warp.active),
    forEachLane(rest, lane, [
      set(address, load("i64.load", op("i32.add", addresses, op("i32.shl", get(lane), i32(3))))),
      set(block, call(search, get(address))),
      when(op("i32.lt_s", get(block), i32(0)), [system, op("drop")]),
      store("i32.store", op("i32.add", blocks, op("i32.shl", get(lane), i32(2))), get(block)),
    ]),
  );
  return warp.call("lanes_agree", warp.warp, blocks, warp.active);
}

/** A binary search through functions in order of their numbers; -1 when none has the address. */
export function searchBlock(list: PointerList, address: Wasm): Wasm {
  const addressOf = (number: number): bigint => addressWindows.function + BigInt(functionStride * number);
  const [first] = list;
  if (!first) return i32(-1);
  if (list.length === 1)
    return op("select", i32(first.block), i32(-1), op("i64.eq", address, i64(addressOf(first.number))));
  const middle = list.length >> 1;
  return choose(
    "i32",
    op("i64.lt_u", address, i64(addressOf(at(list, middle).number))),
    searchBlock(list.slice(0, middle), address),
    searchBlock(list.slice(middle), address),
  );
}

const stackReset: WarpFamily = (warp) => {
  warp.push(warp.call("stack_reset", warp.warp, i32(warp.kernel.calls.localStart)));
};

const frameEnter: WarpFamily = (warp, instruction, mask) => {
  const { bytes } = instruction.matched.modifiers;
  invariant(bytes !== undefined, "a function with a frame says how large it is");
  warp.push(
    warp.call(
      "frame_enter",
      warp.warp,
      warp.target(instruction, instruction.operands[0]),
      i32(bytes),
      getGlobal(globals.localBytes),
      mask,
      siteOf(warp, instruction),
    ),
  );
};

function isWideType(instruction: ProgramInstruction): boolean {
  return isWide(instruction.matched.types.type ?? types.u64);
}

/** stackrestore (PTX ISA section 9.7.14.2), and what a function with a frame does at its end. */
const stackRestore: WarpFamily = (warp, instruction, mask) => {
  const wide = isWideType(instruction);
  warp.push(
    warp.call(
      "set_local_top",
      warp.warp,
      warp.source(instruction, instruction.operands[0], wide ? types.u64 : types.u32),
      i32(Number(wide)),
      getGlobal(globals.localBytes),
      mask,
      siteOf(warp, instruction),
    ),
  );
};

/** stacksave (PTX ISA section 9.7.14.1). */
const stackSave: WarpFamily = (warp, instruction, mask) => {
  warp.push(
    warp.call(
      "local_top",
      warp.warp,
      resultOf(warp, instruction),
      i32(Number(isWideType(instruction))),
      mask,
    ),
  );
};

/** The alignment that alloca asks for; 0 when it is no number. */
function alignmentOf(operand: ProgramOperand | undefined): number {
  if (operand === undefined) return 8;
  return operand.kind === "integer" ? Number(operand.value) : 0;
}

/** alloca (PTX ISA section 9.7.14.3): the memory lasts until stackrestore or the end of the function. */
const stackAllocate: WarpFamily = (warp, instruction, mask) => {
  const wide = isWideType(instruction);
  const [, size, align] = instruction.operands;
  const bytes = alignmentOf(align);
  if (bytes < 1 || bytes > 1 << 23 || (bytes & (bytes - 1)) !== 0)
    return refuse(instruction, "the alignment is no power of two");
  warp.push(
    warp.call(
      "stack_allocate",
      warp.warp,
      resultOf(warp, instruction),
      warp.source(instruction, size, wide ? types.u64 : types.u32),
      i32(Number(wide)),
      i32(Math.max(8, bytes)),
      getGlobal(globals.localBytes),
      mask,
      siteOf(warp, instruction),
    ),
  );
};

function resultOf(warp: WarpEmitter, instruction: ProgramInstruction): Wasm {
  const [d] = instruction.operands;
  if (warp.isWideRegister(d) !== isWideType(instruction))
    return refuse(instruction, "a register of another size");
  return warp.target(instruction, d);
}

/** A call of a function that the driver provides: the host is asked lane by lane, lowest first. */
const systemCall: WarpFamily = (warp, instruction, mask) => {
  const { kernel, builder } = warp;
  const [result, ...values] = instruction.operands;
  const code = systemCodes[instruction.matched.modifiers["name"] ?? ""] ?? refuse(instruction);
  const [rest, lane, answer] = [builder.local("i32"), builder.local("i32"), builder.local("i64")];
  const valueOf = (operand: ProgramOperand | undefined): Wasm => {
    if (!operand) return i64(0n);
    const wide = warp.isWideRegister(operand);
    const at = warp.source(instruction, operand, wide ? types.u64 : types.u32);
    if (wide) return load("i64.load", op("i32.add", at, op("i32.shl", get(lane), i32(3))));
    return op("i64.extend_i32_u", load("i32.load", op("i32.add", at, op("i32.shl", get(lane), i32(2)))));
  };
  const asked = call(
    kernel.importOf("system"),
    i32(code),
    warp.warp,
    siteOf(warp, instruction),
    get(lane),
    ...Array.from({ length: 5 }, (_, index) => valueOf(values[index])),
  );
  const kept =
    result?.kind === "register"
      ? store(
          "i64.store",
          op("i32.add", warp.target(instruction, result), op("i32.shl", get(lane), i32(3))),
          get(answer),
        )
      : [];
  warp.push(set(rest, mask), forEachLane(rest, lane, [set(answer, asked), kept]));
};

export const callFamilies = {
  "stack-reset": stackReset,
  "frame-enter": frameEnter,
  "frame-leave": stackRestore,
  "stack-allocate": stackAllocate,
  "stack-save": stackSave,
  "stack-restore": stackRestore,
  "system-call": systemCall,
} as const satisfies WarpFamilies;
