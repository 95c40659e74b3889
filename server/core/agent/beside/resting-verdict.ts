import { type LineCounters, noCounters } from "../../timing/counters";
import type { Verdict } from "../../judge/verdict";

/**
 * The same verdict in less memory: its counters by line are kept as text without the zeros, and are read from
 * it when somebody asks for them. Most of what a long session holds are such lines, of versions that nobody
 * looks at any more. A verdict that rests already is given back.
 */
export function restingVerdict<Any extends Verdict>(verdict: Any): Any {
  if (verdict.kind !== "correct" || isResting(verdict.counters)) return verdict;
  const { lines, ...counters } = verdict.counters;
  return { ...verdict, counters: Object.defineProperty(counters, "lines", restingLines(lines)) };
}

function isResting(counters: object): boolean {
  return Object.getOwnPropertyDescriptor(counters, "lines")?.get !== undefined;
}

/** A property that reads its lines when it is asked; what was read stays as long as there is room. */
function restingLines(lines: readonly LineCounters[]): PropertyDescriptor {
  const text = JSON.stringify(lines.map(withoutZeros));
  let read = new WeakRef(lines);
  return {
    enumerable: true,
    get: () => {
      const known = read.deref() ?? linesOf(text);
      read = new WeakRef(known);
      return known;
    },
  };
}

function withoutZeros(line: LineCounters): object {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== 0));
}

function linesOf(text: string): readonly LineCounters[] {
  const lines = JSON.parse(text) as readonly LineCounters[];
  return lines.map((line) => ({ ...noCounters(), ...line }));
}
