import { at } from "../../../base/known";
import { enclosing, fieldText } from "../../query";
import type { SyntaxNode } from "../../tree";
import type { CudaLaunch } from "../launches";
import { readCuda } from "../model";
import { boundByMacros, dispatchMacros } from "./dispatch-macros";
import table from "./dispatch-types.json";

/** A source that may instantiate a kernel's template, parsed. */
export interface InstanceSource {
  readonly path: string;
  readonly text: string;
  readonly root: SyntaxNode;
}

export interface TemplateInstance {
  /** `float, 3`; plain types and numbers, and names that `names` lists. */
  readonly arguments: readonly string[];
  /** `src/main.cu:12` */
  readonly where: string;
}

/** More instances of one kernel than these make its compilation slow and tell nothing new. */
const mostInstances = 6;
const mostDepth = 4;
/** Words that mean the same in every source. */
const builtin = new RegExp(
  [
    "unsigned|signed|const|char|short|int|long|float|double|half|bool|void|true|false|size_t",
    "(?:std::)?u?int(?:8|16|32|64)_t|__half2?|__nv_bfloat162?|nv_bfloat16|(?:float|int|uint|double)[1-4]",
    "(?:at|c10|torch)::(?:B?Float16|BFloat16|Half)",
  ].join("|"),
);
const number = /\d[\w.]*/;
const plain = new RegExp(`^(?:\\b(?:${builtin.source})\\b|\\b${number.source}|[\\s,<>*&+()-])+$`);

/**
 * The instances of a kernel's template that sources make: by launches, by explicit instantiation, by macros
 * that hold one. Names in template arguments are followed: constants, aliases, the types of AT_DISPATCH
 * macros, the parameters of a host template. `names`: types and constants that the kernel's own files define.
 * `ofOneType`: the template has one parameter, a type; an AT_DISPATCH macro gives it where a launch
 * leaves it out.
 */
export function templateInstances(
  { kernel, ofOneType }: { readonly kernel: string; readonly ofOneType: boolean },
  sources: readonly InstanceSource[],
  names: ReadonlySet<string>,
): readonly TemplateInstance[] {
  const found = sources.flatMap((source) => [
    ...launched({ kernel, ofOneType }, source, sources),
    ...explicitInstances(kernel, source),
  ]);
  const seen = new Set<string>();
  return found
    .filter((instance) => instance.arguments.every((text) => isKnown(text, names)))
    .filter((instance) => {
      const key = instance.arguments.join(", ");
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, mostInstances);
}

function isKnown(text: string, names: ReadonlySet<string>): boolean {
  const rest = text.replace(/[A-Za-z_][\w:]*/g, (name) => (names.has(name) ? "0" : name));
  return plain.test(rest);
}

function launched(
  { kernel, ofOneType }: { readonly kernel: string; readonly ofOneType: boolean },
  source: InstanceSource,
  sources: readonly InstanceSource[],
): readonly TemplateInstance[] {
  return readCuda(source.root).launches.flatMap((launch) => {
    const { kernel: name, templateArguments, range } = launch.site;
    if (name !== kernel) return [];
    const where = `${source.path}:${range.start.line + 1}`;
    if (templateArguments.length === 0)
      return (ofOneType ? dispatched(launch.call) : []).map((type) => ({ arguments: [type], where }));
    const host = { call: launch.call, function: launch.host, constants: launch.names };
    return alternatives(templateArguments, { source, sources, host, depth: 0 }).map((each) => ({
      arguments: each,
      where,
    }));
  });
}

interface Place {
  readonly source: InstanceSource;
  readonly sources: readonly InstanceSource[];
  readonly host: {
    readonly call: SyntaxNode;
    readonly function: SyntaxNode | undefined;
    readonly constants?: CudaLaunch["names"];
  };
  readonly depth: number;
}

/** Every way in which the names of the arguments can be replaced by what they stand for. */
function alternatives(written: readonly string[], place: Place): readonly (readonly string[])[] {
  if (place.depth > mostDepth) return [];
  const name = written
    .flatMap((text) => [...text.matchAll(/(?<![\w:])[A-Za-z_]\w*(?![\w:])/g)].map(([word]) => word))
    .find((word) => !plain.test(word) && meanings(word, place).length > 0);
  if (name === undefined) {
    const passed = hostInstances(place, written);
    return passed ?? [written];
  }
  const pattern = new RegExp(`(?<![\\w:])${name}(?![\\w:])`, "g");
  return meanings(name, place).flatMap((meaning) =>
    alternatives(
      written.map((text) => text.replace(pattern, meaning)),
      { ...place, depth: place.depth + 1 },
    ),
  );
}

/** What a name may stand for at a place: one meaning, or one for each type that is dispatched to. */
function meanings(name: string, { source, sources, host }: Place): readonly string[] {
  const texts = sources.map(({ text }) => text);
  const place = { text: source.text, until: host.call.startIndex };
  const bound = boundByMacros(name, place, dispatchMacros(texts));
  if (bound.length > 0) return bound.flatMap(({ parameter, body }) => aliases(parameter, body));
  const constant = host.constants?.get(name)?.text;
  if (constant !== undefined) return [constant];
  const local = aliases(name, host.function?.text ?? "");
  if (local.length > 0) return local;
  if (name === "scalar_t" || name === "index_t") {
    const types = dispatched(host.call);
    if (types.length > 0) return types;
  }
  return aliases(name, source.text);
}

/** `using name = type;` and `constexpr int name = 3;`, in macros too. */
function aliases(name: string, text: string): readonly string[] {
  const using = new RegExp(`\\busing\\s+${name}\\s*=\\s*(?:typename\\s+)?([^;\\\\]+?)\\s*;`, "g");
  const constant = new RegExp(
    `\\bconst(?:expr)?\\s+(?:const\\s+)?\\w+\\s+${name}\\s*=\\s*([\\w\\s+*()-]+?)\\s*;`,
    "g",
  );
  const typedef = new RegExp(`\\btypedef\\s+([\\w:\\s]+?)\\s+${name}\\s*;`, "g");
  const found = [using, constant, typedef].flatMap((pattern) => [...text.matchAll(pattern)]);
  return [...new Set(found.map((match) => at(match, 1)))].filter((meaning) => meaning !== name);
}

/** The types of the AT_DISPATCH macro around a launch, the most usual first. */
function dispatched(call: SyntaxNode): readonly string[] {
  for (
    let node = enclosing(call, "call_expression");
    node !== undefined;
    node = enclosing(node, "call_expression")
  ) {
    const macro = /^(?:AT|THO|TORCH)_DISPATCH_(\w+)$/.exec(fieldText(node, "function"))?.[1];
    if (macro === undefined) continue;
    const groups = Object.entries(table.groups).filter(([group]) => macro.includes(group));
    const head = at(node.text.slice(0, Math.max(0, call.startIndex - node.startIndex)).split("["), 0);
    const added = [...head.matchAll(/\b(?:k|ScalarType::)(\w+)\b/g)].flatMap((match) => {
      const type = (table.named as Readonly<Record<string, string>>)[at(match, 1)];
      return type === undefined ? [] : [type];
    });
    const half = /_AND_HALF|_HALF_/.test(macro) ? ["at::Half"] : [];
    const types = [...new Set([...groups.flatMap(([, each]) => each), ...half, ...added])];
    // A file's own macro for something else, such as the kind of a reduction, may stand between.
    if (types.length > 0) return types.slice(0, mostInstances);
  }
  return [];
}

/**
 * The arguments when they use parameters of the host template around the launch: one alternative for each
 * call of it. Undefined when they use none.
 */
function hostInstances(place: Place, written: readonly string[]): readonly (readonly string[])[] | undefined {
  const { source, sources, host, depth } = place;
  const template = host.function?.parent;
  const name = host.function
    ?.descendantsOfType("function_declarator")[0]
    ?.childForFieldName("declarator")?.text;
  if (template?.type !== "template_declaration" || name === undefined) return undefined;
  const parameters = [...(template.childForFieldName("parameters")?.namedChildren ?? [])]
    .filter((node) => /parameter_declaration$/.test(node.type))
    .map((node) => /([A-Za-z_]\w*)\s*(?:=[^=]*)?$/.exec(node.text)?.[1] ?? "");
  const words = new Set(written.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []));
  if (!parameters.some((parameter) => words.has(parameter))) return undefined;
  return sources.flatMap((other) =>
    other.root
      .descendantsOfType("template_function")
      .filter((call) => call.childForFieldName("name")?.text === name)
      .flatMap((call) => {
        const given = argumentsOf(call.text);
        const bound = new Map(parameters.map((parameter, index) => [parameter, given[index]]));
        const replaced = written.map((text) =>
          text.replace(/(?<![\w:])[A-Za-z_]\w*(?![\w:])/g, (word) => bound.get(word) ?? word),
        );
        if (other === source && replaced.every((text, index) => text === written[index])) return [];
        const around = { call, function: enclosing(call, "function_definition") };
        return alternatives(replaced, { source: other, sources, host: around, depth: depth + 1 });
      }),
  );
}

