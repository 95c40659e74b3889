import { at } from "../../../../../core/base/known";
import type { TiedSizes } from "../../../../../core/workload/probe/settings";
import { evaluateSizeExpression } from "../../../../../core/workload/size-expression";
import { type Elements, type FittedBuffer, elementOf } from "../../../../../core/workload/probe/judge-probe";
import { withItsEnd } from "../../../../../core/workload/probe/rim";
import type { Distribution, KernelSpec, SizeExpression, TensorSpec } from "../../../../../core/workload/spec";
import type { UnknownPart } from "../../../../../core/workload/spec-write";
import type { TriedLaunch } from "../find-grid";
import { firstPlace, type FoundIndex, type FoundSearch, isPermutation } from "../find-indices";
import type { FoundOffsets } from "../find-offsets";
import { tensorsInFreeSizes } from "../arguments/tied-sizes";
import type { PlannedArgument } from "../arguments/planned-argument";
import type { TextLetters } from "../../../../../core/language/cuda/launch/contents/letters";
import type { AskedRanges } from "../variants/content-variants";

/** What probes have told of the buffers. */
export interface SeenTensors {
  readonly planned: readonly PlannedArgument[];
  readonly elements: Elements;
  readonly launch: Pick<TriedLaunch, "buffers" | "probes" | "isInText">;
  readonly offsets: readonly FoundOffsets[];
  readonly indices: readonly FoundIndex[];
  readonly searches: readonly FoundSearch[];
  /** Shapes that the kernel is told by its arguments, by the tensors' names. */
  readonly told?: ReadonlyMap<string, readonly SizeExpression[]>;
  /** Sizes that are computed from others. */
  readonly tied?: TiedSizes;
  /** What buffers hold, where the kernel would do nothing with other values. */
  readonly held?: ReadonlyMap<string, number>;
  /** From where to where elements are, as the kernel would do nothing with other ones. */
  readonly ranges?: AskedRanges;
  /** The greatest number that elements of flags are asked for, by the text. */
  readonly flags?: ReadonlyMap<string, number>;
  /** What texts are made of. */
  readonly letters?: TextLetters;
  /** What the text alone proposes. */
  readonly proposal: KernelSpec | undefined;
}

type Origins = Record<string, "probed" | "guessed" | "inferred">;

/** Where facts come from, and what to say about the ones that are guesses. */
export interface ProbeFacts {
  readonly origins: Origins;
  readonly unknowns: UnknownPart[];
}

/** Notes that a fact is a guess, with what to say about it. */
export function guess({ origins, unknowns }: ProbeFacts, path: string, sentence: string): void {
  origins[path] = "guessed";
  unknowns.push({ path, sentence });
}

/** Of a buffer whose last elements a thread too many touches. */
export const overrunWords = "what lies behind them";

type Tensors = Record<string, TensorSpec>;

/** Inputs and outputs by what was read and written, and how far. */
export function tensorsOf(result: SeenTensors, facts: ProbeFacts): Pick<KernelSpec, "inputs" | "outputs"> {
  const [inputs, outputs]: [Tensors, Tensors] = [{}, {}];
  for (const argument of result.planned) {
    if (argument.kind !== "buffer") continue;
    const fitted = result.launch.buffers.find(({ name }) => name === argument.name);
    if (fitted === undefined) continue;
    const isPartial = leavesSome(result, fitted);
    const side = fitted.isWritten ? "outputs" : "inputs";
    const tensor = {
      dtype: argument.type.dtype,
      shape: [
        ...shapeOf(result, fitted, { path: `${side}.${fitted.name}.shape`, facts }),
        ...(argument.type.width > 1 ? [argument.type.width] : []),
      ],
    };
    const isInput = fitted.isRead || isPartial || !fitted.isWritten;
    if (fitted.isWritten) outputs[fitted.name] = tensor;
    const counted = countedBy(result, argument, { path: `inputs.${fitted.name}.distribution`, facts });
    const distribution = (): Distribution => counted ?? distributionOf(result, fitted, tensor.dtype);
    if (isInput) inputs[fitted.name] = { ...tensor, distribution: distribution() };
  }
  for (const name of Object.keys(inputs)) sayHeld(result, name, facts);
  takeLetters(result, inputs, facts);
  for (const name of Object.keys(inputs)) takeRange(result, { name, inputs, facts });
  takeFlags(result, inputs, facts);
  const { tied = new Map() } = result;
  return { inputs: tensorsInFreeSizes(inputs, tied), outputs: tensorsInFreeSizes(outputs, tied) };
}

