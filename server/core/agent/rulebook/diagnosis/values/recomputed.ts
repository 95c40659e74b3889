import { lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured, pipes, shareOn } from "../measured";
import { linesIn } from "../places";
import type { CalledValue } from "./called-values";
import { turnOf } from "./influences";
import { type KernelValues, kernelValues } from "./kernel-values";
import { workLines, workOf } from "./work";

/** A costly call whose arguments are the same many times over. */
interface Again {
  readonly call: SyntaxNode;
  /** Where the kernel comes to it: the call itself, or that of the function it stands in. */
  readonly place: SyntaxNode;
  /** In whose turns, or by which threads, it is computed anew. */
  readonly anew: string;
}

/**
 * Values of costly functions that depend on less than what they are computed for: the same in every turn of a
 * loop around them, or for all threads along an axis.
 */
export function recomputedValues(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const values = kernelValues(measured);
  if (values === undefined) return [];
  const own = values.costly.flatMap((call) => {
    const list = call.childForFieldName("arguments");
    return list === null ? [] : (againIn(values, { call, outer: call, from: values.of(list) }) ?? []);
  });
  const called = values.called.flatMap((each) => againIn(values, each) ?? []);
  const computed = [...own, ...called].filter((each) => isComputedThere(measured, values, each));
  const lines = new Map(
    computed.flatMap(({ call }) => workLines(measured, call)).map((line) => [line.line, line]),
  );
  const [worst] = [...computed].sort(
    (a, b) => workOf(workLines(measured, b.call)) - workOf(workLines(measured, a.call)),
  );
  if (worst === undefined) return [];
  const value = workOf([...lines.values()]);
  const part = fraction(value, workOf(measured.lines));
  if (part < limitIn(entry, "part")) return [];
  const share = shareOn(measured, [...pipes], part * limitIn(entry, "saved"));
  const { call, anew } = worst;
  return [
    { line: lineOf(call), share, blanks: { value: Math.round(value), call: values.calleeOf(call), anew } },
  ];
}

function againIn(values: KernelValues, { call, outer, from }: CalledValue): Again | undefined {
  const loop = values.loopsAround(outer).find((each) => !from.has(turnOf(each)));
  const anew = `in each turn of the loop on line ${loop && lineOf(loop)}, which does not change it`;
  if (loop !== undefined) return { call, place: outer, anew };
  const missing = missingIn(values, from);
  if (missing === undefined) return undefined;
  const index = missing.replace(/^program (\d)$/, "program along axis $1");
  return { call, place: outer, anew: `for each ${index}, on which it does not depend` };
}

/** An index that results are told apart by and a value is not. */
function missingIn({ of, targets, digits }: KernelValues, from: ReadonlySet<string>): string | undefined {
  const taken = digits.filter(({ text }) => from.has(`digit:${text}`));
  const whole = new Set(taken.flatMap(({ bases }) => bases));
  const wanted = targets.flatMap((target) => [...of(target)]).filter(isIndex);
  const axis = wanted.find((source) => !from.has(source) && !whole.has(source));
  if (axis !== undefined || taken.length === 0) return axis;
  // What depends on the whole number as well differs by all of its digits.
  if ([...whole].some((source) => from.has(source))) return undefined;
  const left = digits.filter(({ bases }) => bases.some((base) => whole.has(base)));
  return left.find((digit) => !taken.includes(digit))?.text;
}

function isIndex(source: string): boolean {
  return /^(?:threadIdx|blockIdx|program)/.test(source);
}

/**
 * False where the compiler has moved the call out of its loop: then its lines take less than a few
 * instructions for each access that the loop makes.
 */
function isComputedThere(measured: Measured, values: KernelValues, { call, place }: Again): boolean {
  const [loop] = values.loopsAround(place);
  const work = workOf(workLines(measured, call));
  if (work === 0) return false;
  if (loop === undefined) return true;
  const accesses = linesIn(measured, loop).map(
    (line) =>
      line.globalLoadRequests + line.globalStoreRequests + line.sharedLoadRequests + line.sharedStoreRequests,
  );
  return work >= 4 * Math.max(0, ...accesses);
}
