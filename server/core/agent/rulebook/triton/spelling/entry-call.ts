import type { RuleInput } from "../../rule";

/** A function that a spec calls, with what it is given by place and by name, as written there. */
interface EntryCall {
  readonly name: string;
  readonly positional: readonly string[];
  readonly keywords: ReadonlyMap<string, string>;
}

/**
 * The function of an entry, by its name or in an expression: `layer(x, r, 0.5)`, `results(layer(x), 0)`.
 * Undefined where what it is given is more than names and numbers.
 */
export function entryCall({ spec: { run } }: Pick<RuleInput, "spec">): EntryCall | undefined {
  if (run.kind !== "entry") return undefined;
  const { call, arguments: given } = run.entry;
  const text = call.slice(call.indexOf("::") + 2);
  if (/^\w+$/.test(text)) {
    const positional = given.map((each) => (typeof each === "string" ? each : "0"));
    return { name: text, positional, keywords: new Map() };
  }
  const [, name, inner] = /^(?:(?:results|kernel_arguments)\()?(\w+)\(([\w\s,.=+-]*)\)/.exec(text) ?? [];
  if (name === undefined || inner === undefined) return undefined;
  const parts = inner.split(",").map((each) => each.trim());
  const keywords = parts.flatMap((each): readonly (readonly [string, string])[] => {
    const [, keyword, value] = /^(\w+)=(.*)$/.exec(each) ?? [];
    return keyword === undefined || value === undefined ? [] : [[keyword, value]];
  });
  const positional = parts.filter((each) => each !== "" && !each.includes("="));
  return { name, positional, keywords: new Map(keywords) };
}
