import { madeUpFloat } from "../../../../core/workload/probe/range-names";
import type { ArgumentSpec, KernelSpec, ScalarArgument } from "../../../../core/workload/spec";
import type { FoundWorkload } from "../finders";

/** Less than what usual inputs overlap by, or differ; and what one number alone is tried with. */
const lesser = 1 / 16;
const magnitudes = [8, 64, lesser];
/** Numbers that are tried one by one, at most: each try is a check. */
const mostSingle = 4;

/**
 * Floating numbers that were made up, with other values. Smaller ones: as a threshold nothing may be above
 * the usual one. All different, going up and going down: of equal ones one may be the bound of the other.
 * Then one after the other in other magnitudes.
 */
export function withOtherNumbers(found: FoundWorkload): readonly FoundWorkload[] {
  const places = madeUpPlaces(found.spec);
  if (places.length === 0) return [];
  const all = (value: (index: number) => number): Values =>
    new Map(places.map((place, index) => [place, value(index)]));
  const apart = [all((index) => usual * (index + 1)), all((index) => usual * (places.length - index))];
  const single = places
    .slice(0, mostSingle)
    .flatMap((place) => magnitudes.map((value): Values => new Map([[place, value]])));
  return [all(() => lesser), ...(places.length === 1 ? [] : apart), ...single].map((values) =>
    withValues(found, values),
  );
}

/** New values, by the places of their arguments. */
type Values = ReadonlyMap<string, number>;

const usual = madeUpFloat("");

function withValues(found: FoundWorkload, values: Values): FoundWorkload {
  const { run, origins } = found.spec;
  const passed = argumentsOf(run).map((argument, index) => withNumbers(argument, String(index), values));
  const path = (place: string): string => `${run.kind}.arguments.${place}`;
  const told = [...values].map(([place, value]) => ({
    path: path(place),
    sentence: otherWords(value),
  }));
  const guessed = Object.fromEntries(told.map((each) => [each.path, "guessed" as const]));
  const spec = { ...found.spec, run: withArguments(run, passed), origins: { ...origins, ...guessed } };
  return { ...found, spec, unknowns: [...told, ...found.unknowns] };
}

function argumentsOf(run: KernelSpec["run"]): readonly ArgumentSpec[] {
  return run.kind === "launch" ? run.launch.arguments : run.entry.arguments;
}

/** Places of numbers that were made up: `2` of the third argument, `2.fields.0` of a structure's member. */
function madeUpPlaces({ run, origins = {} }: KernelSpec): readonly string[] {
  const isOpen = (number: ArgumentSpec | object, place: string): boolean =>
    isFloat(number) && (number.value === usual || origins[`${run.kind}.arguments.${place}`] === "guessed");
  return argumentsOf(run).flatMap((argument, index) => {
    if (isOpen(argument, String(index))) return [String(index)];
    if (typeof argument === "string" || !("fields" in argument)) return [];
    return argument.fields.flatMap((field, member) => {
      const place = `${index}.fields.${member}`;
      return isOpen(field, place) ? [place] : [];
    });
  });
}

function isFloat(argument: ArgumentSpec | object): argument is ScalarArgument {
  return (
    typeof argument === "object" &&
    "dtype" in argument &&
    "value" in argument &&
    String(argument.dtype).includes("float")
  );
}

function withNumbers(argument: ArgumentSpec, place: string, values: Values): ArgumentSpec {
  const value = values.get(place);
  if (value !== undefined && isFloat(argument)) return { ...argument, value };
  if (typeof argument === "string" || !("fields" in argument)) return argument;
  const fields = argument.fields.map((field, member) => {
    const own = values.get(`${place}.fields.${member}`);
    return own !== undefined && isFloat(field) ? { ...field, value: own } : field;
  });
  return { ...argument, fields };
}

function withArguments(run: KernelSpec["run"], passed: readonly ArgumentSpec[]): KernelSpec["run"] {
  return run.kind === "launch"
    ? { ...run, launch: { ...run.launch, arguments: passed } }
    : { ...run, entry: { ...run.entry, arguments: passed } };
}

function otherWords(value: number): string {
  const why = `with ${usual} the check would also pass for a constant`;
  return `${value} is a guess, as any other number would be: ${why}.`;
}
