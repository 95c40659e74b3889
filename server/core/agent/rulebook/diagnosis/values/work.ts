import type { SyntaxNode } from "../../../../language/tree";
import type { LineCounters } from "../../../../timing/counters";
import { noMachineWork } from "../../../../timing/execution/machine-work";
import { type Measured, sumOf } from "../measured";
import { calledIn, linesIn } from "../places";

/** Lines of a call's statement, and of the functions that it reaches. */
export function workLines(measured: Measured, call: SyntaxNode): readonly LineCounters[] {
  return [call, ...calledIn(measured, call)].flatMap((node) => linesIn(measured, node));
}

/** Instructions of some lines, with those that PTX does not show. */
export function workOf(lines: readonly LineCounters[]): number {
  const { instructions, machine = noMachineWork } = sumOf(lines);
  return instructions + machine.instructions;
}

/** Instructions of several calls, each line once. */
export function workOfAll(measured: Measured, calls: readonly SyntaxNode[]): number {
  const lines = calls.flatMap((call) => workLines(measured, call));
  return workOf([...new Map(lines.map((line) => [line.line, line])).values()]);
}
