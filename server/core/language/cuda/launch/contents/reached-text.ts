import { fieldText } from "../../../query";
import type { SyntaxNode } from "../../../tree";
import { outerNodes, type PlacedNode } from "../../definitions";
import { functionDeclarator, lastName } from "../../kernels";

/**
 * A code and the functions, methods and macros of the texts that it may reach, as one text: by words alone.
 */
export function reachedText(code: string, roots: readonly SyntaxNode[]): string {
  const units = [...new Set(roots)].flatMap((root) => outerNodes(root).flatMap(unitOf));
  const texts = [code];
  const reached = new Set<Unit>();
  for (let next = 0; next < texts.length; next += 1) {
    const words = new Set(texts[next]?.match(/[A-Za-z_]\w*/g));
    for (const unit of units) {
      if (reached.has(unit) || !words.has(unit.name)) continue;
      reached.add(unit);
      texts.push(unit.text);
    }
  }
  return texts.join("\n");
}

interface Unit {
  readonly name: string;
  readonly text: string;
}

function unitOf({ node }: PlacedNode): readonly Unit[] {
  if (node.type === "preproc_function_def" || node.type === "preproc_def")
    return [{ name: fieldText(node, "name"), text: fieldText(node, "value") }];
  if (node.type !== "function_definition") return [];
  const named = functionDeclarator(node)?.childForFieldName("declarator");
  const name = named ? lastName(named) : undefined;
  return name === undefined ? [] : [{ name, text: node.text }];
}
