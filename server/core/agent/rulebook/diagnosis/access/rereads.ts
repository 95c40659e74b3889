import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { changes } from "../../../../language/cuda/body/scope";
import { compact, enclosing, fieldText, isInside, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { LineCounters } from "../../../../timing/counters";
import type { KernelView } from "../../cuda/kernel";
import type { DiagnosisEntry } from "../entry";
import { limitIn } from "../entry";
import {
  againOf,
  type Finding,
  fraction,
  type Measured,
  pipes,
  shareOn,
  sumOf,
  worstLine,
} from "../measured";
import { loopAround, loopTypes } from "../places";

/** Loads whose lanes ask for about as many sectors as they need. */
function isCoalesced({
  globalLoadRequests,
  globalLoadSectors,
  globalLoadSectorsIdeal,
}: LineCounters): boolean {
  return globalLoadRequests > 0 && globalLoadSectors < 2 * globalLoadSectorsIdeal;
}

/** Loads in a loop of an element that no turn of it changes. */
export function redundantLoads(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, totals, warps } = measured;
  if (view === undefined) return [];
  const loads = loadsOf(view);
  const steady = loads.filter((node) => isSteady(view, node));
  const lines = measured.lines.filter(
    (line) =>
      line.globalLoadRequests / warps >= limitIn(entry, "each") &&
      isCoalesced(line) &&
      steady.some((node) => lineOf(node) === line.line),
  );
  const worst = worstLine(lines, ({ globalLoadRequests }) => globalLoadRequests);
  if (worst === undefined) return [];
  const on = (nodes: readonly SyntaxNode[], line: number): number =>
    nodes.filter((node) => lineOf(node) === line).length;
  const requests = lines.reduce(
    (sum, { line, globalLoadRequests }) =>
      sum + globalLoadRequests * fraction(on(steady, line), on(loads, line)),
    0,
  );
  const all = totals.globalLoadRequests + totals.globalStoreRequests;
  const share = Math.max(
    shareOn(measured, ["l1", "latency"], fraction(requests, all)),
    shareOn(measured, [...pipes], fraction(2 * requests, totals.instructions)),
  );
  return [{ line: worst.line, share, blanks: { value: requests, each: Math.round(requests / warps) } }];
}

/** Elements, and members behind pointers, that are loaded and not stored to in the same place. */
function loadsOf({ kernel, body }: KernelView): readonly SyntaxNode[] {
  const elements = cudaAccesses(kernel).accesses.filter(({ loads, stores }) => loads && !stores);
  const pointers = kernel.facts.parameters.filter(({ pointer }) => pointer).map(({ name }) => name);
  const members = body
    .descendantsOfType("field_expression")
    .filter((node) => node.text.includes("->") && pointers.includes(fieldText(node, "argument")));
  return [...elements.map(({ node }) => node), ...members];
}

/** True for a load in a loop that changes none of its names, and does not store to it. */
function isSteady({ body }: KernelView, node: SyntaxNode): boolean {
  const loop = enclosing(node, ...loopTypes);
  if (loop === undefined || !isInside(loop, body)) return false;
  const changed = new Set(changes(loop).map(({ target }) => compact(target)));
  const declared = loop
    .descendantsOfType("declaration")
    .flatMap((each) => each.childrenForFieldName("declarator"))
    .flatMap((each) => each.descendantsOfType("identifier")[0]?.text ?? []);
  const names = node.descendantsOfType("identifier").map(({ text }) => text);
  return !names.some((name) => changed.has(name) || declared.includes(name)) && !changed.has(compact(node));
}

/** Data that the threads of a block load from memory again, some or many times. */
export function operandsReread(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const distinct = 32 * Math.max(1, measured.totals.loadReuse?.first ?? 0);
  const lines = measured.lines.filter(
    (line) => isCoalesced(line) || line.globalLoadBytes >= limitIn(entry, "reused") * distinct,
  );
  const { loadReuse, globalLoadSectors: sectors, globalLoadRequests: requests } = sumOf(lines);
  const first = Math.max(1, loadReuse?.first ?? sectors);
  const own = againOf(loadReuse).own;
  const worst = worstLine(lines, (line) => againOf(line.loadReuse).own);
  if (worst === undefined || own < first * limitIn(entry, "times")) return [];
  if (walksAgain(measured, lines).length > 1 || requests < measured.warps * limitIn(entry, "each")) return [];
  const { totals } = measured;
  const part = fraction(own, totals.globalLoadSectors + totals.globalStoreSectors);
  const share = Math.max(
    shareOn(measured, ["l1", "l2", "latency"], part * limitIn(entry, "saved")),
    shareOn(measured, [...pipes], fraction(2 * requests, totals.instructions) * limitIn(entry, "saved")),
  );
  return [{ line: worst.line, share, blanks: { value: sectors, ideal: first } }];
}

/** A row that several loops walk, one after the other. */
export function rowPasses(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const lines = measured.lines.filter(isCoalesced);
  const walks = walksAgain(measured, lines);
  const [later] = walks.slice(1);
  if (later === undefined) return [];
  const { totals } = measured;
  const again = walks.slice(1).reduce((sum, walk) => sum + walk.sectors, 0);
  const part = fraction(again, totals.globalLoadSectors + totals.globalStoreSectors);
  if (part < limitIn(entry, "part")) return [];
  const share = shareOn(measured, ["dram", "l2", "l1", "latency"], part);
  return [{ line: later.line, share, blanks: { value: again, times: walks.length } }];
}

interface Walk {
  readonly loop: SyntaxNode;
  readonly line: number;
  readonly sectors: number;
}

/**
 * Loops side by side of which the first brings new sectors in and the others load about as many that the
 * block has had before.
 */
function walksAgain({ view }: Measured, lines: readonly LineCounters[]): readonly Walk[] {
  if (view === undefined) return [];
  const loops = new Map<number, { loop: SyntaxNode; lines: LineCounters[] }>();
  for (const line of lines) {
    const loop = loopAround(view, line.line);
    if (loop === undefined || !isInside(loop, view.body)) continue;
    const known = loops.get(loop.id) ?? { loop, lines: [] };
    known.lines.push(line);
    loops.set(loop.id, known);
  }
  const walks = [...loops.values()].map(({ loop, lines: own }) => {
    const { loadReuse, globalLoadSectors: sectors } = sumOf(own);
    return { loop, line: lineOf(loop), sectors, first: loadReuse?.first ?? sectors };
  });
  const [opening] = walks.filter(({ first, sectors }) => first > 0.5 * sectors);
  if (opening === undefined) return [];
  const later = walks.filter(
    ({ loop, sectors, first }) =>
      loop.id !== opening.loop.id &&
      !isInside(loop, opening.loop) &&
      !isInside(opening.loop, loop) &&
      first < 0.5 * sectors &&
      sectors > 0.4 * opening.sectors &&
      sectors < 2.5 * opening.sectors,
  );
  return [opening, ...later];
}
