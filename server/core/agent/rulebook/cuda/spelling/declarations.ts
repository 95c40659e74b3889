import { changes, isAssigned, isPure, localValues } from "../../../../language/cuda/body/scope";
import { mentionIn } from "../../../../language/cuda/body/threads";
import {
  collapse,
  compact,
  enclosing,
  fieldText,
  isInside,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { insertBefore, replaceNode } from "../../edits";
import { type Spelling, staysSame, taken } from "./spelling";

/** `int i; i = …;` and `int i; for (i = 0; …)` with the type where the variable gets its value. */
export const declaredWhereSet: Spelling = ({ body }) => {
  for (const declaration of body.descendantsOfType("declaration")) {
    const declarators = declaration.childrenForFieldName("declarator");
    const block = declaration.parent;
    const type = typeBefore(declaration, declarators[0]);
    if (type === undefined || block?.type !== "compound_statement") continue;
    for (const declarator of declarators) {
      const stars = declarator.type === "pointer_declarator" ? "*" : "";
      const bare = stars === "" ? declarator : declarator.childForFieldName("declarator");
      const heads = bare?.type === "identifier" ? placesOf(block, bare) : undefined;
      if (heads === undefined) continue;
      const others = declarators.filter(({ id }) => id !== declarator.id).map(({ text }) => text);
      const rest =
        others.length === 0
          ? taken(declaration)
          : replaceNode(
              declaration,
              `${type} ${others.join(", ")};${declaration.text.replace(/[^\n]/g, "")}`,
            );
      return [rest, ...heads.map((head) => insertBefore(head, `${type} ${stars}`))];
    }
  }
  return undefined;
};

/** `using Rules = Semiring<T>; … Rules::better(a, b)` as `Semiring<T>::better(a, b)`. */
export const aliasesFollowed: Spelling = ({ body }) => {
  for (const alias of body.descendantsOfType("alias_declaration")) {
    const [name, type] = [fieldText(alias, "name"), alias.childForFieldName("type")];
    const again = body
      .descendantsOfType("alias_declaration")
      .filter((each) => fieldText(each, "name") === name);
    if (name === "" || type === null || again.length > 1) continue;
    const uses = body
      .descendantsOfType(["type_identifier", "namespace_identifier", "identifier"])
      .filter((use) => use.text === name && !isInside(use, alias));
    return [taken(alias), ...uses.map((use) => replaceNode(use, collapse(type.text)))];
  }
  return undefined;
};

/** What stands in front of the first declarator, where it is a plain type. */
function typeBefore(declaration: SyntaxNode, first: SyntaxNode | undefined): string | undefined {
  if (first === undefined) return undefined;
  const text = collapse(declaration.text.slice(0, first.startIndex - declaration.startIndex));
  return /^(?:const )?(?:unsigned |signed )?[A-Za-z_]\w*(?: \w+)?$/.test(text) ? text : undefined;
}

/** The assignments that give the variable its value for all of its uses; undefined where one is left over. */
function placesOf(block: SyntaxNode, bare: SyntaxNode): readonly SyntaxNode[] | undefined {
  const uses = usesOf(block, bare.text).filter(({ id }) => id !== bare.id);
  const [first] = uses;
  const heads = uses.flatMap((use) => headOf(use) ?? []);
  const covered = (use: SyntaxNode): boolean =>
    heads.some((head) => head.parent !== null && isInside(use, head.parent));
  if (heads.length > 0 && uses.every(covered)) return outermost(heads);
  const statement = first?.parent?.parent;
  const sets = first?.parent && isPlainAssignment(first.parent, first);
  const around = statement?.parent;
  const here =
    statement?.type === "expression_statement" &&
    around?.type === "compound_statement" &&
    uses.every((use) => isInside(use, around));
  const again = changes(block).filter(({ target }) => target.text === bare.text);
  return sets === true && here && again.length >= 1 ? [statement] : undefined;
}

/** The initializer of a loop that sets the variable. */
function headOf(use: SyntaxNode): SyntaxNode | undefined {
  const head = use.parent;
  const loop = head?.parent;
  if (!head || loop?.type !== "for_statement" || loop.childForFieldName("initializer")?.id !== head.id)
    return undefined;
  return isPlainAssignment(head, use) ? head : undefined;
}

function isPlainAssignment(node: SyntaxNode, target: SyntaxNode): boolean {
  return (
    node.type === "assignment_expression" &&
    node.childForFieldName("operator")?.text === "=" &&
    node.childForFieldName("left")?.id === target.id &&
    partsOf(node).length === 2 &&
    usesOf(node, target.text).length === 1
  );
}

/** A loop inside of another one with the same variable has no head of its own. */
function outermost(heads: readonly SyntaxNode[]): readonly SyntaxNode[] | undefined {
  const nested = heads.some((head) => {
    const around = head.parent && enclosing(head.parent, "for_statement");
    return around && heads.some((other) => other.parent?.id === around.id);
  });
  return nested ? undefined : heads;
}

/** `int i = y * width + x; … out[i]` as `out[y * width + x]`, where it serves nothing but subscripts. */
export const indicesFollowed: Spelling = ({ body }) => {
  for (const { name, value, declaration } of localValues(body)) {
    const block = declaration.parent;
    const alone = declaration.childrenForFieldName("declarator").length === 1;
    if (block?.type !== "compound_statement" || !alone || !isSum(value)) continue;
    if (isAssigned(body, name) || !staysSame(value, body, () => false)) continue;
    const all = usesOf(body, name).filter((use) => !isInside(use, declaration));
    const inside = all.every((use) => isInside(use, block) && subscriptAround(use) !== undefined);
    if (all.length === 0 || !inside) continue;
    const text = collapse(value.text);
    return [
      taken(declaration),
      ...all.map((use) => replaceNode(use, subscriptAround(use)?.id === use.parent?.id ? text : `(${text})`)),
    ];
  }
  return undefined;
};

/** A sum with a product in it, of numbers that are at hand. */
function isSum(value: SyntaxNode): boolean {
  const loads = value.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0;
  const terms = operands(value, "+");
  const own = value.descendantsOfType("identifier").some(({ text }) => /^(threadIdx|blockIdx)$/.test(text));
  return (
    isPure(value) &&
    !loads &&
    !own &&
    terms.length > 1 &&
    terms.some((term) => operands(term, "*").length > 1)
  );
}

function subscriptAround(use: SyntaxNode): SyntaxNode | undefined {
  return enclosing(use, "subscript_argument_list");
}

const place = /^(?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz]$/;

/** `const unsigned lane = threadIdx.x;` as `threadIdx.x` wherever the name stands. */
export const indicesWritten: Spelling = ({ body }) => {
  const locals = localValues(body);
  for (const { name, value, declaration } of locals) {
    const text = compact(unwrapped(value));
    const only = declaration.childrenForFieldName("declarator").length === 1;
    const once = locals.filter((other) => other.name === name).length === 1;
    if (!place.test(text) || !only || !once || isAssigned(body, name)) continue;
    if (declaration.parent?.type !== "compound_statement") continue;
    const uses = usesOf(body, name).filter(({ startIndex }) => startIndex > declaration.endIndex);
    // Of a signed name differences may be below zero.
    const signed = !/\bunsigned\b|\b(?:uint(?:8|16|32|64)|size)_t\b|\buint\b|\bu32\b|\bauto\b/.test(
      fieldText(declaration, "type"),
    );
    const written = signed ? `(int)${text}` : text;
    return [taken(declaration), ...uses.map((use) => replaceNode(use, written))];
  }
  return undefined;
};

/**
 * `extern __shared__ float own[];` of the file as a declaration of the kernel as well, where no function
 * beside kernels knows it.
 */
export const externArrays: Spelling = ({ body, model }) => {
  const [first] = partsOf(body);
  for (const declaration of model.root.descendantsOfType("declaration")) {
    const name = externName(declaration);
    if (first === undefined || name === undefined || usesOf(body, name).length === 0) continue;
    const isOwn = body.descendantsOfType("declaration").some((node) => externName(node) === name);
    const kernels = model.kernels.map((kernel) => kernel.body);
    const beside = model.root
      .descendantsOfType("function_definition")
      .filter((node) => !kernels.some(({ parent }) => parent?.id === node.id))
      .some((node) => mentionIn(node, new RegExp(`\\b${name}\\b`)) !== undefined);
    if (isOwn || beside || enclosing(declaration, "function_definition") !== undefined) continue;
    return [insertBefore(first, `${declaration.text.replace(/\s+/g, " ")} `)];
  }
  return undefined;
};

/** The name in `extern __shared__ T name[];`. */
function externName(declaration: SyntaxNode): string | undefined {
  const words = declaration.children.map(({ text }) => text);
  const [declarator, ...others] = declaration.childrenForFieldName("declarator");
  if (!words.includes("extern") || !words.includes("__shared__") || others.length > 0) return undefined;
  return declarator?.descendantsOfType("identifier")[0]?.text;
}
