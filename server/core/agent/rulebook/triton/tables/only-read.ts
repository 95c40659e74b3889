import { compact, enclosing, fieldText, isInside, partsOf, usesOf } from "../../../../language/query";
import type { TritonModel } from "../../../../language/triton/model";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";

/** Functions that a tensor is followed through at most. */
const DEPTH = 4;

/**
 * True where all that is done with a tensor behind a place of a function is that kernels load from it, its
 * sizes are asked, and functions of the file do the same.
 */
export function isOnlyRead(
  model: TritonModel,
  { scope, name, behind }: { readonly scope: SyntaxNode; readonly name: string; readonly behind: number },
  depth = 0,
): boolean {
  const uses = usesOf(scope, name).filter(({ startIndex }) => startIndex >= behind);
  return depth < DEPTH && uses.every((use) => isRead(model, use, depth));
}

function isRead(model: TritonModel, use: SyntaxNode, depth: number): boolean {
  const named = use.parent?.type === "keyword_argument" ? use.parent : undefined;
  if (named?.childForFieldName("name")?.id === use.id || asksSize(use)) return true;
  const launch = model.launches.find(({ call }) => isInside(use, call) && isArgument(call, use));
  if (launch !== undefined) return isLoadedBy(model, launch, use);
  const list = named === undefined ? use.parent : named.parent;
  const call = list?.type === "argument_list" ? list.parent : null;
  return call !== null && isReadBy(model, call, use, depth);
}

/** True where the kernel that is launched with a tensor only loads from it. */
function isLoadedBy(model: TritonModel, launch: TritonModel["launches"][number], use: SyntaxNode): boolean {
  const kernel = model.kernels.find(({ facts }) => facts.name === launch.site.kernel);
  const place = launch.positional.findIndex((node) => isInside(use, node));
  const named = [...launch.keywords].find(([, node]) => isInside(use, node))?.[0];
  const parameter = named ?? kernel?.facts.parameters[place]?.name;
  return kernel !== undefined && parameter !== undefined && isOnlyLoaded(kernel.body, parameter);
}

function isArgument(call: SyntaxNode, use: SyntaxNode): boolean {
  const list = call.childForFieldName("arguments");
  return list !== null && isInside(use, list);
}

/** `x.shape`, `x.stride(0)`. */
function asksSize({ parent }: SyntaxNode): boolean {
  const name = parent?.type === "attribute" ? fieldText(parent, "attribute") : "";
  return /^(?:shape|stride|size|numel|device|dtype|ndim|dim|is_contiguous)$/.test(name);
}

/** True where the function of the file that is called only reads what it is handed. */
function isReadBy(model: TritonModel, call: SyntaxNode, use: SyntaxNode, depth: number): boolean {
  const callee = compact(call.childForFieldName("function")).replace(/^self\./, "");
  const definition = model.root
    .descendantsOfType("function_definition")
    .find((each) => fieldText(each, "name") === callee);
  const body = definition?.childForFieldName("body");
  const list = call.childForFieldName("arguments");
  if (!definition || !body || !list) return false;
  const parameters = partsOf(definition.childForFieldName("parameters")).map(parameterName);
  const own = parameters[0] === "self" ? parameters.slice(1) : parameters;
  const place = partsOf(list).findIndex((node) => isInside(use, node));
  const keyword = enclosing(use, "keyword_argument", "argument_list");
  const name = keyword?.type === "keyword_argument" ? fieldText(keyword, "name") : own[place];
  return name !== undefined && isOnlyRead(model, { scope: body, name, behind: body.startIndex }, depth + 1);
}

/** True where nothing is stored to a parameter, nor to a pointer that is made of it. */
function isOnlyLoaded(body: SyntaxNode, parameter: string): boolean {
  const names = new Set([parameter]);
  for (let before = 0; before !== names.size;) {
    before = names.size;
    for (const act of body.descendantsOfType(["assignment", "augmented_assignment"])) {
      const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
      const holds = right?.descendantsOfType("identifier").some(({ text }) => names.has(text)) === true;
      const loads = /\bload\(/.test(right?.text ?? "");
      if (left?.type === "identifier" && holds && !loads) names.add(left.text);
    }
  }
  return body.descendantsOfType("call").every((call) => {
    const name = compact(call.childForFieldName("function"));
    const [address] = partsOf(call.childForFieldName("arguments"));
    const writes = /(?:^|\.)(?:store|atomic_\w+)$/.test(name) || !name.includes(".");
    return !writes || !address?.descendantsOfType("identifier").some(({ text }) => names.has(text));
  });
}
