import { at } from "../../base/known";
import type { CodeBlock } from "../../vgpu/analyse/blocks";
import type { ProgramInstruction } from "../../vgpu/flatten/program";
import { rolesOf } from "../../vgpu/flatten/roles";
import { typeOf } from "../../vgpu/opcodes/table";
import { type PtxType, isFloat, registerType } from "../../vgpu/ptx/types";
import { chosen, type Result, rules } from "./arithmetic";
import { comparison } from "./compare";
import { type Condition, negated as negatedOf, truthOf } from "../decide/condition";
import { OutOfReachError } from "../decide/form";
import { type Pass, type Step, unfollowed } from "./machine";
import { guardOf, valueOf } from "./operands";
import { assume, type State, type Value } from "./state";

/** A place where memory is accessed, and what is known there. */
export interface Access {
  readonly instruction: ProgramInstruction;
  readonly block: number;
  /** Global, shared, generic …, as written. */
  readonly space: string;
  readonly isWrite: boolean;
  readonly isAtomic: boolean;
  readonly bytes: number;
  /** Undefined where the address is not followed. */
  readonly address: Value | undefined;
  readonly state: State;
}

/** Goes through the instructions of a block. `accesses` gets those of its memory. */
export function executeBlock(
  pass: Pass,
  { instructions }: CodeBlock,
  start: State,
  seen: (access: Omit<Access, "block">) => void,
): State {
  let state = start;
  for (const instruction of instructions) {
    const step = { ...pass, instruction, state };
    for (const access of accessesOf(step)) seen(access);
    state = executed(step);
  }
  return state;
}

/** The state behind an instruction. */
function executed(step: Step): State {
  const { writes } = rolesOf(step.instruction);
  if (writes.length === 0) return step.state;
  const registers = new Map(step.state.registers);
  const choices = [...step.state.choices];
  for (const register of writes) {
    const type = registerType(step.machine.program.registers, register);
    const result = kept(step, register, resultOf(step, type, writes.length));
    const { choice } = result ?? {};
    if (choice) choices.push(...(choice.kind === "all" ? choice.of : [choice]));
    if (result === undefined) registers.delete(register);
    else registers.set(register, result.value);
  }
  return { registers, facts: step.state.facts, choices };
}

/** What a guarded instruction leaves in a register: the old value where it does not take place. */
function kept(step: Step, register: number, result: Result | undefined): Result | undefined {
  const guard = guardOf(step);
  if (truthOf(guard) === true || result === undefined) return result;
  const before = step.state.registers.get(register);
  if (before === undefined || result.value.kind === "predicate") return undefined;
  const either = chosen(step, [result.value, before], guard);
  if (either === undefined || result.choice === undefined) return either;
  return undefined;
}

function resultOf(step: Step, type: PtxType, writes: number): Result | undefined {
  const { family } = step.instruction.matched;
  try {
    if (family === "compare" && writes === 1)
      return { value: { kind: "predicate", condition: comparison(step) } };
    const parameter = family === "load" && writes === 1 ? parameterOf(step) : undefined;
    if (parameter) return { value: parameter };
    const result = writes === 1 ? rules[family]?.(step) : undefined;
    if (result) return result;
  } catch (thrown) {
    if (!(thrown instanceof OutOfReachError)) throw thrown;
  }
  return unknownResult(step, type);
}

function unknownResult(step: Step, type: PtxType): Result | undefined {
  if (type.kind === "predicate" || isFloat(type) || type.count !== 1) return undefined;
  const { matched } = step.instruction;
  const loads = matched.traits.access !== undefined;
  const loaded = loads && matched.types.type ? matched.types.type : type;
  if (isFloat(loaded)) return undefined;
  const why = loads ? "a value read from memory" : `the result of ${matched.instruction.opcode}`;
  return { value: unfollowed(step, loaded.bits < type.bits ? loaded : type, why) };
}

function parameterOf({ machine, instruction }: Step): Value | undefined {
  const [, address] = instruction.operands;
  if (address?.kind !== "address" || address.base.kind !== "place") return undefined;
  if (address.base.space !== "param") return undefined;
  return machine.parameters.get(address.base.offset + address.offset);
}

/** The accesses of an instruction to memory that threads share. */
function accessesOf(step: Step): readonly Omit<Access, "block">[] {
  const { instruction } = step;
  const { traits, modifiers } = instruction.matched;
  const state = assume(step.state, guardOf(step));
  if (state === undefined || (traits.class !== "memory" && traits.proxy === undefined)) return [];
  const common = { instruction, state, isAtomic: traits.access === "update" };
  if (traits.proxy === "async") return beyondAddresses(common);
  if (traits.access === "copy") return copied(step, common);
  const space = String(modifiers["space"] ?? "generic");
  const isOwn = ["param", "param::entry", "param::func", "local", "const"].includes(space);
  if (isOwn) return [];
  const operand = instruction.operands.find(({ kind }) => kind === "address");
  return [
    {
      ...common,
      space,
      isWrite: traits.access !== "load",
      bytes: traits.access === undefined ? 0 : bytesOf(instruction),
      address: valueOf(step, operand),
    },
  ];
}

/**
 * A bulk copy goes either way, over as many bytes as it is told, one of a tensor over what its map says, and
 * a product of a warpgroup reads what its descriptors say: nothing is decided.
 */
function beyondAddresses(
  common: Pick<Access, "instruction" | "state" | "isAtomic">,
): readonly Omit<Access, "block">[] {
  return ["shared", "global"].map((space) => ({
    ...{ ...common, space, isWrite: true, bytes: 0, address: undefined },
  }));
}

/** cp.async reads global and writes shared memory. */
function copied(
  step: Step,
  common: Pick<Access, "instruction" | "state" | "isAtomic">,
): readonly Omit<Access, "block">[] {
  const [to, from, size, read] = step.instruction.operands;
  const bytes = size?.kind === "integer" ? Number(size.value) : 0;
  // Bytes beyond those that are read are filled with zeros, so that fewer may be read.
  const isWhole = read === undefined;
  return [
    { ...common, space: "shared", isWrite: true, bytes, address: valueOf(step, to) },
    {
      ...{ ...common, space: "global", isWrite: false, bytes: isWhole ? bytes : 0 },
      address: isWhole ? valueOf(step, from) : undefined,
    },
  ];
}

function bytesOf(instruction: ProgramInstruction): number {
  const { vector } = instruction.matched.modifiers;
  const count = vector === undefined ? 1 : Number(at(vector, 1));
  return count * typeOf(instruction).bytes;
}

/** The condition under which a block's branch is taken. */
export function takenWhen(
  state: State,
  { register, negated }: { readonly register: number; readonly negated: boolean },
): Condition {
  const value = state.registers.get(register);
  const condition = value?.kind === "predicate" ? value.condition : undefined;
  if (condition === undefined) return { kind: "unknown" };
  return negated ? negatedOf(condition) : condition;
}
