import { at, mustGet } from "../../base/known";
import type { CodeBlock } from "../../vgpu/analyse/blocks";
import { type Liveness, terminatorWrites } from "../../vgpu/analyse/liveness";
import { rolesOf } from "../../vgpu/flatten/roles";
import { registerType } from "../../vgpu/ptx/types";
import type { Condition } from "../decide/condition";
import {
  constantForm,
  type Form,
  keyOf,
  minus,
  OutOfReachError,
  plus,
  product,
  shifted,
  substituted,
  symbolForm,
  symbolsOf,
} from "../decide/form";
import type { Access } from "./execute";
import type { FlowGraph } from "./graph";
import { number, type Pass, rangeOf } from "./machine";
import { distance } from "./merge";
import type { State, Value } from "./state";

/** How often what is supposed of a loop is taken back in part before all of it is. */
const mostRounds = 5;
const mostSuppositions = 24;

/** A kernel as it is walked through. */
export interface Walk extends Pass {
  readonly blocks: readonly CodeBlock[];
  readonly graph: FlowGraph;
  readonly liveness: Liveness;
  /** Gets each access; left out while loops are only looked at. */
  readonly seen?: (access: Access) => void;
  /** Gets the condition of each branch, as `seen` gets accesses. */
  readonly branched?: (block: number, condition: Condition) => void;
  /** Goes through the blocks of one round of a loop; gives the states at its ends. */
  readonly round: (walk: Walk, header: number, start: State) => readonly State[];
}

/** A loop about to be entered. */
interface Entered {
  readonly walk: Walk;
  readonly header: number;
  readonly before: State;
  /** Registers that a round writes and that hold numbers. */
  readonly changing: ReadonlyMap<number, Extract<Value, { kind: "number" }>>;
}

/** What the registers hold at the beginning of a round, by its number. */
interface Round {
  readonly start: State;
  /** Number of the symbol that counts the rounds. */
  readonly counter: number;
  /** Symbols of registers that go no equal steps. */
  readonly others: ReadonlyMap<number, number>;
}

/**
 * The state at the beginning of any round of a loop. Registers that go equal steps are multiples of the
 * round's number; of the others nothing is known. What the ends of rounds suggest is then supposed of every
 * round, and kept where it holds on entry and each round hands it on to the next.
 */
export function enterLoop(walk: Walk, header: number, before: State): State {
  const quiet = withoutSeen(walk);
  const careful = { walk: quiet, header, before, changing: changingIn(walk, header, before) };
  const round = roundOf(careful, stepsOf(careful));
  if (walk.isHopeful) return round.start;
  let supposed = suppositions({ ...careful, walk: { ...quiet, isHopeful: true } }, round).filter((form) =>
    holdsOnEntry(careful, round, form),
  );
  for (let time = 0; time < mostRounds && supposed.length > 0; time += 1) {
    const start = { ...round.start, facts: [...round.start.facts, ...supposed] };
    const ends = walk.round(careful.walk, header, start);
    const kept = supposed.filter((form) => ends.every((end) => isHandedOn(careful, { round, end, form })));
    if (kept.length === supposed.length) return start;
    supposed = kept;
  }
  return round.start;
}

function withoutSeen({ machine, blocks, graph, liveness, isHopeful, round }: Walk): Walk {
  return { machine, blocks, graph, liveness, isHopeful, round };
}

function changingIn(walk: Walk, header: number, before: State): Entered["changing"] {
  const live = at(walk.liveness.liveIn, header);
  const changing = new Map<number, Extract<Value, { kind: "number" }>>();
  for (const register of writtenIn(walk, header)) {
    const value = before.registers.get(register);
    const isLive = ((live[register >> 5] ?? 0) & (1 << (register & 31))) !== 0;
    if (isLive && value?.kind === "number") changing.set(register, value);
  }
  return changing;
}

function writtenIn(walk: Walk, header: number): ReadonlySet<number> {
  const written = new Set<number>();
  for (const block of mustGet(walk.graph.loops, header).blocks) {
    const { instructions, terminator } = at(walk.blocks, block);
    for (const instruction of instructions)
      for (const register of rolesOf(instruction).writes) written.add(register);
    for (const register of terminatorWrites(terminator)) written.add(register);
  }
  return written;
}

/** The registers before a loop without those that it changes, and these as `values` has them. */
function withChanging(
  { walk, header, before }: Entered,
  values: ReadonlyMap<number, Value>,
): State["registers"] {
  const written = writtenIn(walk, header);
  return new Map([...[...before.registers].filter(([register]) => !written.has(register)), ...values]);
}

/**
 * By how much each changing register grows in a round; a register that does not go equal steps is left out.
 */
