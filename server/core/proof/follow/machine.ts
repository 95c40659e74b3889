import type { Program, ProgramInstruction } from "../../vgpu/flatten/program";
import type { PtxType } from "../../vgpu/ptx/types";
import { constantForm, type Form, plus } from "../decide/form";
import type { Prover, State, Value } from "./state";
import type { Symbols, Unfollowed } from "../decide/symbols";

/** A memory that addresses count from. */
export interface Region {
  /** For messages. */
  readonly name: string;
  readonly space: "global" | "shared";
  /** Its size; left out where it is not known. */
  readonly bytes?: Form;
  /** What is known of the alignment of its start. */
  readonly alignment: number;
}

/** What a kernel is looked at with. */
export interface Machine {
  readonly program: Program;
  readonly symbols: Symbols;
  readonly prover: Prover;
  readonly regions: ReadonlyMap<string, Region>;
  /** Values of parameters by their byte offset. */
  readonly parameters: ReadonlyMap<number, Value>;
  readonly specials: ReadonlyMap<string, Form>;
  /** Name of the region that a place in shared memory lies in. */
  readonly sharedRegion: (offset: number) => string;
}

/** One look at a part of a program. `isHopeful`: wrap-around is left out, to find what may be shown later. */
export interface Pass {
  readonly machine: Machine;
  readonly isHopeful: boolean;
}

/** The state before an instruction, and the instruction. */
export interface Step extends Pass {
  readonly instruction: ProgramInstruction;
  readonly state: State;
}

/** Greatest magnitude of 64-bit numbers that is looked at: what doubles hold exactly. */
const widest = 2 ** 52;

/** What an integer type holds. */
export function rangeOf({ kind, bits }: Pick<PtxType, "kind" | "bits">): readonly [number, number] {
  if (bits >= 64) return [kind === "signed" ? -widest : 0, widest];
  return kind === "signed" ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
}

/** The number that a value is as a type reads it; undefined where it may have wrapped around. */
export function exactly(step: Step, value: Value | undefined, type: PtxType): Form | undefined {
  if (value?.kind !== "number" || value.base !== undefined) return undefined;
  if (step.isHopeful) return value.form;
  return step.machine.prover.lies(step.state, value.form, rangeOf(type)) ? value.form : undefined;
}

/** A number of which only its type is known. */
export function unfollowed({ machine, instruction }: Step, type: PtxType, why: string): Value {
  const reason: Unfollowed = { why, location: instruction.location };
  const isNarrow = type.bits < 64;
  const [low, high] = rangeOf(
    type.kind === "unsigned" && type.bits < 32 ? type : { ...type, kind: "signed" },
  );
  const form = machine.symbols.add({
    name: why,
    ...(isNarrow && { low, high }),
    unfollowed: reason,
  });
  return { kind: "number", form };
}

/** A value some bytes further on. */
export function moved(value: Value, by: Form, times = 1): Value | undefined {
  if (value.kind !== "number") return undefined;
  return { ...value, form: plus(value.form, by, times) };
}

export function number(form: Form, base?: string): Value {
  return { kind: "number", form, ...(base === undefined ? {} : { base }) };
}

export const zero = constantForm(0);
