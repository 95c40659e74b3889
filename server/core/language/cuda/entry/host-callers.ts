import type { ParameterFacts } from "../../facts";
import { collapse, fieldText } from "../../query";
import type { SyntaxNode } from "../../tree";
import { outerNodes, type PlacedNode } from "../definitions";
import { functionDeclarator, lastName, parametersOf } from "../kernels";

/** A host function through which a kernel is launched. */
export interface Launcher {
  readonly file: string;
  readonly placed: PlacedNode;
  readonly parameters: readonly ParameterFacts[];
  /** With its namespaces: `nn::run`. */
  readonly name: string;
  /** 0 launches the kernel itself, 1 calls what does, and so on. */
  readonly distance: number;
}

/** What can lead to a launch: a function, a method or a macro, and the words in it. */
interface Unit {
  readonly file: string;
  readonly name: string;
  readonly words: ReadonlySet<string>;
  readonly placed: PlacedNode;
  /** Of a definition. */
  readonly declarator?: SyntaxNode;
}

const farthest = 6;

/**
 * Host functions that can be called by their name and lead to a launch of the kernel, be it over other
 * functions, methods and macros: the nearest first. By words alone: whether a call launches the kernel, only
 * a run says. `files`: roots of the parsed files by their paths.
 */
export function launchersOf(files: ReadonlyMap<string, SyntaxNode>, kernel: string): readonly Launcher[] {
  const units = [...files].flatMap(([file, root]) =>
    outerNodes(root).flatMap((placed) => unitOf(file, placed)),
  );
  const found: Launcher[] = [];
  const seen = new Set<Unit>(units.filter(({ name }) => name === kernel));
  let names = new Set([kernel]);
  for (let distance = 0; distance < farthest && names.size > 0; distance += 1) {
    const level = units.filter((unit) => !seen.has(unit) && [...names].some((name) => unit.words.has(name)));
    for (const unit of level) seen.add(unit);
    found.push(...level.flatMap((unit) => launcherOf(unit, distance)));
    names = new Set(level.map(({ name }) => name));
  }
  return found;
}

function unitOf(file: string, placed: PlacedNode): readonly Unit[] {
  const { node } = placed;
  const words = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z_]\w*/g));
  if (node.type === "preproc_function_def" || node.type === "preproc_def") {
    const name = fieldText(node, "name");
    return [{ file, name, words: words(fieldText(node, "value")), placed }];
  }
  if (node.type !== "function_definition") return [];
  const declarator = functionDeclarator(node);
  const named = declarator?.childForFieldName("declarator");
  if (declarator === undefined || !named) return [];
  const body = collapse(node.text.slice(declarator.endIndex - node.startIndex));
  return [{ file, name: lastName(named), words: words(body), placed, declarator }];
}

/** Functions that code outside of classes can call, `main` excepted. */
function launcherOf({ file, name, placed, declarator }: Unit, distance: number): readonly Launcher[] {
  const { node, scopes } = placed;
  const isDevice = node.children.some(({ type }) => type === "__global__" || type === "__device__");
  if (declarator === undefined || isDevice || name === "main") return [];
  const isQualified = declarator.childForFieldName("declarator")?.type !== "identifier";
  if (isQualified || isMethod(node)) return [];
  return [
    { file, placed, parameters: parametersOf(declarator), name: [...scopes, name].join("::"), distance },
  ];
}

function isMethod(node: SyntaxNode): boolean {
  for (let around = node.parent; around !== null; around = around.parent)
    if (around.type === "class_specifier" || around.type === "struct_specifier") return true;
  return false;
}
