import { callOf, numberFor, operations } from "../../../../language/cuda/body/number-operations";
import {
  type Act,
  type End,
  followed,
  NotFollowed,
  NumberReader,
  type Place,
  type Reading,
} from "../../../../language/cuda/body/number-runs";
import { compact, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { CountingLoop } from "./counting-loop";

/** A comparison of an element whose number a loop counts with a value that stays. */
export interface Compared {
  readonly comparison: SyntaxNode;
  /** The element with its members, as text without its index, and its index. */
  readonly array: string;
  readonly index: SyntaxNode;
  readonly value: SyntaxNode;
}

/**
 * What a loop over an array that ascends comes to: the turns on both sides of the place where the comparison
 * turns over are all that matters (`around`), or a variable grows by the number of turns before that place or
 * behind it. `isFirst` says whether the comparison holds in front of the place.
 */
export interface SearchMeaning {
  readonly kind: "around" | "before" | "behind";
  readonly isFirst: boolean;
  /** What is counted. */
  readonly counted?: string;
}

interface State {
  readonly trial: number;
  readonly values: Map<string, number>;
  /** What the elements are compared with. */
  value: number;
}

const trials = 72;
/** Fewer trials with some turns say nothing. */
const fewest = 24;
/** Numbers of single names lie below. */
const many = 9;
const turnsMost = 300;

/** Functions of numbers without any effect, by their names for doubles. */
const harmless = new Set(
  "abs exp exp2 log log2 log10 sqrt rsqrt sin cos tan tanh pow fma floor ceil rint".split(" "),
);

/** What a loop means, told by running it on arrays that ascend; undefined where it is no search. */
export function searchMeaning(loop: CountingLoop, compared: Compared): SearchMeaning | undefined {
  return followed(() => new SearchRun(loop, compared).meaning());
}

/** One loop, read once and run on numbers. */
class SearchRun {
  private readonly loop: CountingLoop;
  private readonly compared: Compared;
  private readonly body: Act<State>;
  private readonly holds: readonly Reading<State>[];
  private readonly comparison: Reading<State>;
  private readonly index: Reading<State>;
  private readonly ends: { readonly start: Reading<State>; readonly bound: Reading<State> };

  constructor(loop: CountingLoop, compared: Compared) {
    this.loop = loop;
    this.compared = compared;
    const reader = readerOf(compared);
    this.body = reader.act(loop.body);
    this.holds = loop.others.map((other) => reader.value(other));
    this.comparison = reader.value(compared.comparison);
    this.index = reader.value(compared.index);
    const start = loop.start ? reader.value(loop.start) : made(loop.variable);
    this.ends = { start, bound: reader.value(loop.bound) };
  }

  meaning(): SearchMeaning | undefined {
    const all = Array.from({ length: trials }, (_, trial) => this.trial(trial)).flatMap((each) => each ?? []);
    const orders = all.flatMap(({ isFirst }) => isFirst ?? []);
    const [isFirst] = orders;
    const isOne = isFirst !== undefined && orders.every((each) => each === isFirst);
    if (!isOne || all.length < fewest) return undefined;
    const runs = all.map((trial) => this.compare(trial, isFirst));
    if (!runs.some(({ changed }) => changed.length > 0)) return undefined;
    if (runs.every(({ isSame }) => isSame)) return { kind: "around", isFirst };
    const [counted, ...more] = new Set(runs.flatMap(({ changed }) => changed));
    if (counted === undefined || more.length > 0 || !/^\w+$/.test(counted)) return undefined;
    if (counted === this.loop.variable || runs.some(({ isWhole }) => !isWhole)) return undefined;
    if (runs.every(({ grown, before }) => grown === before)) return { kind: "before", isFirst, counted };
    return runs.every(({ grown, behind }) => grown === behind)
      ? { kind: "behind", isFirst, counted }
      : undefined;
  }

  /** The range of a trial, and whether the comparison holds first; undefined for a range without turns. */
  private trial(trial: number): Trial | undefined {
    const state: State = { trial, values: new Map(), value: 0 };
    const { isUp, isInclusive } = this.loop;
    const [start, bound] = [this.ends.start(state), this.ends.bound(state)];
    const [low, high] = isUp
      ? [start, bound + Number(isInclusive)]
      : [bound + Number(!isInclusive), start + 1];
    if (!(low < high)) return undefined;
    if (high - low > turnsMost) throw new NotFollowed("too many turns");
    const place = low - 1 + (mixed(`place ${trial}`) % (high - low + 2));
    const [before, value] = [this.at(state, place), this.valueFor(state, place)];
    if (before >= this.at(state, place + 1)) throw new NotFollowed("an index that does not grow");
    state.value = value;
    const held = Array.from({ length: high - low }, (_, turn) => this.isHeld(state, low + turn));
    const changes = held.filter((each, turn) => turn > 0 && each !== held[turn - 1]).length;
    if (changes > 1) throw new NotFollowed("a comparison that turns over twice");
    return { trial, low, high, value, held, isFirst: changes === 1 ? held[0] : undefined };
  }

  private at(state: State, turn: number): number {
    state.values.set(this.loop.variable, turn);
    return this.index(state);
  }

  /** An element of the array, or something beside it; sometimes no number at all. */
  private valueFor(state: State, turn: number): number {
    if (state.trial % 12 === 11) return Number.NaN;
    return ascending(state.trial, this.at(state, turn)) + ((state.trial % 3) - 1) / 2;
  }

  private isHeld(state: State, turn: number): boolean {
    state.values.set(this.loop.variable, turn);
    return this.comparison(state) !== 0;
  }

  /** What the whole loop does to what it sets, beside what some of its turns do. */
  private compare({ trial, low, high, value, held }: Trial, isFirst: boolean): Comparison {
    const turned = held.findIndex((each) => each !== isFirst);
    const place = turned < 0 ? high : low + turned;
    const [whole, part]: [State, State] = [
      { trial, values: new Map(), value },
      { trial, values: new Map(), value },
    ];
    const isWhole = this.run(whole, low, high);
    this.run(part, Math.max(low, place - 1), Math.min(high, place + 1));
    const own = this.ownNames();
    const names = [...new Set([...whole.values.keys(), ...part.values.keys()])].filter(
      (name) => !own.has(name),
    );
    const after = (state: State, name: string): number => state.values.get(name) ?? numberOf(name, trial);
    const changed = names.filter((name) => !Object.is(after(whole, name), numberOf(name, trial)));
    const [name] = changed;
    return {
      ...{ changed, isWhole },
      isSame: names.every((each) => Object.is(after(whole, each), after(part, each))),
      grown: name === undefined ? 0 : after(whole, name) - numberOf(name, trial),
      ...{ before: place - low, behind: high - place },
    };
  }

  /** True where it came to the end of the range. */
  private run(state: State, low: number, high: number): boolean {
    const { variable, isUp } = this.loop;
    for (let turn = 0; turn < high - low; turn += 1) {
      state.values.set(variable, isUp ? low + turn : high - 1 - turn);
      if (this.holds.some((hold) => hold(state) === 0)) return false;
      const end = endOf(this.body, state);
      if (end === "break" || end === "return") return false;
    }
    state.values.set(variable, isUp ? high : low - 1);
    return true;
  }

  /** Names that nobody outside of the loop sees. */
  private ownNames(): ReadonlySet<string> {
    const { body, variable, type } = this.loop;
    const declared = body
      .descendantsOfType("declaration")
      .flatMap((each) => each.childrenForFieldName("declarator"))
      .map((each) => (each.childForFieldName("declarator") ?? each).text);
    return new Set([...declared, ...(type === undefined ? [] : [variable])]);
  }
}

interface Trial {
  readonly trial: number;
  readonly low: number;
  readonly high: number;
  readonly value: number;
  /** Whether the comparison holds in each turn. */
  readonly held: readonly boolean[];
  /** Whether it holds in front of where it turns over; undefined where it does not. */
  readonly isFirst: boolean | undefined;
}

interface Comparison {
  /** Names that have another value behind the loop. */
  readonly changed: readonly string[];
  /** Whether the loop came to its end. */
  readonly isWhole: boolean;
  readonly isSame: boolean;
  readonly grown: number;
  readonly before: number;
  readonly behind: number;
}

function endOf(act: Act<State>, state: State): End {
  const { done, value } = act(state).next();
  if (done !== true) throw new NotFollowed("a barrier");
  return value;
}

function readerOf({ array, value }: Compared): NumberReader<State> {
  const steady = compact(value);
  return new NumberReader<State>({
    operations: { ...operations, "/": (left, right) => left / right },
    call: (name, count) => callOf(name, count) ?? (isHarmless(name) ? mixedOf(name) : undefined),
    whole: (node, reader) => {
      if (compact(node) === steady) return (state) => state.value;
      if (node.type === "field_expression") return memberOf(node, array, reader);
      return node.type === "call_expression" ? cachedLoad(node, reader) : undefined;
    },
    place: (node, reader) =>
      node.type === "identifier" ? variable(node.text) : element(node, array, reader),
    other: ({ type }) => {
      throw new NotFollowed(type);
    },
    turn: () => {
      throw new NotFollowed("a loop in the loop");
    },
    returned: ({ values }, result) => void values.set("what is returned", result ?? 0),
  });
}

/** `__ldg(&a[i])` as `a[i]`. */
function cachedLoad(node: SyntaxNode, reader: NumberReader<State>): Reading<State> | undefined {
  if (compact(node.childForFieldName("function")) !== "__ldg") return undefined;
  const [given] = partsOf(node.childForFieldName("arguments"));
  const loaded = given?.type === "pointer_expression" ? given.childForFieldName("argument") : null;
  if (!loaded) throw new NotFollowed("__ldg");
  return reader.value(loaded);
}

/** A member of an element, or of a variable. */
function memberOf(node: SyntaxNode, array: string, reader: NumberReader<State>): Reading<State> {
  const object = node.childForFieldName("argument");
  if (object?.type !== "subscript_expression") return made(compact(node));
  const place = element(object, array, reader, `.${compact(node.childForFieldName("field"))}`);
  return (state) => place(state).get();
}

function variable(name: string): (state: State) => Place {
  return ({ trial, values }) => ({
    get: () => values.get(name) ?? numberOf(name, trial),
    set: (value) => void values.set(name, value),
  });
}

function element(
  node: SyntaxNode,
  array: string,
  reader: NumberReader<State>,
  member = "",
): (state: State) => Place {
  const name = compact(node.childForFieldName("argument"));
  const [index, ...more] = partsOf(node.childForFieldName("indices"));
  if (node.type !== "subscript_expression" || index === undefined || more.length > 0)
    throw new NotFollowed(node.type);
  const where = reader.value(index);
  const isIts = `${name}${member}` === array;
  return (state) => {
    const at = where(state);
    const key = `${name}[${at}]${member}`;
    const { trial, values } = state;
    if (isIts)
      return {
        get: () => ascending(trial, at),
        set: () => {
          throw new NotFollowed("the array is changed");
        },
      };
    return {
      get: () => values.get(key) ?? numberOf(key, trial),
      set: (value) => void values.set(key, value),
    };
  };
}

function made(name: string): Reading<State> {
  return ({ trial }) => numberOf(name, trial);
}

/** What a name holds before the loop. */
function numberOf(name: string, trial: number): number {
  return mixed(`${name} ${trial}`) % many;
}

function isHarmless(name: string): boolean {
  const plain = name.replace(/^(?:std::|::)?_*/, "");
  return [plain, plain.replace(/f$/, ""), plain.replace(/^f/, "").replace(/f$/, "")].some((each) =>
    harmless.has(each),
  );
}

function mixedOf(name: string): (...values: readonly number[]) => number {
  return (...values) => mixed(`${name} ${values.join(" ")}`);
}

function mixed(text: string): number {
  return Math.imul(numberFor(text), 40_503) >>> 8;
}

/** An element of an array that ascends, in some trials with many that are equal. */
function ascending(trial: number, index: number): number {
  const pace = [1, 2, 3, 7][trial % 4] ?? 1;
  return Math.floor(index / pace) + Math.floor((index + (trial % 5)) / 5);
}
