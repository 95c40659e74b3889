import { at } from "../../../base/known";
import { type PtxType, isWide, registerType } from "../../ptx/types";
import type { ByteSink } from "../../wasm/byte-sink";
import { type ValueType, type Wasm, get, load, set } from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import type { Parts } from "./values";

/** The locals that hold a register, and what they hold. */
interface HeldRegister {
  readonly locals: readonly number[];
  readonly parts: Parts;
}

/** Where a lane segment finds its registers. */
interface RegisterFile {
  readonly registers: readonly PtxType[];
  slotOf(register: number): number;
  readonly narrow: Wasm;
  readonly wide: Wasm;
}

/**
 * The locals of one lane segment: those of its registers until it ends, and those of values that an
 * instruction keeps.
 */
export class LaneLocals {
  private readonly temporaries: number[] = [];
  private readonly held = new Map<number, HeldRegister>();
  private readonly inUse: number[] = [];

  constructor(
    private readonly file: RegisterFile,
    private readonly builder: FunctionBuilder,
    private readonly code: ByteSink,
  ) {}

  /** Evaluates into a local that is free again after the instruction. */
  keep(value: Wasm): Wasm {
    const local = this.temporary("v128");
    this.code.push(set(local, value));
    return get(local);
  }

  /** A register's locals. They are loaded on first use, unless it is about to be written whole. */
  of(register: number, isWritten: boolean): HeldRegister {
    const known = this.held.get(register);
    if (known) return known;
    const wide = isWide(registerType(this.file.registers, register));
    const first = this.open();
    const held = wide ? heldBy(first, this.open()) : { locals: [first], parts: [get(first)] };
    this.held.set(register, held);
    if (!isWritten) this.load(held, wide ? this.file.wide : this.file.narrow, this.file.slotOf(register));
    return held;
  }

  private open(): number {
    return this.lasting("v128");
  }

  /** A local that is free again after the instruction. */
  temporary(type: ValueType): number {
    const local = this.builder.local(type);
    this.temporaries.push(local);
    return local;
  }

  /** A local that is free again after the segment. */
  lasting(type: ValueType): number {
    const local = this.builder.local(type);
    this.inUse.push(local);
    return local;
  }

  private load({ locals }: HeldRegister, address: Wasm, slot: number): void {
    for (let part = 0; part < locals.length; part += 1)
      this.code.push(set(at(locals, part), load("v128.load", address, slot + 16 * part)));
  }

  /** Frees what the last instruction kept. */
  releaseTemporaries(): void {
    for (const local of this.temporaries) this.builder.release(local);
    this.temporaries.length = 0;
  }

  /** Frees all locals; the segment is complete. */
  end(): void {
    this.releaseTemporaries();
    for (const local of this.inUse) this.builder.release(local);
  }
}

function heldBy(first: number, second: number): HeldRegister {
  return { locals: [first, second], parts: [get(first), get(second)] };
}