function stepsOf(entered: Entered): ReadonlyMap<number, Form> {
  const { walk, header, before, changing } = entered;
  const { symbols } = walk.machine;
  const oldest = symbols.count;
  const starts = new Map<number, Value>();
  for (const [register, { base }] of changing)
    starts.set(register, number(symbols.add({ name: "a value at the start of a round" }), base));
  const start = { ...before, registers: withChanging(entered, starts) };
  const ends = walk.round(walk, header, start);
  const steps = new Map<number, Form>();
  for (const [register, value] of starts) {
    const grown = ends.map(({ registers }) => distance(registers.get(register), value));
    const [step] = grown;
    const isSame = step && grown.every((each) => each && keyOf(each) === keyOf(step));
    if (isSame && [...symbolsOf(step)].every((symbol) => symbol < oldest)) steps.set(register, step);
  }
  return steps;
}

function roundOf(entered: Entered, steps: ReadonlyMap<number, Form>): Round {
  const { symbols, program } = entered.walk.machine;
  const counter = symbols.count;
  symbols.add({ name: "the rounds of a loop", low: 0, counts: entered.header });
  const others = new Map<number, number>();
  const values = new Map<number, Value>();
  for (const [register, { form, base }] of entered.changing) {
    const step = steps.get(register);
    const along = step && reached(form, step, counter);
    if (along) {
      values.set(register, number(along, base));
      continue;
    }
    const type = registerType(program.registers, register);
    const [low, high] = rangeOf({ ...type, kind: "signed" });
    others.set(register, symbols.count);
    const bounds = type.bits < 64 && base === undefined ? { low, high } : {};
    values.set(register, number(symbols.add({ name: "a value that changes in a loop", ...bounds }), base));
  }
  const start = { ...entered.before, registers: withChanging(entered, values) };
  return { start, counter, others };
}

function reached(form: Form, step: Form, counter: number): Form | undefined {
  try {
    return plus(form, product(step, symbolForm(counter)));
  } catch (thrown) {
    if (thrown instanceof OutOfReachError) return undefined;
    throw thrown;
  }
}

/** What may hold at the beginning of every round: what holds at the ends of rounds, and usual ranges. */
function suppositions({ walk, header, before, changing }: Entered, round: Round): readonly Form[] {
  const { program, symbols } = walk.machine;
  const newest = symbols.count;
  const found = new Map<string, Form>();
  const add = (form: Form): void => void found.set(keyOf(form), form);
  for (const [register, value] of changing) {
    const now = round.start.registers.get(register);
    const type = registerType(program.registers, register);
    if (now?.kind !== "number" || now.base !== undefined) continue;
    if (type.bits === 32) {
      const [low, high] = rangeOf({ kind: "signed", bits: 32 });
      add(shifted(now.form, -low));
      add(minus(constantForm(high), now.form));
    }
    if (!round.others.has(register)) continue;
    for (const form of [now.form, minus(now.form, value.form), minus(value.form, now.form)]) add(form);
  }
  const known = new Set(before.facts.map(keyOf));
  for (const end of walk.round(walk, header, round.start))
    for (const fact of [...end.facts, ...end.choices.flatMap(atoms)]) {
      if (known.has(keyOf(fact))) continue;
      const earlier = atStart(fact, round, end);
      if ([...symbolsOf(earlier)].every((symbol) => symbol < newest)) add(earlier);
    }
  return [...found.values()].filter(({ terms }) => terms.size > 0).slice(0, mostSuppositions);
}

function atoms(condition: Condition): readonly Form[] {
  if (condition.kind === "unknown") return [];
  return condition.kind === "not-negative" ? [condition.form] : condition.of.flatMap(atoms);
}

/** A fact at the end of a round as it reads at the beginning of the next. */
function atStart(fact: Form, { counter, others }: Round, end: State): Form {
  const replacements = new Map([[counter, shifted(symbolForm(counter), -1)]]);
  for (const [register, symbol] of others) {
    const value = end.registers.get(register);
    if (value?.kind !== "number" || value.form.constant !== 0 || value.form.terms.size !== 1) continue;
    const [[key, coefficient] = ["", 0]] = value.form.terms;
    if (coefficient === 1 && !key.includes(".") && Number(key) !== symbol)
      replacements.set(Number(key), symbolForm(symbol));
  }
  return substituted(fact, replacements);
}

function holdsOnEntry({ walk, before, changing }: Entered, { counter, others }: Round, form: Form): boolean {
  const replacements = new Map([[counter, constantForm(0)]]);
  for (const [register, symbol] of others) replacements.set(symbol, mustGet(changing, register).form);
  return walk.machine.prover.holds(before, substituted(form, replacements));
}

/** Whether what is supposed of a round holds of the next one as well. */
function isHandedOn(
  { walk }: Entered,
  { round, end, form }: { readonly round: Round; readonly end: State; readonly form: Form },
): boolean {
  const replacements = new Map([[round.counter, shifted(symbolForm(round.counter), 1)]]);
  for (const [register, symbol] of round.others) {
    if (!symbolsOf(form).has(symbol)) continue;
    const value = end.registers.get(register);
    if (value?.kind !== "number") return false;
    replacements.set(symbol, value.form);
  }
  return walk.machine.prover.holds(end, substituted(form, replacements));
}
