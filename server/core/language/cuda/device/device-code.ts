import { at } from "../../../base/known";
import type { KernelFacts } from "../../facts";
import type { Grammars, SyntaxTree } from "../../tree";
import { readCuda } from "../model";
import { prepareText } from "../prepare";
import { deviceText } from "./device-text";
import { codeMacros, hostMacros, withoutHostMacros } from "./host-macros";
import { type InstanceSource, type TemplateInstance, templateInstances } from "./instances";
import { usualInstance } from "./usual-instance";

/** Texts by path. */
type Texts = Readonly<Record<string, string>>;

/** A kernel template of a file and the instances that sources make of it. */
interface InstantiatedKernel {
  /** With its namespaces. */
  readonly kernel: string;
  readonly instances: readonly TemplateInstance[];
}

/**
 * The texts with their host code blanked, and the instances of their kernel templates: what the host code
 * had instantiated.
 */
export function deviceCode(
  grammars: Grammars,
  texts: Texts,
): { readonly files: Texts; readonly instances: readonly string[] } {
  return withSources(grammars, texts, (sources) => {
    const found = instancesOf(sources, sources);
    const macros = { host: hostMacros(Object.values(texts)), code: codeMacros(Object.values(texts)) };
    return {
      files: Object.fromEntries(
        sources.map((source) => [source.path, withoutHostCode(grammars, source, macros)]),
      ),
      instances: found.flatMap(({ kernel, instances }) =>
        instances.map((instance) => `${kernel}<${instance.arguments.join(", ")}>`),
      ),
    };
  });
}

/** Parsed anew where macros stand in the way. */
function withoutHostCode(
  grammars: Grammars,
  { root, text }: InstanceSource,
  macros: { readonly host: ReadonlySet<string>; readonly code: readonly string[] },
): string {
  const plain = withoutHostMacros(text, macros.host);
  if (plain === text) return deviceText(root, text, macros.code);
  const tree = grammars.cuda.parse(prepareText(plain));
  try {
    return deviceText(tree.root, plain, macros.code);
  } finally {
    tree.dispose();
  }
}

/** The kernel templates of texts, and what these and other texts instantiate of them. */
export function kernelInstances(
  grammars: Grammars,
  own: Texts,
  others: Texts,
): readonly InstantiatedKernel[] {
  return withSources(grammars, { ...others, ...own }, (sources) =>
    instancesOf(
      sources.filter(({ path }) => own[path] !== undefined),
      sources,
    ),
  );
}

/** Names of kernels of a text that are templates. */
export function kernelTemplates(grammars: Grammars, text: string): readonly string[] {
  return withSources(grammars, { text }, ([source]) =>
    source === undefined ? [] : templatesOf(source).map(({ facts }) => facts.name),
  );
}

function templatesOf({ root }: InstanceSource) {
  return readCuda(root).kernels.filter(({ facts }) => facts.templateParameters.length > 0);
}

function instancesOf(
  own: readonly InstanceSource[],
  sources: readonly InstanceSource[],
): readonly InstantiatedKernel[] {
  const names = new Set(own.flatMap(({ text }) => definedNames(text)));
  return own.flatMap((source) =>
    templatesOf(source).map(({ facts }) => {
      const { name: kernel, templateParameters: parameters } = facts;
      const ofOneType = parameters.length === 1 && parameters[0]?.kind === "type";
      const made = templateInstances({ kernel, ofOneType }, sources, names);
      const isOpen = made.length === 0 && (!hasNumber(facts) || !isLaunchedWith(kernel, sources));
      const usual = isOpen ? usualInstance(facts, source) : undefined;
      const instances = usual === undefined ? made : [{ arguments: usual, where: source.path }];
      return { kernel: facts.qualifiedName, instances };
    }),
  );
}

function hasNumber({ templateParameters }: KernelFacts): boolean {
  return templateParameters.some(({ kind, text }) => kind === "value" && !text.includes("="));
}

/** Whether a launch outside of templates says the template's arguments, which nobody could follow. */
function isLaunchedWith(kernel: string, sources: readonly InstanceSource[]): boolean {
  return sources.some(({ root }) =>
    readCuda(root).launches.some(
      ({ site, host }) => site.kernel === kernel && host?.parent?.type !== "template_declaration",
    ),
  );
}

/** Names of types and constants that a text defines. */
function definedNames(whole: string): readonly string[] {
  // Inside of a macro a name has its meaning where the macro is used.
  const text = whole.replace(/^([ \t]*#[ \t]*define[ \t]+\w+)\(.*(?:\\\r?\n.*)*/gm, "$1");
  const types =
    /\b(?:struct|class|enum(?:\s+class)?|union|using)\s+(?:__align__\(\d+\)\s+|alignas\([^)]*\)\s+)?(\w+)/g;
  const constants = /\b(?:constexpr|const|define|typedef)\s+(?:[\w:]+\s+)*?(\w+)\s*(?:=|;|\s\S)/g;
  return [types, constants].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => at(match, 1)));
}

function withSources<Result>(
  grammars: Grammars,
  texts: Texts,
  ask: (sources: readonly InstanceSource[]) => Result,
): Result {
  const trees: SyntaxTree[] = [];
  try {
    const sources = Object.entries(texts).map(([path, text]) => {
      const tree = grammars.cuda.parse(prepareText(text));
      trees.push(tree);
      return { path, text, root: tree.root };
    });
    return ask(sources);
  } finally {
    for (const tree of trees) tree.dispose();
  }
}
