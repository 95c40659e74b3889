import { at, entry } from "../base/known";
import { invariant } from "../base/assert";
import { type PromptName, type PromptTexts, promptNames } from "./names";

const placeholder = /\{\{([a-z_]+)\}\}/g;

/**
 * The texts by name, from whatever read the files. Throws when one is missing: the product was not built
 * whole.
 */
export function promptTexts(files: Readonly<Record<string, string>>): PromptTexts {
  const entries = promptNames.map((name) => {
    const text = files[name];
    invariant(text !== undefined, `the prompt text ${name}.md is missing`);
    return [name, text] as const;
  });
  return Object.fromEntries(entries) as Record<PromptName, string>;
}

/**
 * Fills `{{name}}` fields. A field that the text names and the call lacks, or the reverse, is an error of
 * ours. Values go in as they are and are not looked at again, so a value that holds `{{x}}` changes nothing.
 */
export function renderPrompt(text: string, fields: Readonly<Record<string, string>>): string {
  const named = new Set([...text.matchAll(placeholder)].map((match) => at(match, 1)));
  const missing = [...named].filter((name) => !Object.hasOwn(fields, name));
  const unknown = Object.keys(fields).filter((name) => !named.has(name));
  invariant(missing.length === 0, `the prompt needs the fields ${missing.join(", ")}`);
  invariant(unknown.length === 0, `the prompt has no fields ${unknown.join(", ")}`);
  return text.replace(placeholder, (_, name: string) => entry(fields, name)).trimEnd();
}

/** Text that is data (a file, a compiler's output) in a fence that nothing in it can close. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}
