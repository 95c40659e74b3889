import { at } from "../../base/known";
import { hasBit } from "../../vgpu/analyse/liveness";
import { all, any, type Condition, equal, truthOf } from "../decide/condition";
import { type Form, keyOf, minus } from "../decide/form";
import type { Machine } from "./machine";
import type { Prover, State, Value } from "./state";

/** Control that comes together: what holds on all ways, and one value for what differs. */
export function merged(machine: Machine, states: readonly State[], live: Uint32Array): State {
  const first = at(states, 0);
  if (states.length === 1) return { ...first, registers: only(first.registers, live) };
  const { common, extra } = commonFacts(states);
  const choices = first.choices.filter((choice) => states.every((state) => state.choices.includes(choice)));
  const registers = new Map<number, Value>();
  const ways: Condition[][] = extra.map((facts) => facts.map(notNegative));
  for (const register of only(first.registers, live).keys()) {
    const values = states.map((state) => state.registers.get(register));
    const value = sameValue(machine.prover, states, values);
    if (value !== undefined) registers.set(register, value);
    else joinNumbers(machine, { register, values, registers, ways });
  }
  const choice = any(ways.map(all));
  const tells = truthOf(choice) === undefined && choice.kind !== "unknown";
  return { registers, facts: common, choices: tells ? [...choices, choice] : choices };
}

function notNegative(form: Form): Condition {
  return { kind: "not-negative", form };
}

function only(registers: State["registers"], live: Uint32Array): State["registers"] {
  return new Map([...registers].filter(([register]) => hasBit(live, register)));
}

/** Facts of all states, then what each state has besides. */
function commonFacts(states: readonly State[]): {
  readonly common: readonly Form[];
  readonly extra: readonly (readonly Form[])[];
} {
  const keys = states.map(({ facts }) => new Set(facts.map(keyOf)));
  const isCommon = (form: Form): boolean => keys.every((each) => each.has(keyOf(form)));
  return {
    common: at(states, 0).facts.filter(isCommon),
    extra: states.map(({ facts }) => facts.filter((form) => !isCommon(form))),
  };
}

/** Ways whose numbers are compared by what is known on them. */
const mostCompared = 3;

/** The one value that a register has on all ways, perhaps by what is known on one of them. */
function sameValue(
  prover: Prover,
  states: readonly State[],
  values: readonly (Value | undefined)[],
): Value | undefined {
  const [first] = values;
  if (first?.kind !== "number") return values.every((value) => value === first) ? first : undefined;
  const numbers = values.filter((value) => value?.kind === "number");
  if (
    numbers.length < values.length ||
    numbers.length > mostCompared ||
    numbers.some(({ base }) => base !== first.base)
  )
    return undefined;
  return numbers.find((candidate, own) =>
    numbers.every(
      (other, index) =>
        index === own ||
        keyOf(other.form) === keyOf(candidate.form) ||
        prover.equal(at(states, index), other.form, candidate.form),
    ),
  );
}

/** A new symbol for numbers that differ, which on each way is that way's number. */
function joinNumbers(
  { symbols }: Machine,
  to: {
    readonly register: number;
    readonly values: readonly (Value | undefined)[];
    readonly registers: Map<number, Value>;
    readonly ways: Condition[][];
  },
): void {
  const numbers = to.values.filter((value) => value?.kind === "number");
  const [first] = numbers;
  if (first === undefined || numbers.length < to.values.length) return;
  if (numbers.some(({ base }) => base !== first.base)) return;
  const form = symbols.add({ name: "a value that comes from two ways" });
  to.registers.set(to.register, { ...first, form });
  for (const [index, each] of numbers.entries()) at(to.ways, index).push(equal(form, each.form));
}

/** How far apart two numbers of one memory are. */
export function distance(a: Value | undefined, b: Value | undefined): Form | undefined {
  if (a?.kind !== "number" || b?.kind !== "number" || a.base !== b.base) return undefined;
  return minus(a.form, b.form);
}