/** The size that a buffer holds, everywhere the same; undefined for one that holds values of its own. */
function countedBy(
  { planned }: SeenTensors,
  { holds }: Extract<PlannedArgument, { kind: "buffer" }>,
  { path, facts }: ShapeFacts,
): Distribution | undefined {
  if (holds === undefined) return undefined;
  facts.origins[path] = "probed";
  const size = planned.find(({ name }) => name === holds);
  const value = size?.kind === "value" ? size.value : holds;
  return { kind: "range", low: value, high: value };
}

function takeFlags({ flags = new Map() }: SeenTensors, inputs: Tensors, { origins }: ProbeFacts): void {
  for (const [name, most] of flags) {
    const flagged = asFlags(inputs[name], most);
    if (flagged === undefined) continue;
    inputs[name] = flagged;
    origins[`inputs.${name}.distribution`] = "inferred";
  }
}

function takeLetters({ letters = new Map() }: SeenTensors, inputs: Tensors, { origins }: ProbeFacts): void {
  for (const [name, all] of letters) {
    const tensor = inputs[name];
    // What leads somewhere, or counts something, is no text.
    if (tensor?.distribution !== "integers") continue;
    inputs[name] = { ...tensor, distribution: { kind: "letters", letters: all } };
    origins[`inputs.${name}.distribution`] = "inferred";
  }
}

/** A tensor that holds flags, or the numbers of a few states; undefined for one that holds more. */
function asFlags(tensor: TensorSpec | undefined, most: number): TensorSpec | undefined {
  const { distribution = "normal" } = tensor ?? {};
  if (tensor === undefined || (distribution !== "integers" && distribution !== "normal")) return undefined;
  return { ...tensor, distribution: most <= 1 ? "zero-one" : { kind: "range", low: 0, high: most } };
}

function sayHeld({ held }: SeenTensors, name: string, facts: ProbeFacts): void {
  const value = held?.get(name);
  if (value === undefined) return;
  const sentence = `${name} holds ${value} alone, which the kernel compares it with: with other values it wrote nothing.`;
  guess(facts, `inputs.${name}.distribution`, sentence);
}

/** What elements are compared with bounds those of which no more is known. */
function takeRange(
  { ranges }: SeenTensors,
  { name, inputs, facts }: { readonly name: string; readonly inputs: Tensors; readonly facts: ProbeFacts },
): void {
  const [range, tensor] = [ranges?.get(name), inputs[name]];
  if (range === undefined || tensor?.distribution !== "integers") return;
  inputs[name] = { ...tensor, distribution: { kind: "range", ...range } };
  const sentence = `${name} is taken to hold whole numbers from ${range.low} to ${range.high}, which the kernel compares it with.`;
  guess(facts, `inputs.${name}.distribution`, sentence);
}

/** Whether elements of a buffer are left as they are. */
function leavesSome(result: SeenTensors, fitted: FittedBuffer): boolean {
  const told = result.told?.get(fitted.name);
  const isLonger = told !== undefined && hasMore(result, told, fitted);
  return fitted.isPartial || isLonger || coversLess(result, fitted) || hasPadding(fitted);
}

/** Whether a buffer has more elements than are touched: a rim that is left out. */
function coversLess({ launch: { probes } }: SeenTensors, { extent, seen, isWritten }: FittedBuffer): boolean {
  const value = evaluateSizeExpression(extent ?? seen, at(probes.settings, 0));
  return isWritten && value.ok && value.value > seen;
}

/** Whether a tensor has elements behind those that are touched. */
function hasMore(
  { launch: { probes } }: SeenTensors,
  shape: readonly SizeExpression[],
  { seen }: FittedBuffer,
): boolean {
  const sizes = shape.map((each) => evaluateSizeExpression(each, at(probes.settings, 0)));
  return sizes.reduce((product, each) => product * (each.ok ? each.value : 1), 1) > seen;
}

/** Whether rows lead over more than they have: `(rows - 1) * stride + columns`. */
function hasPadding({ extent }: FittedBuffer): boolean {
  return /^\(.+ - 1\) \* \w+ \+ \w+$/.test(String(extent));
}

