import { cudaAccesses, type CudaAccess } from "../../../../language/cuda/body/accesses";
import { formOf, type Form } from "../../../../language/cuda/body/forms";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { isAssigned, type KernelScope } from "../../../../language/cuda/body/scope";
import { declaredName, variesWithThread } from "../../../../language/cuda/body/threads";
import { compact, enclosing, isInside, lineOf, namesIn, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { LineCounters } from "../../../../timing/counters";
import type { KernelView } from "../../cuda/kernel";
import { structureLayout } from "../../cuda/structures/structure-layout";
import type { DiagnosisEntry } from "../entry";
import { limitIn } from "../entry";
import { type Finding, fraction, type Measured, shareOn } from "../measured";
import { loopTypes, nodesOn } from "../places";
import { lookedUpLines } from "./looked-up";

/** How the elements of a warp's lanes lie to each other; each is a cause of causes.json. */
export type Spread =
  | "array-of-structures"
  | "strided-threads"
  | "swapped-axes"
  | "thread-per-row"
  | "transposed-access";

/** Lines whose lanes touch far more sectors than they need, by how their elements lie. */
export function farApart(measured: Measured, entry: DiagnosisEntry, spread: Spread): readonly Finding[] {
  const ratio = limitIn(entry, "ratio");
  const lookedUp = lookedUpLines(measured);
  const lines = measured.lines.filter(
    (line) =>
      valueOf(line) >= ratio * idealOf(line) &&
      wasteOf(line) > 0 &&
      !isShared(measured, line, entry) &&
      // How elements lie matters little to lanes that look all over an array.
      !lookedUp.has(line.line),
  );
  const own = lines.flatMap((line) => {
    const laid = spreadOf(measured, line);
    return laid?.spread === spread ? [{ line, ...laid }] : [];
  });
  const [worst] = [...own].sort((a, b) => wasteOf(b.line) - wasteOf(a.line));
  if (worst === undefined) return [];
  const { totals } = measured;
  const all = totals.globalLoadSectors + totals.globalStoreSectors;
  const wasted = own.reduce((sum, { line }) => sum + wasteOf(line), 0);
  const share = shareOn(measured, ["dram", "l2", "l1", "latency"], fraction(wasted, all));
  const { line, guessed } = worst;
  return [{ line: line.line, share, guessed, blanks: { value: valueOf(line), ideal: idealOf(line) } }];
}

/** Elements that many threads load: they want to be kept near, however they lie. */
function isShared({ totals }: Measured, line: LineCounters, entry: DiagnosisEntry): boolean {
  const distinct = 32 * Math.max(1, totals.loadReuse?.first ?? Number.POSITIVE_INFINITY);
  return line.globalStoreRequests === 0 && line.globalLoadBytes >= limitIn(entry, "reused") * distinct;
}

function valueOf({ globalLoadSectors, globalStoreSectors }: LineCounters): number {
  return globalLoadSectors + globalStoreSectors;
}

function idealOf({ globalLoadSectorsIdeal, globalStoreSectorsIdeal }: LineCounters): number {
  return globalLoadSectorsIdeal + globalStoreSectorsIdeal;
}

function wasteOf(line: LineCounters): number {
  return valueOf(line) - idealOf(line);
}

/** What a lane's number is multiplied by in an index. */
interface Stride {
  readonly coefficient: number;
  /** Sizes that it is multiplied by. */
  readonly sizes: readonly string[];
  /** The index also has a number that a loop counts by ones. */
  readonly walks: boolean;
  /** The lane's number is a counter that goes on by the threads of a block or the grid. */
  readonly across?: boolean;
  /** The elements are structures; the coefficient counts their words. */
  readonly structure?: boolean;
}

interface Laid {
  readonly spread: Spread;
  readonly guessed: boolean;
}

/** Undefined where lanes are side by side, and sectors are split by idle lanes or the edges of rows alone. */
function spreadOf(measured: Measured, line: LineCounters): Laid | undefined {
  const strides = stridesOn(measured, line.line);
  const [widest] = [...strides].sort(
    (a, b) => b.sizes.length - a.sizes.length || b.coefficient - a.coefficient,
  );
  const requests = Math.max(1, line.globalLoadRequests + line.globalStoreRequests);
  const active = line.threadInstructions / Math.max(1, line.instructions);
  const sectorsEach = valueOf(line) / requests;
  if (widest === undefined) {
    // Two to seven words for each lane, as counted: neighbouring lanes share sectors.
    const near = sectorsEach < 0.8 * active && measured.view !== undefined;
    return { spread: near ? "array-of-structures" : bySide(measured, line), guessed: !near };
  }
  if (widest.sizes.length === 0) {
    // Side by side: a block is narrow, or an index comes out of memory.
    if (widest.coefficient < 2)
      return sectorsEach < 0.5 * active ? undefined : { spread: bySide(measured, line), guessed: true };
    return { spread: spreadOfFew(widest), guessed: false };
  }
  if (!widest.walks) {
    const across = widest.across === true && !copies(measured);
    return { spread: across ? "swapped-axes" : bySide(measured, line), guessed: false };
  }
  const dealt = widest.sizes.some((size) => /gridDim|blockDim|chunk|per_?(?:thread|lane)|items/i.test(size));
  return { spread: dealt ? "strided-threads" : "thread-per-row", guessed: false };
}

/** Lanes that are a number of elements apart. */
function spreadOfFew({ structure, walks, coefficient }: Stride): Spread {
  if (structure === true) return "array-of-structures";
  return walks || coefficient > 16 ? "strided-threads" : "array-of-structures";
}

/** True where about as much is loaded as is stored. */
function copies({ totals }: Measured): boolean {
  const [few, many] = [totals.globalLoadSectorsIdeal, totals.globalStoreSectorsIdeal].sort((a, b) => a - b);
  return (few ?? 0) * 8 >= (many ?? 0);
}

/** Only loads or only stores far apart, outside of loops that sum up: a transposition. */
function bySide(measured: Measured, { line }: LineCounters): Spread {
  const { totals, view } = measured;
  const loads = totals.globalLoadSectors >= 2 * totals.globalLoadSectorsIdeal;
  const stores = totals.globalStoreSectors >= 2 * totals.globalStoreSectorsIdeal;
  const both = totals.globalLoadSectors > 0 && totals.globalStoreSectors > 0;
  if (view === undefined) return loads !== stores && both ? "transposed-access" : "strided-threads";
  if (loads === stores || !both) return "swapped-axes";
  const access = cudaAccesses(view.kernel).accesses.find(({ node }) => lineOf(node) === line);
  const sums = access !== undefined && enclosing(access.node, ...loopTypes) !== undefined;
  if (sums && totals.globalStoreSectors * 4 < totals.globalLoadSectors) return "thread-per-row";
  return copies(measured) ? "transposed-access" : "swapped-axes";
}

function stridesOn({ view, plain }: Measured, line: number): readonly Stride[] {
  const kernel = plain ?? view;
  if (kernel === undefined) return [];
  const own = cudaAccesses(kernel.kernel).accesses.filter(({ node }) => lineOf(node) === line);
  const bound = own.length > 0 ? own : boundOn(kernel, line);
  if (bound.length > 0) return bound.flatMap((access) => strideOfAccess(kernel, access) ?? []);
  return inFunctions(kernel, line);
}

/** Elements that names on a line stand for: `Spark& s = sparks[i]; … s.x`. */
function boundOn(view: KernelView, line: number): readonly CudaAccess[] {
  const names = new Set(nodesOn(view, line, ["identifier"]).map(({ text }) => text));
  const declarators = view.body.descendantsOfType("init_declarator").filter((node) => {
    const declared = node.childForFieldName("declarator");
    const name = declared?.descendantsOfType("identifier")[0]?.text;
    const refers = ["reference_declarator", "pointer_declarator"].includes(declared?.type ?? "");
    return refers && name !== undefined && names.has(name);
  });
  const { accesses } = cudaAccesses(view.kernel);
  return accesses.filter(({ node }) => declarators.some((declarator) => isInside(node, declarator)));
}

function strideOfAccess(view: KernelView, access: CudaAccess): Stride | undefined {
  const { indexNode, index, base, node } = access;
  if (indexNode !== undefined) {
    const stride = strideOf(view, formOf(indexNode, view.scope));
    const words = structureWords(view, access);
    if (stride === undefined || words < 2) return stride;
    return { ...stride, coefficient: stride.coefficient * words, structure: true };
  }
  // `*p`: where the pointer starts is how far the lanes are apart; a loop that moves it walks.
  const starts = namesIn(index).flatMap((name) => {
    const meaning = view.scope.meaning(name);
    return meaning === undefined || typeof meaning === "string" ? [] : [formOf(meaning, view.scope)];
  });
  const [stride] = starts.flatMap((form) => strideOf(view, form) ?? []);
  const loop = enclosing(node, ...loopTypes);
  return stride && { ...stride, walks: loop !== undefined && isAssigned(loop, base) };
}

/** Words from one element to the next, where elements are structures; 0 for others. */
function structureWords(view: KernelView, { parameter }: CudaAccess): number {
  const type = view.kernel.facts.parameters.find(({ name }) => name === parameter)?.type ?? "";
  const plain = type.replace(/\b(?:const|volatile|struct|__restrict__|__restrict)\b|[*&]/g, " ").trim();
  return Math.floor((structureLayout(view, plain)?.bytes ?? 0) / 4);
}

/** The stride of an index: of the term in which a number of the thread stands. */
function strideOf(view: KernelView, form: Form): Stride | undefined {
  const isLane = lanesOf(view);
  const loops = countedLoops(view.body);
  const ones = loops.filter(({ step }) => step.amount === undefined);
  const walks = ones.some(({ variable }) => form.get(variable) === 1 && !isLane(variable));
  for (const [key, coefficient] of form) {
    const factors = key.split("*");
    const lane = factors.find(isLane);
    if (lane === undefined) continue;
    const sizes = factors.filter((factor) => factor !== lane).map((size) => meaningOf(view, size));
    // A counter that starts at the thread's own number is as far apart as its starts are.
    const own = loops.find(({ variable }) => variable === lane);
    // One that changes otherwise may be anywhere.
    if (own === undefined && isAssigned(view.body, lane)) return undefined;
    const start = own && strideOf(view, formOf(own.start, view.scope));
    const across = own?.step.amount !== undefined;
    if (start === undefined) return across ? undefined : { coefficient, sizes, walks };
    return {
      coefficient: coefficient * start.coefficient,
      sizes: [...sizes, ...start.sizes],
      ...{ walks: !across, across },
    };
  }
  return undefined;
}

function meaningOf({ scope }: KernelView, name: string): string {
  const meaning = scope.meaning(name);
  if (meaning === undefined) return name;
  return `${name}=${typeof meaning === "string" ? meaning : compact(meaning)}`;
}

/** Tells of a factor whether it grows by one from lane to lane, as far as its text says. */
function lanesOf({ model, body }: KernelView): (factor: string) => boolean {
  const varies = variesWithThread(model, body, "x");
  const names = new Set(
    body
      .descendantsOfType("identifier")
      .filter(varies)
      .map(({ text }) => text),
  );
  return (factor) => factor === "threadIdx.x" || names.has(factor);
}

/** Accesses of functions that the kernel calls, with the arguments of the first call. */
function inFunctions(view: KernelView, line: number): readonly Stride[] {
  const subscripts = view.model.root
    .descendantsOfType("subscript_expression")
    .filter((node) => lineOf(node) === line);
  return subscripts.flatMap((node) => {
    const definition = enclosing(node, "function_definition");
    const index = node.childForFieldName("indices")?.namedChildren[0];
    const call = definition && callOf(view, definition);
    if (definition === undefined || index === undefined || index === null || call === undefined) return [];
    const names = partsOf(definition.descendantsOfType("parameter_list")[0]).map(
      (each) => each.descendantsOfType("identifier").at(-1)?.text ?? "",
    );
    const given = partsOf(call.childForFieldName("arguments"));
    const varies = variesWithThread(view.model, view.body, "x");
    const lanes = names.filter((_, place) => {
      const argument = given[place];
      return argument !== undefined && varies(argument);
    });
    return strideWith(formOf(index, scopeOf(view, names)), lanes) ?? [];
  });
}

/** The kernel's scope, in which the parameters of another function mean nothing else. */
function scopeOf({ scope }: KernelView, names: readonly string[]): KernelScope {
  return { ...scope, meaning: (name) => (names.includes(name) ? undefined : scope.meaning(name)) };
}

function strideWith(form: Form, lanes: readonly string[]): Stride | undefined {
  for (const [key, coefficient] of form) {
    const factors = key.split("*");
    const lane = factors.find((factor) => lanes.includes(factor));
    if (lane !== undefined)
      return { coefficient, sizes: factors.filter((factor) => factor !== lane), walks: false };
  }
  return undefined;
}

function callOf({ body }: KernelView, definition: SyntaxNode): SyntaxNode | undefined {
  const name = declaredName(definition);
  return body.descendantsOfType("call_expression").find((call) => {
    const callee = call.childForFieldName("function");
    return (
      callee?.text
        .split(/\.|->|::/)
        .at(-1)
        ?.replace(/<.*$/, "") === name
    );
  });
}
