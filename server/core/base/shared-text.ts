/** Shorter texts are not worth the looking up. */
const shortest = 256;
/** So many texts are remembered, those that were seen last. */
const most = 64;

const recent = new Map<string, string>();

/**
 * The same text, as the one that was seen lately where there was one: a text that a session holds in several
 * places (as a model wrote it, as a tool was given it, as a candidate's file) is in memory once.
 */
export function sharedText(text: string): string {
  if (text.length < shortest) return text;
  const known = recent.get(text) ?? text;
  recent.delete(known);
  recent.set(known, known);
  if (recent.size > most) recent.delete(recent.keys().next().value ?? "");
  return known;
}

/** A copy of a value of plain JSON whose long texts are shared. */
export function withSharedTexts<Value>(value: Value): Value {
  if (typeof value === "string") return sharedText(value) as Value;
  if (Array.isArray(value)) return value.map(withSharedTexts) as Value;
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, withSharedTexts(part as unknown)] as const);
  return Object.fromEntries(parts) as Value;
}
