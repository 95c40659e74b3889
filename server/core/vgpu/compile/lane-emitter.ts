import { staticLayout, warpLayout } from "../layout";
import { globals } from "../library/library";
import { lowWords } from "../library/memory";
import { singleBits } from "../ptx/variables";
import { isWide, typeBytes } from "../ptx/types";
import { type Wasm, call, get, getGlobal, i32, load, op, set, shuffle, splat32, splat64 } from "../wasm/code";
import type { FunctionBuilder } from "../wasm/module";
import type { ProgramInstruction, ProgramOperand } from "./program";
import { refuse } from "./refusal";

/** Four lanes of one value: one vector of 32-bit lanes (also for smaller types and predicates), or two vectors of 64-bit lanes. */
export type Parts = readonly Wasm[];

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
  readonly parametersAt: number;
  readonly dynamicSharedAt: number;
}

/** Emits the instructions of one lane segment for four lanes at a time; registers live in locals between instructions. */
export class LaneEmitter {
  readonly code: Wasm[] = [];
  private readonly locals = new Map<number, readonly number[]>();
  private readonly temporaries: number[] = [];
  readonly written = new Set<number>();
  private guard: Wasm | undefined;

  /** `narrow` and `wide` are the addresses of this group of four lanes in the warp's 32-bit and 64-bit registers. */
  constructor(
    readonly kernel: KernelContext,
    private readonly builder: FunctionBuilder,
    private readonly narrow: Wasm,
    private readonly wide: Wasm,
  ) {}

  /** Starts an instruction; temporaries of the one before are free again. */
  begin(instruction: ProgramInstruction): void {
    for (const local of this.temporaries.splice(0)) this.builder.release(local);
    this.guard = undefined;
    if (!instruction.guard) return;
    const mask = get(this.localsOf(instruction.guard.register)[0] ?? 0);
    this.guard = this.keep(instruction.guard.negated ? op("v128.not", mask) : mask);
  }

  /** Frees all locals; the segment is complete. */
  end(): void {
    for (const local of this.temporaries.splice(0)) this.builder.release(local);
    for (const list of this.locals.values()) for (const local of list) this.builder.release(local);
  }

  /** Evaluates now; the result can be used any number of times until the next instruction. */
  keep(value: Wasm): Wasm {
    const local = this.builder.local("v128");
    this.temporaries.push(local);
    this.code.push(set(local, value));
    return get(local);
  }

  keepAll(parts: Parts): Parts {
    return parts.map((part) => this.keep(part));
  }

  call(name: string, ...operands: readonly Wasm[]): Wasm {
    return call(this.kernel.require(name), ...operands);
  }

  /** The locals that hold a register in this segment, loaded from the register file on first use. */
  localsOf(register: number): readonly number[] {
    const known = this.locals.get(register);
    if (known) return known;
    const wide = isWide(this.kernel.registers[register] ?? "b32");
    const list = wide ? [this.builder.local("v128"), this.builder.local("v128")] : [this.builder.local("v128")];
    this.locals.set(register, list);
    const slot = this.kernel.slotOf(register);
    list.forEach((local, part) => this.code.push(set(local, load("v128.load", wide ? this.wide : this.narrow, slot + 16 * part))));
    return list;
  }

  /** The locals of a register about to be written whole: nothing is loaded. */
  private freshLocals(register: number): readonly number[] {
    const known = this.locals.get(register);
    if (known) return known;
    const wide = isWide(this.kernel.registers[register] ?? "b32");
    const list = wide ? [this.builder.local("v128"), this.builder.local("v128")] : [this.builder.local("v128")];
    this.locals.set(register, list);
    return list;
  }

  /** Four lanes of an operand, widened to 32 or 64 bits by the type's sign. */
  read(instruction: ProgramInstruction, operand: ProgramOperand | undefined, type: string): Parts {
    if (!operand) return refuse(instruction, "an operand is missing");
    switch (operand.kind) {
      case "register": return this.readRegister(instruction, operand.register, type);
      case "negated": return this.readRegister(instruction, operand.register, "pred").map((part) => op("v128.not", part));
      case "integer": return integerParts(operand.value, type);
      case "float": return floatParts(instruction, operand, type);
      case "special": return this.readSpecial(instruction, operand.name, type);
      case "place": return this.readPlace(instruction, operand, type);
      default: return refuse(instruction, `operand of kind ${operand.kind}`);
    }
  }

  private readRegister(instruction: ProgramInstruction, register: number, type: string): Parts {
    const parts = this.localsOf(register).map(get);
    const wide = isWide(type);
    if (wide && parts.length === 1) return refuse(instruction, "a 64-bit operand in a smaller register");
    if (wide) return parts;
    const [low = [], high] = parts;
    return [normalize(high === undefined ? low : shuffle(low, high, lowWords), type, this.kernel.registers[register] ?? "b32")];
  }

  private readPlace(instruction: ProgramInstruction, place: Extract<ProgramOperand, { kind: "place" }>, type: string): Parts {
    const wide = isWide(type);
    if (place.space === "global") {
      if (!wide) return refuse(instruction, "a global address in 32 bits");
      const at = load("v128.load", getGlobal(globals.static), this.kernel.symbolConstant(place.symbol, place.offset));
      return [at, at];
    }
    if (place.space === "param") return refuse(instruction, "address of a kernel parameter");
    const offset = place.space === "dynamic-shared" ? place.offset + this.kernel.dynamicSharedAt : place.offset;
    return integerParts(BigInt(offset), wide ? "u64" : "u32");
  }

