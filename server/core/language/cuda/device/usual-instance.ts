import type { KernelFacts } from "../../facts";
import { typeAliases } from "../constants";
import type { SyntaxNode } from "../../tree";
import table from "./usual-values.json";

/** A source that defines a template. */
interface TemplateSource {
  readonly text: string;
  readonly root: SyntaxNode;
}

type Template = Pick<KernelFacts, "templateParameters" | "parameters">;

/**
 * Arguments for a template of which nothing tells an instance: defaults, float for what data is made of, and
 * for numbers what the text says of them, else what numbers of such a name and use usually are. Undefined
 * where a type is none of these.
 */
export function usualInstance(template: Template, source: TemplateSource): readonly string[] | undefined {
  const { text } = source;
  const wanted = template.templateParameters.filter((each) => !each.text.includes("="));
  const found = wanted.map(({ name, kind, text: declared }) =>
    kind === "value" ? usualValue(name, declared, text) : usualType(name, template, source),
  );
  return found.every((each) => each !== undefined) ? found : undefined;
}

function usualType(
  name: string,
  { parameters }: Template,
  { text, root }: TemplateSource,
): string | undefined {
  const aliases = typeAliases(root);
  const isData = parameters.some(({ type, pointer }) => {
    const plain = type.replace(/\b[A-Za-z_]\w*\b/g, (word) => aliases.get(word) ?? word);
    const form = pointer
      ? `^(?:const )?${name}\\b`
      : `Accessor\\w*\\s*<\\s*(?:const )?${name}\\b|^\\w+<[^>]*\\b${name}\\b`;
    return new RegExp(form).test(plain);
  });
  return isData && !new RegExp(`\\b${name}\\s*::`).test(text) ? "float" : undefined;
}

const whole =
  /^(?:const\s+)?(?:(?:unsigned|signed)(?:\s+(?:int|long|short|char))?|int|long|short|size_t|std::size_t|u?int\d+_t|uint)\b/;

/** A value for a template's number: `declared` is its declaration. */
export function usualValue(name: string, declared: string, text: string): string | undefined {
  const type = declared.replace(/^(?:const|constexpr)\s+/, "");
  if (/^bool\b/.test(type)) return "false";
  if (name === "" || !whole.test(type)) return undefined;
  return String(saidValue(name, text) ?? usedValue(name, text) ?? namedValue(name) ?? table.otherwise);
}

/** A block of fewer threads than a warp has is none that a template is made for. */
const fewestThreads = 32;

/** What a comment says: `BSZ = 256`, `N is 64`, `Block of 128 threads`. */
function saidValue(name: string, text: string): number | undefined {
  const comments = [...text.matchAll(/\/\/[^\n]*|\/\*[^]*?\*\//g)].map(([comment]) => comment).join("\n");
  const own = new RegExp(`\\b${name}\\b\\s*(?:==?|:|is|of|in|=)\\s*\\{?(\\d+)`).exec(comments)?.[1];
  if (own !== undefined) return Number(own);
  if (!isThreads(name, text)) return undefined;
  const launched = [...text.matchAll(/<<<[^;]*?,\s*(\d+)\s*(?:,[^;]*?)?>>>/g)].map(([, each]) => each);
  const said = /\b(\d+) threads\b|\bblocks? (?:size )?of (\d+)\b/i.exec(comments);
  return [...launched, said?.[1], said?.[2]].map(Number).find((threads) => threads >= fewestThreads);
}

function isThreads(name: string, text: string): boolean {
  return new RegExp(table.threads, "i").test(name) || isStep(name, text);
}

/** Whether a block's index is multiplied with a number. */
function isStep(name: string, text: string): boolean {
  const plain = text.replace(/[()]/g, " ");
  return new RegExp(`blockIdx\\.x\\s*\\*\\s*${name}\\s*\\+\\s*threadIdx\\.x`).test(plain);
}

/** What a number is that a shared array has on both axes, or on its only one. */
function usedValue(name: string, text: string): number | undefined {
  const shared = [...text.matchAll(/__shared__[^;]*;/g)].map(([declaration]) => declaration);
  const square = new RegExp(`\\[\\s*${name}\\s*\\]\\s*\\[\\s*${name}\\b`);
  if (shared.some((each) => square.test(each))) return table.tile;
  const row = new RegExp(`\\w\\s*\\[\\s*${name}\\s*\\]\\s*;`);
  return isStep(name, text) || shared.some((each) => row.test(each)) ? table.block : undefined;
}

function namedValue(name: string): number | undefined {
  return table.names.find(({ pattern }) => new RegExp(pattern, "i").test(name))?.value;
}
