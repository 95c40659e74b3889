import type { TextLetters } from "../../../../../core/language/cuda/launch/contents/letters";
import { statedValues } from "../../../../../core/workload/comments/stated-values";
import type { PlannedArgument } from "./planned-argument";

/** Elements after which values begin again: a prime number, so that they are others in each row. */
const turns = 1021;
/** The numerical recipes' generator, of which the upper bits are used. */
const [factor, summand, modulus, upper] = [1_664_525, 1_013_904_223, 2 ** 32, 2 ** 8];

/**
 * What is passed, where bytes are any of the values that the text tells: the letters that it asks for, or
 * those from where to where a comment says that they lie. With one number everywhere, few of their branches
 * are taken, and of a table that they lead into one element is read.
 */
export function withToldValues(
  planned: readonly PlannedArgument[],
  { letters, text }: { readonly letters: TextLetters; readonly text: string },
): readonly PlannedArgument[] {
  const bytes = planned.flatMap((each) =>
    each.kind === "buffer" && each.type.width === 1 && /^u?int8$/.test(each.type.dtype) ? each.name : [],
  );
  const stated = statedValues(text, bytes);
  return planned.map((each) => {
    if (each.kind !== "buffer" || !bytes.includes(each.name)) return each;
    const range = stated.get(each.name);
    const values = range === undefined ? codesOf(letters.get(each.name)) : span(range.low, range.high);
    return values.length === 0 ? each : { ...each, values: mixed(values) };
  });
}

/** Without the last one, which nothing asks for. */
function codesOf(letters = ""): readonly number[] {
  return [...new Set(letters.slice(0, -1))].map((each) => each.charCodeAt(0));
}

function span(low: number, high: number): readonly number[] {
  const first = Math.ceil(low);
  return Array.from({ length: Math.floor(high) - first + 1 }, (_, index) => first + index);
}

/** Values in no order, the same each time. */
function mixed(values: readonly number[]): readonly number[] {
  let state = 1;
  return Array.from({ length: turns }, () => {
    state = (state * factor + summand) % modulus;
    return values[Math.floor(state / upper) % values.length] ?? 0;
  });
}
