import { at } from "../../../base/known";
import { type PtxType, isSigned, isWide, registerType, types } from "../../ptx/types";
import { type Wasm, call, get, op, set, splat32 } from "../../wasm/code";
import { invariant } from "../../../base/assert";
import { ByteSink } from "../../wasm/byte-sink";
import type { FunctionBuilder } from "../../wasm/module";
import { addressParts } from "./address-parts";
import type { KernelContext } from "./kernel-context";
import { LaneLocals } from "./lane-locals";
import type { CheckedGroup, LoadGroup, SegmentPlace } from "./load-group";
import { type LooseNaNs, settle } from "./loose-nans";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { specialParts } from "./special-registers";
import {
  type Parts,
  floatParts,
  integerParts,
  narrowed,
  normalize,
  refuseInteger,
  widenMask,
} from "./values";

/**
 * Emits the instructions of one lane segment for four lanes at a time; registers live in locals between
 * instructions.
 */
export class LaneEmitter {
  readonly code = new ByteSink(1024);
  readonly locals: LaneLocals;
  readonly narrow: Wasm;
  readonly written = new Set<number>();
  /** Registers whose single-precision NaNs may have any payload. */
  readonly loose: LooseNaNs = new Set();
  /** What is known of the addresses of a group of loads since its first one. */
  readonly checked = new Map<LoadGroup, CheckedGroup>();
  /** The lanes that run the instruction; undefined without a guard. */
  guard: Wasm | undefined;

  constructor(
    readonly kernel: KernelContext,
    builder: FunctionBuilder,
    readonly segment: SegmentPlace,
  ) {
    const { narrow, wide } = segment;
    this.narrow = narrow;
    this.locals = new LaneLocals(
      { registers: kernel.registers, slotOf: (register) => kernel.slotOf(register), narrow, wide },
      builder,
      this.code,
    );
  }

  /** Starts an instruction; temporaries of the one before are free again. */
  begin(instruction: ProgramInstruction): void {
    this.locals.releaseTemporaries();
    this.guard = undefined;
    if (!instruction.guard) return;
    const mask = get(at(this.localsOf(instruction.guard.register), 0));
    this.guard = this.keep(instruction.guard.negated ? op("v128.not", mask) : mask);
  }

  /** Frees all locals; the segment is complete. */
  end(): void {
    this.locals.end();
  }

  /** Evaluates now; the result can be used any number of times until the next instruction. */
  keep(value: Wasm): Wasm {
    return this.locals.keep(value);
  }

  keepAll(parts: Parts): Parts {
    return parts.map((part) => this.keep(part));
  }

  call(name: string, ...operands: readonly Wasm[]): Wasm {
    return call(this.kernel.require(name), ...operands);
  }

  /**
   * The locals that hold a register in this segment. They are loaded on first use, unless it is about to be
   * written whole.
   */
  localsOf(register: number, isWritten = false): readonly number[] {
    return this.locals.of(register, isWritten).locals;
  }

  /** What a register holds, one vector or two. */
  partsOf(register: number): Parts {
    return this.locals.of(register, false).parts;
  }

  /** Four lanes of an operand, widened to 32 or 64 bits by the type's sign. */
  read(instruction: ProgramInstruction, operand: ProgramOperand | undefined, type: PtxType): Parts {
    if (!operand) return refuse(instruction, "an operand is missing");
    switch (operand.kind) {
      case "register":
        return this.readRegister(instruction, operand.register, type);
      case "negated":
        return this.readRegister(instruction, operand.register, types.pred).map((part) =>
          op("v128.not", part),
        );
      case "integer":
        refuseInteger(instruction, operand.value, type);
        return integerParts(operand.value, type);
      case "float":
        return floatParts(instruction, operand, type);
      case "special":
        return specialParts(this, instruction, operand.name, type);
      case "place":
        return addressParts(this.kernel, instruction, operand, type);
      default:
        return refuse(instruction, `operand of kind ${operand.kind}`);
    }
  }

  /** Four lanes of an operand of at most 32 bits. */
  readOne(instruction: ProgramInstruction, operand: ProgramOperand | undefined, type: PtxType): Wasm {
    const parts = this.read(instruction, operand, type);
    invariant(parts.length === 1, "a type of at most 32 bits takes one vector");
    return at(parts, 0);
  }

  private readRegister(instruction: ProgramInstruction, register: number, type: PtxType): Parts {
    settle(this, register);
    const parts = this.partsOf(register);
    const wide = isWide(type);
    if (wide && parts.length === 1) return refuse(instruction, "a 64-bit operand in a smaller register");
    if (wide) return parts;
    return [normalize(narrowed(parts), type, registerType(this.kernel.registers, register))];
  }

  /** Writes a result; lanes whose guard is false keep what they had. */
  write(
    instruction: ProgramInstruction,
    operand: ProgramOperand | undefined,
    type: PtxType,
    value: Parts,
  ): void {
    if (operand?.kind === "sink") return;
    if (operand?.kind !== "register") return refuse(instruction, "the result is no register");
    const { register } = operand;
    const parts = this.fit(value, type, registerType(this.kernel.registers, register));
    const { guard } = this;
    if (guard === undefined) this.loose.delete(register);
    const values = guard === undefined ? parts : mixed(parts, this.localsOf(register), guard);
    // Two vectors are evaluated before the first is assigned, since both may read the register.
    const kept = values.length > 1 ? this.keepAll(values) : values;
    const locals = this.localsOf(register, guard === undefined);
    for (let part = 0; part < locals.length; part += 1) this.code.push(set(at(locals, part), at(kept, part)));
    this.written.add(register);
  }

  /**
   * Brings a value of a type to the size of its register, as PTX ISA section 9.4.1 says of wider registers.
   */
  private fit(value: Parts, type: PtxType, register: PtxType): Parts {
    if (register === types.pred) return value;
    const { bytes } = register;
    if (bytes === 8) {
      if (value.length === 2) return value;
      const kept = this.keep(normalize(at(value, 0), type, types.b32));
      return isSigned(type)
        ? [op("i64x2.extend_low_i32x4_s", kept), op("i64x2.extend_high_i32x4_s", kept)]
        : [op("i64x2.extend_low_i32x4_u", kept), op("i64x2.extend_high_i32x4_u", kept)];
    }
    const narrow = narrowed(value);
    if (bytes === 2) return [op("v128.and", narrow, splat32(0xffff))];
    if (bytes === 1) return [op("v128.and", narrow, splat32(0xff))];
    return [normalize(narrow, type, types.b32)];
  }
}

/** New values where the guard is true, and what the locals hold elsewhere. */
function mixed(parts: Parts, locals: readonly number[], guard: Wasm): Parts {
  const masks = parts.length === 1 ? [guard] : widenMask(guard);
  return parts.map((part, index) => op("v128.bitselect", part, get(at(locals, index)), at(masks, index)));
}