  private readSpecial(instruction: ProgramInstruction, name: string, type: string): Parts {
    const fromWarp = specialVectors.get(name);
    const value = fromWarp !== undefined ? load("v128.load", this.narrow, fromWarp) : this.uniformSpecial(instruction, name);
    if (!isWide(type)) return [normalize(value, type, "u32")];
    const kept = this.keep(value);
    return [op("i64x2.extend_low_i32x4_u", kept), op("i64x2.extend_high_i32x4_u", kept)];
  }

  private uniformSpecial(instruction: ProgramInstruction, name: string): Wasm {
    const fromStatic = specialScalars.get(name);
    if (fromStatic !== undefined) return load("v128.load32_splat", getGlobal(globals.static), fromStatic);
    const constant = specialConstants.get(name);
    if (constant !== undefined) return splat32(constant);
    return refuse(instruction, name);
  }

  /** Writes a result; lanes whose guard is false keep what they had. */
  write(instruction: ProgramInstruction, operand: ProgramOperand | undefined, type: string, value: Parts): void {
    if (operand?.kind === "sink") return;
    if (operand?.kind !== "register") return refuse(instruction, "the result is no register");
    const { register } = operand;
    const registerType = this.kernel.registers[register] ?? "b32";
    const parts = this.fit(value, type, registerType);
    if (this.guard === undefined) {
      const kept = parts.length > 1 ? this.keepAll(parts) : parts;
      this.freshLocals(register).forEach((local, part) => this.code.push(set(local, kept[part] ?? [])));
    } else {
      const locals = this.localsOf(register);
      const masks = parts.length === 1 ? [this.guard] : widenMask(this.guard);
      const mixed = parts.map((part, index) => op("v128.bitselect", part, get(locals[index] ?? 0), masks[index] ?? []));
      const kept = mixed.length > 1 ? this.keepAll(mixed) : mixed;
      locals.forEach((local, part) => this.code.push(set(local, kept[part] ?? [])));
    }
    this.written.add(register);
  }

  /** Brings a value of a type to the size of its register, as PTX ISA section 9.4.1 says of wider registers. */
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
    const narrow = high === undefined ? low : shuffle(low, high, lowWords);
    if (bytes === 2) return [op("v128.and", narrow, splat32(0xffff))];
    if (bytes === 1) return [op("v128.and", narrow, splat32(0xff))];
    return [normalize(narrow, type, "b32")];
  }
}

/** A mask over four 32-bit lanes as masks over two times two 64-bit lanes. */
export function widenMask(mask: Wasm): Parts {
  return [op("i64x2.extend_low_i32x4_s", mask), op("i64x2.extend_high_i32x4_s", mask)];
}

/** Sign- or zero-extends 8- and 16-bit lanes; `from` is the type of the register, whose upper bits are zero when it is small. */
export function normalize(value: Wasm, type: string, from: string): Wasm {
  const bytes = typeBytes(type) ?? 4;
  if (bytes >= 4) return value;
  const shift = i32(32 - 8 * bytes);
  if (type.startsWith("s")) return op("i32x4.shr_s", op("i32x4.shl", value, shift), shift);
  if ((typeBytes(from) ?? 4) <= bytes) return value;
  return op("v128.and", value, splat32(bytes === 1 ? 0xff : 0xffff));
}

function integerParts(value: bigint, type: string): Parts {
  if (type === "pred") return [splat32(value === 0n ? 0 : -1)];
  if (isWide(type)) return [splat64(value), splat64(value)];
  return [normalize(splat32(Number(BigInt.asIntN(32, value))), type, "b32")];
}

function floatParts(instruction: ProgramInstruction, operand: Extract<ProgramOperand, { kind: "float" }>, type: string): Parts {
  if (type === "f64" || isWide(type)) {
    if (operand.size !== 64) return refuse(instruction, "a single-precision literal for a double");
    return [splat64(operand.bits), splat64(operand.bits)];
  }
  if (typeBytes(type) !== 4) return refuse(instruction, `a literal of type ${type}`);
  const bits = operand.size === 32 ? operand.bits : singleBits(operand.bits);
  return [splat32(Number(BigInt.asIntN(32, bits)))];
}

const specialVectors: ReadonlyMap<string, number> = new Map([
  ["%tid.x", warpLayout.tidX], ["%tid.y", warpLayout.tidY], ["%tid.z", warpLayout.tidZ],
  ["%laneid", warpLayout.laneId], ["%warpid", warpLayout.warpId],
  ["%lanemask_eq", warpLayout.laneMaskEqual], ["%lanemask_lt", warpLayout.laneMaskLess], ["%lanemask_le", warpLayout.laneMaskLessEqual],
  ["%lanemask_gt", warpLayout.laneMaskGreater], ["%lanemask_ge", warpLayout.laneMaskGreaterEqual],
]);

const specialScalars: ReadonlyMap<string, number> = new Map([
  ["%ntid.x", staticLayout.ntid], ["%ntid.y", staticLayout.ntid + 4], ["%ntid.z", staticLayout.ntid + 8],
  ["%nctaid.x", staticLayout.nctaid], ["%nctaid.y", staticLayout.nctaid + 4], ["%nctaid.z", staticLayout.nctaid + 8],
  ["%ctaid.x", staticLayout.ctaid], ["%ctaid.y", staticLayout.ctaid + 4], ["%ctaid.z", staticLayout.ctaid + 8],
  ["%nwarpid", staticLayout.warpCount],
  ["%dynamic_smem_size", staticLayout.dynamicShared], ["%total_smem_size", staticLayout.totalShared],
]);

const specialConstants: ReadonlyMap<string, number> = new Map([["WARP_SZ", 32], ["%nsmid", 1], ["%smid", 0]]);
