import { entry } from "../../../base/known";
import { evaluateSizeExpression, parseSizeExpression, variablesOf } from "../../size-expression";
import type { SizeExpression } from "../../spec";

/**
 * What has to hold of a size and others: it is a multiple of a value, equal to it, not less or not more; or
 * it is odd, or a power of two, whatever the value says.
 */
export interface SizeRelation {
  readonly kind: "multiple" | "equal" | "least" | "most" | "odd" | "power";
  /** The size that is changed where it does not hold. */
  readonly name: string;
  readonly value: SizeExpression;
}

type Sizes = Readonly<Record<string, number>>;

/** What a size is changed to is one of its own values: the nearest to a wanted one. */
type Nearest = (name: string, wanted: number) => number;

/** So often all relations are gone through: changing a size may break another one. */
const mostRounds = 4;
/** So many multiples are tried until one is a value that the size may have. */
const mostMultiples = 256;

/** Those of the relations that are between such sizes alone. */
export function relationsBetween(
  relations: readonly SizeRelation[],
  sizes: ReadonlySet<string>,
): readonly SizeRelation[] {
  return relations.filter(({ name, value }) => [name, ...namesOf(value)].every((each) => sizes.has(each)));
}

/** Sizes that others are multiples of: there are few of what they count. */
export function divisorsOf(relations: readonly SizeRelation[]): ReadonlySet<string> {
  const multiples = relations.filter(({ kind }) => kind === "multiple");
  return new Set(multiples.flatMap(({ name, value }) => namesOf(value).filter((each) => each !== name)));
}

/** Sizes with those that break a relation changed, as little as is needed. */
export function withRelations(
  setting: Sizes,
  relations: readonly SizeRelation[],
  nearest: Nearest,
): Record<string, number> {
  let present: Record<string, number> = { ...setting };
  for (let round = 0; round < mostRounds; round += 1) {
    const before = JSON.stringify(present);
    for (const relation of relations) present = mended(present, relation, { relations, nearest });
    if (JSON.stringify(present) === before) break;
  }
  return present;
}

function mended(
  sizes: Record<string, number>,
  { kind, name, value }: SizeRelation,
  { relations, nearest }: { readonly relations: readonly SizeRelation[]; readonly nearest: Nearest },
): Record<string, number> {
  if (sizes[name] === undefined) return sizes;
  const other = evaluateSizeExpression(value, sizes);
  if (!other.ok || other.value < 1) return sizes;
  const present = entry(sizes, name);
  if (kind === "equal") return { ...sizes, [name]: other.value };
  if (kind === "odd") return { ...sizes, [name]: present + 1 - (present % 2) };
  if (kind === "power") return { ...sizes, [name]: 2 ** Math.round(Math.log2(Math.max(1, present))) };
  const step = stepOf(name, relations, sizes);
  if (kind === "least")
    return present >= other.value
      ? sizes
      : { ...sizes, [name]: nearest(name, step * Math.ceil(other.value / step)) };
  if (kind === "most")
    return present <= other.value
      ? sizes
      : { ...sizes, [name]: step * Math.max(1, Math.floor(other.value / step)) };
  return present % step === 0 ? sizes : { ...sizes, [name]: multipleOf(step, { name, present, nearest }) };
}

/** What a size is a multiple of by all of its relations. */
function stepOf(name: string, relations: readonly SizeRelation[], sizes: Sizes): number {
  return relations.reduce((step, each) => {
    if (each.kind !== "multiple" || each.name !== name) return step;
    const value = evaluateSizeExpression(each.value, sizes);
    return value.ok && value.value > 0 ? (step / divisor(step, value.value)) * value.value : step;
  }, 1);
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}

/** The multiple of a step next to the present value, that is one of the size's own values. */
function multipleOf(
  step: number,
  { name, present, nearest }: { readonly name: string; readonly present: number; readonly nearest: Nearest },
): number {
  const first = Math.max(1, Math.round(present / step));
  for (let times = first; times < first + mostMultiples; times += 1)
    if (nearest(name, times * step) === times * step) return times * step;
  return first * step;
}

function namesOf(value: SizeExpression): readonly string[] {
  const parsed = parseSizeExpression(String(value));
  return parsed.ok ? variablesOf(parsed.value) : [];
}
