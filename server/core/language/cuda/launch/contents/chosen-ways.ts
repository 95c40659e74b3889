import { type Constants, constantValue } from "../../constants";
import { withoutComments } from "../../kernel-text";

/** Functions that a number is followed through, one calling the next. */
const mostCalls = 4;

/**
 * Numbers that nothing is done with but to ask which of a few they are: `switch (metric)`, `op == MAX`, also
 * in functions that they are handed to. By their names the least one that is asked for, since any other
 * number would be none of the ways. `body`: of the kernel; `reached`: of all functions that it may call.
 */
export function chosenWays(
  { body, reached }: { readonly body: string; readonly reached: string },
  names: readonly string[],
  constants: Constants,
): ReadonlyMap<string, number> {
  const code = { reached: withoutComments(reached), constants };
  const own = withoutComments(body).replace(/^[^{]*/, "");
  return new Map(
    names.flatMap((name): readonly (readonly [string, number])[] => {
      const asked = askedOf(own, name, { ...code, calls: 0 });
      return asked === undefined || asked.length === 0 ? [] : [[name, Math.min(...asked)]];
    }),
  );
}

interface Code {
  readonly reached: string;
  readonly constants: Constants;
  /** Calls that led here. */
  readonly calls: number;
}

/** The numbers that all uses ask for; undefined where one does something else. */
function askedOf(body: string, name: string, code: Code): readonly number[] | undefined {
  const uses = [...body.matchAll(new RegExp(String.raw`(?<![\w.>])${name}\b`, "g"))];
  const each = uses.map(({ index }) => askedBy(body.slice(0, index), body.slice(index + name.length), code));
  const known = each.flatMap((asked) => asked ?? []);
  return each.includes(undefined) ? undefined : known;
}

function askedBy(before: string, after: string, code: Code): readonly number[] | undefined {
  const { constants } = code;
  if (/\bswitch\s*\(\s*$/.test(before) && /^\s*\)/.test(after)) return numbersOf(casesOf(after), constants);
  return (
    askedByComparison(before, after, constants) ??
    askedByTest(before, after) ??
    askedByCallee(before, after, code)
  );
}

/** `way == 2`, `MAX != way`. Where the others go on, what is asked for is another number. */
function askedByComparison(
  before: string,
  after: string,
  constants: Constants,
): readonly number[] | undefined {
  const [behindText, behindOperator, behind] = comparedBehind.exec(after) ?? [];
  const [, ahead, aheadOperator] = comparedAhead.exec(before) ?? [];
  const compared = behind ?? ahead;
  if (compared === undefined) return undefined;
  const rest = after.slice(behindText?.length ?? 0);
  const isOther = ((behindOperator ?? aheadOperator) === "!=") !== leaves.test(rest);
  return numbersOf([compared], constants)?.map((value) => (isOther ? value + 1 : value));
}

/** `if (way)`, `!way`, `way ? a : b`. */
function askedByTest(before: string, after: string): readonly number[] | undefined {
  if (/!\s*$/.test(before)) return [1];
  const isCondition =
    /(?:\bif\s*\(|&&|\|\||(?<![=!<>])=|[(,]|\breturn)\s*$/.test(before) &&
    /^\s*(?:\)\s*\?|\?|&&|\|\|)/.test(after);
  const isTested = isCondition || (/\bif\s*\(\s*$/.test(before) && /^\s*\)/.test(after));
  return isTested ? [leaves.test(after) ? 0 : 1] : undefined;
}

const comparedBehind = /^\s*([=!]=)\s*(-?[A-Za-z_0-9]\w*)\b(?!\s*[.([])/;
const comparedAhead = /(?<![\w.\])])(-?[A-Za-z_0-9]\w*)\s*([=!]=)\s*$/;
const leaves = /^\s*\)+\s*\{?\s*(?:return|continue)\b/;

function numbersOf(texts: readonly string[], constants: Constants): readonly number[] | undefined {
  const values = texts.map((text) => constantValue(text.replace(/(?<=\d)[uUlL]+$/, ""), constants));
  return values.every((value): value is number => value !== undefined && Number.isInteger(value))
    ? values
    : undefined;
}

/** The labels of a switch; `after`: what stands behind what it switches on. */
function casesOf(after: string): readonly string[] {
  const start = after.indexOf("{");
  const block = start < 0 ? "" : after.slice(start, endOfBlock(after, start));
  return [...block.matchAll(/\bcase\s+(-?\w+)\s*:/g)].map(([, text = ""]) => text);
}

function endOfBlock(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** What a function asks of a number that it is handed as it is. */
function askedByCallee(before: string, after: string, code: Code): readonly number[] | undefined {
  const isHanded = /[(,]\s*$/.test(before) && /^\s*[,)]/.test(after);
  const call = isHanded && code.calls < mostCalls ? callBefore(before) : undefined;
  if (call === undefined) return undefined;
  const defined = new RegExp(String.raw`\b${call.name}\s*\(([^()]*)\)\s*(?:const\s*)?\{`).exec(code.reached);
  if (defined === null) return undefined;
  const [head, parameters = ""] = defined;
  const [, parameter] = /(\w+)\s*(?:=[^,]*)?$/.exec(parameters.split(",")[call.place] ?? "") ?? [];
  if (parameter === undefined) return undefined;
  const start = defined.index + head.length - 1;
  const body = code.reached.slice(start, endOfBlock(code.reached, start));
  return askedOf(body, parameter, { ...code, calls: code.calls + 1 });
}

/** The call that an argument belongs to, by what stands before it: its name, and the argument's place. */
function callBefore(before: string): { readonly name: string; readonly place: number } | undefined {
  let [depth, place, at] = [0, 0, before.length - 1];
  for (; at >= 0; at -= 1) {
    const letter = before[at] ?? "";
    if (";{}".includes(letter)) return undefined;
    if (")]".includes(letter)) depth += 1;
    if ("([".includes(letter)) depth -= 1;
    if (letter === "," && depth === 0) place += 1;
    if (depth < 0) break;
  }
  const [, name] = /(\w+)\s*(?:<[^<>()]*>\s*)?$/.exec(before.slice(0, Math.max(0, at))) ?? [];
  return name === undefined || /^(?:if|while|for|switch|return|sizeof)$/.test(name)
    ? undefined
    : { name, place };
}