/**
 * Those of a source by `template __global__ void k<float, 3>(…)`, written out or by a macro that is used
 * with arguments.
 */
export function explicitInstances(
  kernel: string,
  { path, text }: Pick<InstanceSource, "path" | "text">,
): readonly TemplateInstance[] {
  const instance = new RegExp(
    `\\btemplate\\s+(?:__global__\\s+)?void\\s+(?:__global__\\s+)?[\\w:]*\\b${kernel}\\s*(<[^;(]*>)\\s*\\(`,
    "g",
  );
  const found: TemplateInstance[] = [];
  const joined = text.replace(/\\\r?\n/g, "  ");
  for (const match of joined.matchAll(instance)) {
    const lineStart = joined.lastIndexOf("\n", match.index) + 1;
    const definition = /^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)/.exec(joined.slice(lineStart));
    const written = argumentsOf(at(match, 1));
    if (definition === null) {
      found.push({ arguments: written, where: `${path}:${lineOf(joined, match.index)}` });
      continue;
    }
    const parameters = at(definition, 2)
      .split(",")
      .map((each) => each.trim());
    for (const use of joined.matchAll(
      new RegExp(`^[ \\t]*${at(definition, 1)}[ \\t]*\\(([^()]*)\\)`, "gm"),
    )) {
      const given = at(use, 1)
        .split(",")
        .map((each) => each.trim());
      const bound = new Map(parameters.map((parameter, index) => [parameter, given[index]]));
      const replaced = written.map((each) =>
        each.replace(/[A-Za-z_]\w*/g, (word) => bound.get(word) ?? word),
      );
      found.push({ arguments: replaced, where: `${path}:${lineOf(joined, use.index)}` });
    }
  }
  return found;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** `k<a, b<c, d>>` → `a`, `b<c, d>`. */
function argumentsOf(text: string): readonly string[] {
  const inner = text.slice(text.indexOf("<") + 1, text.lastIndexOf(">"));
  const parts = [""];
  let depth = 0;
  for (const letter of inner) {
    if (letter === "<" || letter === "(") depth += 1;
    if (letter === ">" || letter === ")") depth -= 1;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}
