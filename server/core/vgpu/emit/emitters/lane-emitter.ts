import { globals } from "../../library/library";
import { evenWords } from "../../wasm/shuffles";
import { isWide, typeBytes } from "../../ptx/types";
import { type Wasm, call, get, getGlobal, load, op, set, shuffle, splat32 } from "../../wasm/code";
import { ByteSink } from "../../wasm/byte-sink";
import type { FunctionBuilder } from "../../wasm/module";
import { placeValue } from "./immediates";
import { LaneLocals } from "./lane-locals";
import { type LooseNaNs, settle } from "./loose-nans";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { specialParts } from "./special-registers";
import { type Parts, floatParts, integerParts, normalize, refuseInteger, widenMask } from "./values";

/** What the code of one kernel shares. */
export interface KernelContext {
  readonly registers: readonly string[];
  /** Byte offset of a register in the warp's block. */
  slotOf(register: number): number;
  /** Index of a library function. */
  require(name: string): number;
  /** Index of a function that the host provides. */
  importOf(name: string): number;
  /** Byte offset in the static area of a constant vector. */
  constant(bits: bigint, wide: boolean): number;
  symbolConstant(name: string, offset: number): number;
  /** Module variables in constant memory. */
  readonly constantVariables: readonly { readonly name: string; readonly size: number }[];
  readonly parametersAt: number;
  readonly dynamicSharedAt: number;
  /** Time of its block that is still to come behind an instruction that reads a clock. */
  readonly timesLeft: ReadonlyMap<ProgramInstruction, number>;
}

/** Address of a module variable in two 64-bit lanes. */
export function symbolAddress(kernel: KernelContext, name: string, offset: number): Wasm {
  return load("v128.load", getGlobal(globals.static), kernel.symbolConstant(name, offset));
}

/**
 * Emits the instructions of one lane segment for four lanes at a time; registers live in locals between
 * instructions.
 */
export class LaneEmitter {
  readonly code = new ByteSink(1024);
  private readonly locals: LaneLocals;
  readonly written = new Set<number>();
  /** Registers whose single-precision NaNs may have any payload. */
  readonly loose: LooseNaNs = new Set();
  private guard: Wasm | undefined;

  /**
   * `narrow` and `wide` are the addresses of this group of four lanes in the warp's 32-bit and 64-bit
   * registers.
   */
  constructor(
    readonly kernel: KernelContext,
    builder: FunctionBuilder,
    readonly narrow: Wasm,
    wide: Wasm,
  ) {
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
    const mask = get(this.localsOf(instruction.guard.register)[0] ?? 0);
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
  read(instruction: ProgramInstruction, operand: ProgramOperand | undefined, type: string): Parts {
    if (!operand) return refuse(instruction, "an operand is missing");
    switch (operand.kind) {
      case "register":
        return this.readRegister(instruction, operand.register, type);
      case "negated":
        return this.readRegister(instruction, operand.register, "pred").map((part) => op("v128.not", part));
      case "integer":
        refuseInteger(instruction, operand.value, type);
        return integerParts(operand.value, type);
      case "float":
        return floatParts(instruction, operand, type);
      case "special":
        return specialParts(this, instruction, operand.name, type);
      case "place":
        return this.readPlace(instruction, operand, type);
      default:
        return refuse(instruction, `operand of kind ${operand.kind}`);
    }
  }

  private readRegister(instruction: ProgramInstruction, register: number, type: string): Parts {
    settle(this, register);
    const parts = this.partsOf(register);
    const wide = isWide(type);
    if (wide && parts.length === 1) return refuse(instruction, "a 64-bit operand in a smaller register");
    if (wide) return parts;
    const [low = [], high] = parts;
    return [
      normalize(
        high === undefined ? low : shuffle(low, high, evenWords),
        type,
        this.kernel.registers[register] ?? "b32",
      ),
    ];
  }

  private readPlace(
    instruction: ProgramInstruction,
    place: Extract<ProgramOperand, { kind: "place" }>,
    type: string,
  ): Parts {
    const wide = isWide(type);
    const known = placeValue(place, this.kernel);
    if (known === undefined) {
      if (!wide) return refuse(instruction, "a global address in 32 bits");
      const at = symbolAddress(this.kernel, place.symbol, place.offset);
      return [at, at];
    }
    if (place.space === "param" && !wide) return refuse(instruction, "the address of a parameter in 32 bits");
    return integerParts(known, wide ? "u64" : "u32");
  }

  /** Writes a result; lanes whose guard is false keep what they had. */
  write(
    instruction: ProgramInstruction,
    operand: ProgramOperand | undefined,
    type: string,
    value: Parts,
  ): void {
    if (operand?.kind === "sink") return;
    if (operand?.kind !== "register") return refuse(instruction, "the result is no register");
    const { register } = operand;
    const registerType = this.kernel.registers[register] ?? "b32";
    const parts = this.fit(value, type, registerType);
    const { guard } = this;
    if (guard === undefined) this.loose.delete(register);
    const values = guard === undefined ? parts : mixed(parts, this.localsOf(register), guard);
    // Two vectors are evaluated before the first is assigned, since both may read the register.
    const kept = values.length > 1 ? this.keepAll(values) : values;
    const locals = this.localsOf(register, guard === undefined);
    for (let part = 0; part < locals.length; part += 1)
      this.code.push(set(locals[part] ?? 0, kept[part] ?? []));
    this.written.add(register);
  }

  /**
   * Brings a value of a type to the size of its register, as PTX ISA section 9.4.1 says of wider registers.
   */
  private fit(value: Parts, type: string, registerType: string): Parts {
    if (registerType === "pred") return value;
    const bytes = typeBytes(registerType) ?? 4;
    if (bytes === 8) {
      if (value.length === 2) return value;
      const kept = this.keep(normalize(value[0] ?? [], type, "b32"));
      const signed = type.startsWith("s");
      return signed
        ? [op("i64x2.extend_low_i32x4_s", kept), op("i64x2.extend_high_i32x4_s", kept)]
        : [op("i64x2.extend_low_i32x4_u", kept), op("i64x2.extend_high_i32x4_u", kept)];
    }
    const [low = [], high] = value;
    const narrow = high === undefined ? low : shuffle(low, high, evenWords);
    if (bytes === 2) return [op("v128.and", narrow, splat32(0xffff))];
    if (bytes === 1) return [op("v128.and", narrow, splat32(0xff))];
    return [normalize(narrow, type, "b32")];
  }
}

/** New values where the guard is true, and what the locals hold elsewhere. */
function mixed(parts: Parts, locals: readonly number[], guard: Wasm): Parts {
  const masks = parts.length === 1 ? [guard] : widenMask(guard);
  return parts.map((part, index) => op("v128.bitselect", part, get(locals[index] ?? 0), masks[index] ?? []));
}
