import { known } from "../../../../base/known";
import { compact, enclosing } from "../../../../language/query";
import { itemBytes } from "../../../../workload/item-bytes";
import { evaluateSizeExpression } from "../../../../workload/size-expression";
import type { RuleInput } from "../../rule";
import { type KernelView, templateEstimates } from "../kernel";
import { passedArgument } from "../launch/passed-argument";
import { elementTypeOf } from "../points/point-space";
import { structureLayout } from "../structures/structure-layout";
import { startOf } from "./shared-sum";
import { isOwnColumn, type Tally } from "./tallies";

const warp = 32;
/** So many counters a block empties in a turn or two. */
const emptied = 256;
const loops = ["for_statement", "while_statement", "do_statement"];

/** Bins of an array of which the spec does not say how long it is: one for each value of a byte. */
const usualBins = 256;

/** As many bins as the array has on the shape that was counted, as a power of two. */
function keptBins(
  input: RuleInput,
  view: KernelView,
  { array: { bins, count }, most }: { readonly array: Tally; readonly most: number },
): number {
  const { spec, sizes } = input;
  const position = view.kernel.facts.parameters.findIndex(({ name }) => name === bins);
  const argument = passedArgument(input, view, position);
  const array = typeof argument === "string" ? (spec.outputs[argument] ?? spec.inputs[argument]) : undefined;
  const numbers = (array?.shape ?? [usualBins]).reduce<number>((product, size) => {
    const value = evaluateSizeExpression(size, sizes);
    return product * (value.ok ? value.value : 1);
  }, 1);
  // The spec counts the numbers of an array, several of which are one of its structures.
  const structure = structureLayout(view, elementTypeOf(view, bins) ?? "")?.bytes;
  const bytes = array === undefined ? undefined : itemBytes[array.dtype];
  const each = structure === undefined || bytes === undefined ? 1 : structure / bytes;
  return Math.min(most, 2 ** Math.ceil(Math.log2(Math.max(32, count ?? numbers / each))));
}

/** Bins of one array with all that counts in them. */
export interface Bins extends Pick<Tally, "function" | "type" | "at"> {
  /** What a counter begins with, so that it changes nothing. */
  readonly start: string;
  /** So many are kept in shared memory. */
  readonly kept: number;
  /** How many counters stand for each: several, where a thread adds once. */
  readonly copies: number;
  /** One thread of a block alone adds to each, in all of its turns: it needs no atomic for that. */
  readonly isOwn: boolean;
  readonly tallies: readonly Tally[];
  /** What is added each time, where counters of 32 bits stand for those of 64 that count by ones. */
  readonly one: string | undefined;
}

const wide = /^(?:std::)?(?:unsigned |signed )?(?:long long(?: int)?|u?int64_t|size_t|ulonglong|ULL)$/;
/** A one, perhaps in parentheses or behind a cast or the name of a type. */
const ones = /^(?:\([\w:]+\)|\(|static_cast<[\w:]+>\(|([A-Za-z_]\w*)\()?1(?:u|l|ul|ll|ull)?\)?$/i;
const plainTypes = /^(?:int|unsigned|long|u?int\d+_t|size_t)$/;

function isOne({ kernel, model }: KernelView, value: string): boolean {
  const [found, type] = ones.exec(value) ?? [];
  if (found === undefined || type === undefined) return found !== undefined;
  const own = kernel.facts.templateParameters.some(({ name }) => name === type);
  return own || plainTypes.test(type) || model.types.has(type);
}

/**
 * True for counters of 64 bits to which only ones are added: shared memory adds to 32 bits at once, and a
 * block makes fewer than 2^32 of such additions.
 */
function countsOnes(view: KernelView, { function: act, type }: Tally, own: readonly Tally[]): boolean {
  const given = templateEstimates(view).types.get(type)?.trim() ?? type;
  const isWide = wide.test(view.model.types.get(given) ?? given);
  return act === "atomicAdd" && isWide && own.every(({ value }) => isOne(view, compact(value)));
}

/** The bins that a block keeps, for each array or member that is counted in. */
export function arraysOf(
  input: RuleInput,
  view: KernelView,
  { tallies, most }: { readonly tallies: readonly Tally[]; readonly most: number },
): readonly Bins[] {
  const arrays = [...new Map(tallies.map((tally) => [tally.counters, tally])).values()];
  const each = 2 ** Math.floor(Math.log2(most / arrays.length));
  return arrays.map((array) => {
    const kept = keptBins(input, view, { array, most: each });
    const own = tallies.filter(({ counters }) => counters === array.counters);
    // A loop hides what it costs to empty the bins, and cuda-spread-counters gives its lanes their own then.
    const once = own.every(({ statement }) => enclosing(statement, ...loops) === undefined);
    const copies = once ? Math.max(1, Math.min(warp, Math.floor(emptied / kept))) : 1;
    const isOwn = own.every((tally) => isOwnColumn(input, view, tally));
    const { function: act, type, at } = array;
    const start = known(startOf(act, type), "what a sum begins with");
    const one = countsOnes(view, array, own) ? "1u" : undefined;
    const kind = one === undefined ? type : "unsigned int";
    return { function: act, type: kind, at, start, kept, copies, isOwn, tallies: own, one };
  });
}
