import { nameWords } from "../../base/symbols/name-words";
import valueWords from "./value-words.json";

/** Where values usually lie that are called so, by the words of a name; undefined for other names. */
export function usualValues(name: string): { readonly low: number; readonly high: number } | undefined {
  const parts = nameWords(name);
  const found = valueWords.find(({ words }) => words.some((word) => parts.includes(word)));
  return found && { low: found.low, high: found.high };
}
