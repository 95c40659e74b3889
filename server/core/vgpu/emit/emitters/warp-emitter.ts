import { staticLayout } from "../../layout";
import { accessKinds } from "../../library/counting/site-counters";
import { globals } from "../../library/library";
import { type PtxType, isWide, registerType, types } from "../../ptx/types";
import { type Wasm, call, get, getGlobal, i32, op, set } from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { integerValueOf } from "./immediates";
import { refuseInteger } from "./values";
import type { KernelContext } from "./kernel-context";
import type { MemorySite } from "./memory-site";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";

export type { MemorySite } from "./memory-site";

/** An access whose addresses stand in the scratch vector. */
interface Watched extends Pick<MemorySite, "space" | "access" | "bytes"> {
  /** Linear address of the instruction's record. */
  readonly site: Wasm;
  readonly mask: Wasm;
}

/** What calls need to know of the whole kernel. */
interface CallContext {
  /** The lanes' call stacks: byte offset in the warp's block, bytes of each. */
  readonly stack: { readonly at: number; readonly bytes: number };
  /** Where local memory that is taken while the kernel runs begins. */
  readonly localStart: number;
  /**
   * Index of the function that finds the block of a function's address, for calls through registers of one
   * signature.
   */
  pointerSearch(key: string): number;
}

/** What a whole kernel's warp-wide instructions share. */
export interface WarpContext extends KernelContext {
  /** Offset in a warp of the records of blocks that may spin. */
  readonly spinsAt: number;
  readonly calls: CallContext;
  readonly counters: boolean;
  readonly detectors: boolean;
  readonly accesses: boolean;
  /**
   * Several threads of the host run the code at once: reductions on global memory have to be atomic among
   * them.
   */
  readonly spread: boolean;
  /** Where atomic sums of singles are kept without rounding, in the static area, for a kernel that does. */
  readonly sumsAt?: number;
}

/** Emits warp-wide instructions: calls of library functions that take linear addresses of whole registers. */
export class WarpEmitter {
  readonly code: Wasm[] = [];

  /** `active` is the bit mask of the lanes that run. */
  constructor(
    readonly kernel: WarpContext,
    readonly builder: FunctionBuilder,
    readonly warp: Wasm,
    readonly active: Wasm,
  ) {}

  push(...code: readonly Wasm[]): void {
    this.code.push(...code);
  }

  call(name: string, ...operands: readonly Wasm[]): Wasm {
    return call(this.kernel.require(name), ...operands);
  }

  /** Evaluates once into a local of type i32. */
  keep(value: Wasm): Wasm {
    const local = this.builder.local("i32");
    this.code.push(set(local, value));
    return get(local);
  }

  /** Linear address of a register to read, or of a constant vector. */
  source(instruction: ProgramInstruction, operand: ProgramOperand | undefined, type: PtxType): Wasm {
    const wide = isWide(type);
    if (operand?.kind === "register") {
      if (isWide(registerType(this.kernel.registers, operand.register)) !== wide)
        return refuse(instruction, "a register of another size");
      return op("i32.add", this.warp, i32(this.kernel.slotOf(operand.register)));
    }
    if (operand?.kind === "integer") refuseInteger(instruction, operand.value, type);
    const bits = operand && integerValueOf(operand, type, this.kernel);
    if (bits !== undefined)
      return op("i32.add", getGlobal(globals.static), i32(this.kernel.constant(bits, wide)));
    if (operand?.kind === "place" && operand.space === "global" && wide) {
      return op(
        "i32.add",
        getGlobal(globals.static),
        i32(this.kernel.symbolConstant(operand.symbol, operand.offset)),
      );
    }
    return refuse(instruction, `operand of kind ${operand?.kind ?? "nothing"}`);
  }

  /** Linear address of a register to write; a sink writes to the trash. */
  target(instruction: ProgramInstruction, operand: ProgramOperand | undefined): Wasm {
    if (operand?.kind === "sink") return op("i32.add", getGlobal(globals.static), i32(staticLayout.trash));
    if (operand?.kind !== "register") return refuse(instruction, "the result is no register");
    return op("i32.add", this.warp, i32(this.kernel.slotOf(operand.register)));
  }

  isWideRegister(operand: ProgramOperand | undefined): boolean {
    return operand?.kind === "register" && isWide(registerType(this.kernel.registers, operand.register));
  }

  /**
   * Emits the counting of the access just translated, when the kernel is compiled with counters. Parameters
   * lie in the constant bank: no traffic of global memory.
   */
  watch({ site, space, access, bytes, mask }: Watched): void {
    if (this.kernel.counters && space !== "param") this.countAccess({ site, space, access, bytes, mask });
  }

  private countAccess({ site, space, access, bytes, mask }: Watched): void {
    const kind = i32(accessKinds[access]);
    const parts = space === "local" ? [this.warp, site, i32(bytes), mask] : [site, i32(bytes), mask, kind];
    this.push(this.call(`count_${space}`, ...(space === "generic" ? [this.warp, ...parts] : parts)));
  }

  isPredicate(operand: ProgramOperand): boolean {
    return (
      operand.kind === "negated" ||
      (operand.kind === "register" && registerType(this.kernel.registers, operand.register) === types.pred)
    );
  }

  /** Linear address of the record of a memory instruction, by the number that `addSite` gave. */
  siteAt(index: number, size: number): Wasm {
    return op("i32.add", getGlobal(globals.sites), i32(index * size));
  }
}
