import type { SyntaxNode } from "../../../language/tree";
import { fieldText } from "../../../language/query";
import type { LineCounters } from "../../../timing/counters";
import { noMachineWork } from "../../../timing/execution/machine-work";
import type { KernelView } from "../cuda/kernel";
import type { DiagnosisEntry } from "./entry";
import { limitIn } from "./entry";
import { type Finding, fraction, type Measured, pipes, shareOn, sumOf, worstLine } from "./measured";
import { nodesOn } from "./places";

/** Work in double precision on data that are of single precision or less. */
export function doubleArithmetic(measured: Measured): readonly Finding[] {
  const { inputs, outputs } = measured.input.spec;
  const arrays = [...Object.values(inputs), ...Object.values(outputs)];
  // A single number of double precision is a parameter, no data.
  const meant = arrays.some(
    ({ dtype, shape }) => dtype === "float64" && shape.some((size) => String(size) !== "1"),
  );
  if (meant) return [];
  const double = ({ fp64Instructions, machine = noMachineWork }: LineCounters): number =>
    fp64Instructions + machine.fp64;
  const lines = measured.lines.filter((line) => double(line) > 0);
  const worst = worstLine(lines, double);
  if (worst === undefined) return [];
  const share = Math.max(
    shareOn(measured, ["fp64"], 0.9),
    shareOn(measured, ["issue"], 0.8 * fraction(issuedOn(lines), issuedOn(measured.lines))),
  );
  return [{ line: worst.line, share, blanks: { value: double(worst) } }];
}

/** Whole numbers that are divided by numbers which only the launch knows: ten and more instructions each. */
export function integerDivision(measured: Measured): readonly Finding[] {
  return emulated(measured, (line) => wholeWork(line) > 0 && divides(measured, line));
}

/** Products and comparisons of 64 bits where the GPU has 32. */
export function wideIndices(measured: Measured): readonly Finding[] {
  return emulated(measured, (line) => wholeWork(line) > 0 && !divides(measured, line));
}

function wholeWork({ machine = noMachineWork }: LineCounters): number {
  return machine.fp32 + machine.fp64 > 0 ? 0 : machine.integer;
}

function emulated(measured: Measured, matches: (line: LineCounters) => boolean): readonly Finding[] {
  const lines = measured.lines.filter(matches);
  const hidden = (line: LineCounters): number => line.machine?.instructions ?? 0;
  const worst = worstLine(lines, hidden);
  if (worst === undefined) return [];
  const cost = lines.reduce((sum, line) => sum + hidden(line), 0);
  const share = shareOn(measured, ["issue", "integer"], fraction(cost, issuedOn(measured.lines)));
  return [{ line: worst.line, share, blanks: { value: cost } }];
}

/** Machine instructions that a warp issued on some lines. */
function issuedOn(lines: readonly LineCounters[]): number {
  const { instructions, machine = noMachineWork } = sumOf(lines);
  return instructions + machine.instructions;
}

/** True for a line with a division of whole numbers, as either language writes it. */
function divides({ view, input }: Measured, { line }: LineCounters): boolean {
  if (view === undefined) {
    const text = input.tree[input.file]?.split("\n")[line - 1] ?? "";
    return /\/\/|%/.test(text.replace(/#.*/, ""));
  }
  const nodes = nodesOn(view, line, ["binary_expression", "assignment_expression"]);
  return nodes.some((node) => /^[/%]=?$/.test(fieldText(node, "operator"))) || hidesDivision(view, line);
}

/** True for a line that names a macro in which a division stands, also behind other macros. */
function hidesDivision(view: KernelView, line: number): boolean {
  const macros = view.model.root
    .descendantsOfType(["preproc_def", "preproc_function_def"])
    .map((node) => ({ name: fieldText(node, "name"), text: textOf(node) }));
  const named = (text: string): typeof macros =>
    macros.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text));
  const open = nodesOn(view, line, ["identifier"]).flatMap(({ text }) => named(text));
  const seen = new Set(open);
  for (let macro = open.pop(); macro !== undefined; macro = open.pop()) {
    if (/[/%]/.test(macro.text)) return true;
    for (const inner of named(macro.text).filter((each) => !seen.has(each))) {
      seen.add(inner);
      open.push(inner);
    }
  }
  return false;
}

/** What a macro stands for, without comments. */
function textOf(macro: SyntaxNode): string {
  return fieldText(macro, "value").replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "");
}

const slowFunctions =
  /^(?:std::|::)?(?:pow|powf|fmod|fmodf|remainder|remainderf|tan|tanf|tgamma|tgammaf|lgamma|lgammaf|hypot|hypotf|cbrt|cbrtf|sinpi|sinf?|cosf?|sincosf?|atan2?f?|asinf?|acosf?|erff?|erfcf?|log10f?|exp10f?|expm1f?|log1pf?|sinhf?|coshf?|tanhf?|expf?|logf?)$/;

/** Functions of many instructions, and divisions of floats, that make up most of what is issued. */
export function slowMath(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, totals } = measured;
  if (view === undefined) return [];
  const calls = view.model.root.descendantsOfType("call_expression").filter(isSlow);
  const lines = measured.lines.filter(({ line }) =>
    calls.some((call) => call.startPosition.row + 1 === line),
  );
  const worst = worstLine(lines, ({ instructions }) => instructions);
  const all = issuedOn(measured.lines);
  const part = fraction(issuedOn(lines), all);
  // A line with many instructions for each of its executions has more than its own arithmetic.
  const each = worst === undefined ? 0 : fraction(worst.instructions, totals.instructions);
  if (worst === undefined || part < limitIn(entry, "part") || each === 0) return [];
  const call = calls.find(({ startPosition }) => startPosition.row + 1 === worst.line);
  const share = shareOn(measured, [...pipes], part * limitIn(entry, "saved"));
  return [
    { line: worst.line, share, blanks: { value: worst.instructions, call: fieldText(call, "function") } },
  ];
}

function isSlow(call: SyntaxNode): boolean {
  return slowFunctions.test(fieldText(call, "function"));
}
