import type { ReferenceEntry } from "../../reference/entry";
import { referenceEntries, referenceOf } from "../../reference/tables";
import definition from "./look-up.json";
import { type KernelWorkbench, type Tool, textOf, toolDefinition } from "./tool";

const entriesAtMost = 8;

export const lookUp: Tool = {
  definition: toolDefinition(definition),
  run: (given, { context }: KernelWorkbench) => {
    const { dialect } = context.spec;
    const text = textOf(given, "text").trim();
    const exact =
      referenceOf(dialect, text) ?? referenceOf(dialect, `tl.${text}`) ?? referenceOf("ptx", shortened(text));
    const all = [...referenceEntries(dialect), ...referenceEntries("ptx")];
    const found = exact === undefined ? entriesWith(all, text) : [exact];
    if (found.length === 0)
      return Promise.resolve({
        kind: "error",
        text: `Nothing is known here of "${text}" in ${dialect} or PTX. That says nothing about whether it exists.`,
      });
    return Promise.resolve({ kind: "text", text: found.map(entryText).join("\n\n") });
  },
};

/**
 * The longest beginning of a PTX instruction, in whole parts, that has an entry: `ld.global` of
 * `ld.global.f32`.
 */
function shortened(instruction: string): string {
  const parts = instruction.split(".");
  const names = parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
  return names.find((name) => referenceOf("ptx", name) !== undefined) ?? instruction;
}

/**
 * Entries that have at least half of the words, those with most of them first; a word of the name counts
 * twice.
 */
function entriesWith(entries: readonly ReferenceEntry[], text: string): readonly ReferenceEntry[] {
  const words = text
    .toLowerCase()
    .split(/[^\w.]+/)
    .filter((word) => word !== "");
  const scored = entries.map((entry) => {
    const [name, all] = [entry.name.toLowerCase(), JSON.stringify(entry).toLowerCase()];
    const held = words.filter((word) => all.includes(word)).length;
    return { entry, held, score: held + words.filter((word) => name.includes(word)).length };
  });
  return scored
    .filter(({ held }) => held > 0 && held * 2 >= words.length)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, entriesAtMost)
    .map(({ entry }) => entry);
}

function entryText({ name, signatures, about, parameters, notes, since, header }: ReferenceEntry): string {
  return [
    ...(signatures ?? [name]),
    about,
    ...Object.entries(parameters ?? {}).map(([parameter, meaning]) => `- ${parameter}: ${meaning}`),
    ...(notes ?? []),
    ...(since === undefined ? [] : [`From ${since} on.`]),
    ...(header === undefined ? [] : [`Declared in ${header}.`]),
  ].join("\n");
}