function distributionOf(
  { offsets, indices, searches, held }: SeenTensors,
  { name, isAtomic, isWritten }: FittedBuffer,
  dtype: TensorSpec["dtype"],
): Distribution {
  const isFloat = dtype.includes("float");
  const value = held?.get(name);
  if (value !== undefined) return { kind: "constant", value };
  const starts = offsets.find((each) => each.index === name);
  if (starts !== undefined) return { kind: "offsets", total: totalOf(starts) };
  const index = indices.find((each) => each.index === name);
  if (index !== undefined) return index.distribution;
  const searched = searches.find((each) => each.into === name);
  if (searched !== undefined && !isWritten)
    return isFloat ? "sorted" : { kind: "range", low: 0, high: searched.extent, sorted: true };
  const search = searches.find((each) => each.by === name);
  if (search !== undefined) return { kind: "range", low: 0, high: isFloat ? 1 : search.extent };
  if (isAtomic && isWritten) return { kind: "constant", value: 0 };
  return isFloat ? "normal" : "integers";
}

/** Elements of all rows that offsets lead into: so many for each row is as good as any. */
export function totalOf({ rows, perRow }: FoundOffsets): SizeExpression {
  return /^\w+$/.test(String(rows)) ? `${perRow} * ${rows}` : `${perRow} * (${rows})`;
}

/** What a launch without a guard touches: whole blocks. */
const roundedUp = /^(\d+) \* ceil_div\((.+), \1\)$/;

interface ShapeFacts {
  readonly path: string;
  readonly facts: ProbeFacts;
}

function shapeOf(
  result: SeenTensors,
  fitted: FittedBuffer,
  { path, facts }: ShapeFacts,
): readonly SizeExpression[] {
  const known = shapeByOthers(result, fitted, { path, facts });
  if (known !== undefined) return known;
  const { extent, seen, name } = fitted;
  if (seen === 0) {
    guess(facts, path, `${name} was not touched in any probe; one element is a guess.`);
    return [1];
  }
  const { width } = elementOf(result.elements, name).type;
  const stated = width > 1 ? undefined : statedShape(result, fitted);
  if (extent === undefined) {
    const sizes = JSON.stringify(result.launch.probes.settings[0]);
    const sentence = `no expression gives how far ${name} is touched: with ${sizes} up to element ${seen}. Write its shape.`;
    guess(facts, path, sentence);
    return stated ?? [seen];
  }
  const rounded = result.launch.isInText ? roundedUp.exec(String(extent)) : null;
  if (rounded !== null) {
    const [, threads = "", size = ""] = rounded;
    const sentence = `${name} is taken to have ${size} elements; the kernel has no guard, and touches ${extent}. If ${size} is always a multiple of ${threads}, choose such shapes.`;
    guess(facts, path, sentence);
    return [size];
  }
  if (fitted.overrun !== undefined) {
    const { extent: fewer, by } = fitted.overrun;
    const sentence = `${name} is taken to have ${fewer} elements: ${overrunWords}, up to ${extent}, is touched by ${by}. If it has so many, write its shape.`;
    guess(facts, path, sentence);
    return factorsOf(fewer);
  }
  const probed = plainShape(fitted, extent, { path, facts });
  return stated ?? probed;
}

/** The shape that follows from what else the kernel is passed, sizes or other buffers; else undefined. */
function shapeByOthers(
  result: SeenTensors,
  fitted: FittedBuffer,
  place: ShapeFacts,
): readonly SizeExpression[] | undefined {
  const known = toldShape(result, fitted, place) ?? rowsOf(result, fitted, place);
  const index = result.indices.find(({ into }) => into === fitted.name);
  return known ?? (index && indexedShape(index, fitted, place));
}

/** The shape that the kernel is told; undefined where it is passed no more than an address. */
function toldShape(
  { told }: SeenTensors,
  { name }: FittedBuffer,
  { path, facts }: ShapeFacts,
): readonly SizeExpression[] | undefined {
  const shape = told?.get(name);
  if (shape !== undefined) facts.origins[path] = "probed";
  return shape;
}

