import { type Outcome, fail, succeed } from "../../base/outcome";
import type { ScoreSource } from "./command-spec";

/** The score in what a command printed; the problem is a sentence. */
export function readScore(output: string, source: ScoreSource): Outcome<number, string> {
  return "pattern" in source ? byPattern(output, source.pattern) : byPointer(output, source.pointer);
}

function byPattern(output: string, pattern: string): Outcome<number, string> {
  const matches = [...output.matchAll(new RegExp(pattern, "gmu"))];
  const text = matches.at(-1)?.groups?.["score"];
  if (text === undefined) return fail(`nothing that it printed matches ${pattern}`);
  return asNumber(text, `the score that ${pattern} finds`);
}

function byPointer(output: string, pointer: string): Outcome<number, string> {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return fail("what it printed is no JSON text");
  }
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key))
      return fail(`what it printed has nothing at ${pointer}`);
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  if (typeof value !== "number") return fail(`what stands at ${pointer} is no number`);
  return asNumber(String(value), `the score at ${pointer}`);
}

/** `1,234.5` is one thousand and some, as programs print it. */
function asNumber(text: string, what: string): Outcome<number, string> {
  const value = Number(text.trim().replace(/(?<=\d),(?=\d{3}(?!\d))/g, ""));
  return text.trim() !== "" && Number.isFinite(value)
    ? succeed(value)
    : fail(`${what} is no number: ${text}`);
}
