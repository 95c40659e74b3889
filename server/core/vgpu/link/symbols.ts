import { type Outcome, fail, succeed } from "../../base/outcome";
import type { Linkage, Parameter, PtxFunction, PtxModule, Variable } from "../ptx/module";

/** One module of a program whose device code was compiled file by file. */
export interface LinkPart {
  /** What the module was compiled from: `part.cu`. */
  readonly name: string;
  readonly module: PtxModule;
}

/** Why modules cannot become one. */
export interface LinkProblem {
  /** The name at fault as PTX has it; empty when the trouble is no name's. */
  readonly symbol: string;
  readonly message: string;
}

/** A name in one module: its definition, or a declaration that another module has to fulfil. */
interface Appearance {
  readonly part: LinkPart;
  readonly what: PtxFunction | Variable;
  /** 0 declares; of definitions the greater wins, and two of the greatest are one too many. */
  readonly strength: number;
}

/** What the modules agreed on for each name that they share. */
export interface Resolved extends Appearance {
  /** The greatest alignment that any of them asks for, when it is a variable. */
  readonly align: number;
}

const strengths: Readonly<Record<Linkage, number>> = { extern: 0, weak: 1, common: 2, visible: 3 };
/** Functions and variables of all modules together; more is refused as absurd. */
const mostSymbols = 1 << 17;

/**
 * Finds the one definition of each name that modules share (PTX ISA section 11.6): one that is `.visible`,
 * else the largest `.common` one, else the first `.weak` one. A name without a definition stays a
 * declaration. The work grows with the number of names.
 */
export function resolveSymbols(
  parts: readonly LinkPart[],
): Outcome<ReadonlyMap<string, Resolved>, LinkProblem> {
  const total = parts.reduce((sum, { module }) => sum + module.functions.size + module.variables.size, 0);
  if (total > mostSymbols)
    return fail({
      symbol: "",
      message: `the program's modules have ${total} functions and variables, and the most is ${mostSymbols}`,
    });
  const resolved = new Map<string, Resolved>();
  for (const part of parts) {
    for (const [name, appearance] of appearances(part)) {
      const known = resolved.get(name);
      const message = known && conflict(name, known, appearance);
      if (message !== undefined) return fail({ symbol: name, message });
      resolved.set(name, {
        ...(known && !replaces(known, appearance) ? known : appearance),
        align: Math.max(known?.align ?? 0, alignOf(appearance)),
      });
    }
  }
  return succeed(resolved);
}

export function isVariable(what: PtxFunction | Variable): what is Variable {
  return "space" in what;
}

/** A function that is only declared has to come from elsewhere, whatever its linkage. */
function* appearances(part: LinkPart): Generator<readonly [string, Appearance]> {
  const { functions, variables, linkage } = part.module;
  for (const [name, what] of functions) {
    const linked = linkage.get(name);
    if (!what.hasBody) yield [name, { part, what, strength: 0 }];
    else if (linked !== undefined)
      yield [name, { part, what, strength: linked === "extern" ? strengths.visible : strengths[linked] }];
  }
  for (const [name, what] of variables) {
    const linked = linkage.get(name);
    if (linked !== undefined) yield [name, { part, what, strength: strengths[linked] }];
  }
}

function alignOf({ what }: Appearance): number {
  return isVariable(what) ? what.align : 0;
}

function replaces(known: Appearance, next: Appearance): boolean {
  if (next.strength !== known.strength) return next.strength > known.strength;
  const mayGrow = next.strength === strengths.common || next.strength === strengths.extern;
  return mayGrow && isVariable(known.what) && isVariable(next.what) && next.what.size > known.what.size;
}

/** What keeps two appearances of a name from being the same thing. */
function conflict(name: string, known: Appearance, next: Appearance): string | undefined {
  const [first, second] = [known.part.name, next.part.name];
  if (known.strength === strengths.visible && next.strength === strengths.visible)
    return `${name} is defined in ${first} and again in ${second}: define it in one file and declare it extern in the others`;
  const kinds = [kindOf(known.what), kindOf(next.what)];
  if (kinds[0] !== kinds[1]) return `${name} is ${kinds[0]} in ${first} and ${kinds[1]} in ${second}`;
  if (!isVariable(known.what) && !isVariable(next.what)) {
    const isSame =
      shape(known.what.parameters) === shape(next.what.parameters) &&
      shape(known.what.results) === shape(next.what.results);
    return isSame
      ? undefined
      : `${name} takes or gives other values in ${first} than in ${second}: declare it in both as it is defined`;
  }
  if (!isVariable(known.what) || !isVariable(next.what)) return undefined;
  const [size, other] = [known.what.size, next.what.size];
  const isFlexible =
    size === 0 || other === 0 || (known.strength === strengths.common && next.strength === strengths.common);
  return size === other || isFlexible
    ? undefined
    : `${name} has ${size} bytes in ${first} and ${other} bytes in ${second}: declare it in both as it is defined`;
}

function kindOf(what: PtxFunction | Variable): string {
  if (isVariable(what)) return `a variable in ${what.space} memory`;
  return what.isEntry ? "a kernel" : "a device function";
}

/** Sizes of parameters, and which are registers: what a call lays down and a function picks up. */
function shape(parameters: readonly Parameter[]): string {
  return parameters.map(({ size, register }) => `${size}${register === undefined ? "" : "r"}`).join(",");
}
