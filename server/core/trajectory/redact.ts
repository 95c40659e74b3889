import table from "./redaction-patterns.json";

const patterns: readonly { readonly name: string; readonly expression: RegExp }[] = table.patterns.map(
  (entry) => ({
    name: entry.name,
    expression: new RegExp(entry.source, "g"),
  }),
);

/** A value shorter than this would be found by chance all over a text, so it is not taken as a secret. */
const shortestSecret = 6;

/** Replaces secrets in texts: values that it was told about, and shapes that only secrets have. */
export class Redactor {
  private known: readonly string[] = [];

  /**
   * Registers the value of a key. Values shorter than six characters are not registered; the answer says
   * whether it was.
   */
  learn(secret: string): boolean {
    const value = secret.trim();
    if (value.length < shortestSecret) return false;
    const forms = [value, encodeURIComponent(value)];
    // Longer values first: a key that begins with another key must be replaced whole.
    this.known = [...new Set([...this.known, ...forms])].sort(
      (a, b) => b.length - a.length || (a < b ? -1 : 1),
    );
    return true;
  }

  /** The text with every secret replaced by `[redacted:NAME]`. Applying it twice changes nothing more. */
  redact(text: string): string {
    let result = text;
    for (const value of this.known) result = result.replaceAll(value, "[redacted:known-key]");
    for (const { name, expression } of patterns) result = result.replace(expression, `[redacted:${name}]`);
    return result;
  }

  /** Where the first secret stands: its one-based line and what kind it is; undefined when there is none. */
  find(text: string): { readonly line: number; readonly kind: string } | undefined {
    const places: { index: number; kind: string }[] = [];
    for (const value of this.known) places.push({ index: text.indexOf(value), kind: "known-key" });
    for (const { name, expression } of patterns) places.push({ index: text.search(expression), kind: name });
    const first = places.filter((place) => place.index >= 0).sort((a, b) => a.index - b.index)[0];
    return first && { line: text.slice(0, first.index).split("\n").length, kind: first.kind };
  }
}