/** The shape of a buffer whose extent is fitted, and what to say of it. */
function plainShape(
  { name, before, isWritten }: FittedBuffer,
  extent: SizeExpression,
  { path, facts }: ShapeFacts,
): readonly SizeExpression[] {
  // What lies before the start is a matter of the kernel, whatever the extent is.
  facts.origins[path] = before > 0 ? "inferred" : "probed";
  if (/(?<! - \w+ )\+ \d+$/.test(String(extent)))
    facts.unknowns.push({
      path,
      sentence: `${name} is touched as far as ${extent} elements. If it has fewer, the kernel goes too far.`,
    });
  return factorsOf(isWritten ? extent : withItsEnd(extent));
}

/** The shape of a buffer that offsets of rows or a search lead into; undefined for other ones. */
function rowsOf(
  { offsets, searches }: SeenTensors,
  { name, isWritten }: FittedBuffer,
  { path, facts }: ShapeFacts,
): readonly SizeExpression[] | undefined {
  const led = offsets.find(({ into }) => into.has(name));
  const place = led?.into.get(name);
  if (led !== undefined && place !== undefined) {
    const sentence = `${led.index} says where rows of ${name} begin and end; ${led.perRow} elements a row, on the average, are a guess.`;
    guess(facts, path, sentence);
    const { row, includesEnd } = place;
    if (includesEnd)
      facts.unknowns.push({
        path,
        sentence: `the last row of ${name} includes its end. If ${name} has only what ${led.index} counts, the kernel goes too far.`,
      });
    return [`${totalOf(led)}${includesEnd ? " + 1" : ""}`, ...(row === 1 ? [] : [row])];
  }
  const searched = searches.find(({ into }) => into === name);
  if (searched === undefined) return undefined;
  facts.origins[path] = "probed";
  const what = isWritten ? "between 0 and 1" : "ascending";
  const where = `inputs.${isWritten ? searched.by : name}.distribution`;
  const sentence = `how far ${name} is touched depends on the values of ${searched.by}; that ${isWritten ? searched.by : name} is ${what} is a guess.`;
  guess(facts, where, sentence);
  return factorsOf(searched.extent);
}

/** The shape of a buffer that the values of another one lead into. */
function indexedShape(
  index: FoundIndex,
  { name, isWritten }: FittedBuffer,
  { path, facts }: ShapeFacts,
): readonly SizeExpression[] {
  facts.origins[path] = "probed";
  const values = `inputs.${index.index}.distribution`;
  if (isPermutation(index.distribution))
    guess(
      facts,
      values,
      `${index.index} says where ${name} is written; that each place is there once is a guess.`,
    );
  else if (index.isNew || isWritten)
    guess(
      facts,
      values,
      `${index.index} leads into ${name}: any number of its range, as often as it falls, is a guess. Its values may have to be in order, or each there once.`,
    );
  if (index.isNew)
    facts.unknowns.push({
      path,
      sentence: `${name} is indexed by the values of ${index.index}; its ${index.rows} rows are taken for as many as those values reach.`,
    });
  const isFromStart = index.base === 0 || firstPlace(index) > 0;
  const rows = isFromStart ? index.rows : `${index.base} + ${index.rows}`;
  return index.row === 1 ? [rows] : [rows, index.row];
}

/** A product as one size for each factor. */
function factorsOf(extent: SizeExpression): readonly SizeExpression[] {
  return /^\w+(?: \* \w+)+$/.test(String(extent)) ? String(extent).split(" * ").map(numeral) : [extent];
}

/** The shape that the text implies, where it has as many elements as were touched. */
function statedShape(
  { proposal, launch }: SeenTensors,
  { name, extent }: FittedBuffer,
): readonly SizeExpression[] | undefined {
  const shape = (proposal?.outputs[name] ?? proposal?.inputs[name])?.shape;
  if (shape === undefined || extent === undefined) return undefined;
  const agrees = launch.probes.settings.every((sizes) => {
    const values = [...shape, extent].map((expression) => evaluateSizeExpression(expression, sizes));
    const numbers = values.map((value) => (value.ok ? value.value : Number.NaN));
    const wanted = numbers.at(-1);
    return numbers.slice(0, -1).reduce((product, size) => product * size, 1) === wanted;
  });
  return agrees ? shape : undefined;
}

/** A factor of a product: a number, or a size. */
function numeral(factor: string): SizeExpression {
  return /^\d+$/.test(factor) ? Number(factor) : factor;
}
