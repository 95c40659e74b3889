import { changes } from "../../../../language/cuda/body/scope";
import { calledFunctions, cooperationIn, declaredName } from "../../../../language/cuda/body/threads";
import { compact, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { countsOf } from "../../evidence";
import type { RuleInput } from "../../rule";
import type { KernelView } from "../kernel";

/** What a statement does to the variables around it. */
export interface StatementEffects {
  /** Names that it declares or may change. */
  readonly sets: ReadonlySet<string>;
  readonly reads: ReadonlySet<string>;
  /** True where it does more: stores to memory, waits for other threads, or leaves what it stands in. */
  readonly acts: boolean;
}

const leaving = ["return_statement", "goto_statement", "break_statement", "continue_statement"];
const loops = ["for_statement", "while_statement", "do_statement", "switch_statement"];
const outer =
  /\b(?:atomic\w+|printf|assert|clock\w*|curand\w*|__trap|__nanosleep|asm)\b|__(?:sync|shfl|ballot)/;

/** What a statement of the kernel sets, reads and does. */
export function effectsOf(view: KernelView, statement: SyntaxNode): StatementEffects {
  const { model, kernel } = view;
  const declared = statement
    .descendantsOfType("declaration")
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []);
  const locals = localNames(view);
  const targets = changedPlaces(view, statement);
  const bases = targets.map((target) => target.descendantsOfType("identifier")[0]?.text ?? "");
  const stores = targets.some((target, place) => !locals.has(bases[place] ?? "") || isFollowed(target));
  const functions = calledFunctions(model, kernel, [statement]);
  const acts =
    stores ||
    outer.test(statement.text) ||
    cooperationIn(model, kernel, [statement]) !== undefined ||
    functions.some((definition) => outer.test(definition.text) || storesOutside(definition)) ||
    statement.descendantsOfType(leaving).some((node) => isLeft(node, statement));
  return {
    sets: new Set([...declared, ...bases]),
    reads: new Set(statement.descendantsOfType("identifier").map(({ text }) => text)),
    acts,
  };
}

/** What a statement stores to, counts up or hands over as something that may be changed. */
export function changedPlaces(view: KernelView, statement: SyntaxNode): readonly SyntaxNode[] {
  return [...changes(statement).map(({ target }) => target), ...handedOver(view, statement)];
}

/** Variables and arrays of the thread's own; what points elsewhere is none. */
function localNames({ body }: KernelView): ReadonlySet<string> {
  const own = body
    .descendantsOfType("declaration")
    .filter((node) => !node.children.some(({ text }) => /^(?:__shared__|static|extern)$/.test(text)))
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .filter((node) => {
      const inner = node.type === "init_declarator" ? node.childForFieldName("declarator") : node;
      return inner?.type === "identifier" || inner?.type === "array_declarator";
    });
  return new Set(own.flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []));
}

/** True for `p->member` and `*p`: what is changed lies elsewhere. */
function isFollowed(target: SyntaxNode): boolean {
  return target.text.includes("->") || target.descendantsOfType("pointer_expression").length > 0;
}

/** Arguments that functions of the file take as something they may change. */
function handedOver({ model }: KernelView, statement: SyntaxNode): readonly SyntaxNode[] {
  const definitions = model.root.descendantsOfType("function_definition");
  return statement.descendantsOfType("call_expression").flatMap((call) => {
    const name = compact(call.childForFieldName("function"))
      .split("<")[0]
      ?.split(/::|\.|->/)
      .at(-1);
    const called = definitions.filter((node) => declaredName(node) === name);
    return partsOf(call.childForFieldName("arguments")).filter((_, place) =>
      called.some((definition) => {
        const parameter = partsOf(definition.descendantsOfType("parameter_list")[0])[place]?.text ?? "";
        return /[&*[]/.test(parameter) && !/\bconst\b/.test(parameter);
      }),
    );
  });
}

/** True for a function that changes what is neither its own nor handed over to it. */
function storesOutside(definition: SyntaxNode): boolean {
  const own = new Set(
    definition
      .descendantsOfType(["declaration", "parameter_declaration"])
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  );
  return changes(definition).some(
    ({ target }) => !own.has(target.descendantsOfType("identifier")[0]?.text ?? ""),
  );
}

/** True where what leaves goes beyond the statement. */
function isLeft(node: SyntaxNode, statement: SyntaxNode): boolean {
  if (node.type === "return_statement" || node.type === "goto_statement") return true;
  for (let { parent } = node; parent !== null && isInside(parent, statement); { parent } = parent)
    if (loops.includes(parent.type)) return false;
  return true;
}

/** Instructions of statements, and of the functions that nothing else of the kernel calls. */
export function workIn(
  input: RuleInput,
  { model, kernel, body }: KernelView,
  work: readonly SyntaxNode[],
): number {
  const others = body
    .descendantsOfType("call_expression")
    .filter((call) => !work.some((statement) => isInside(call, statement)));
  const shared = new Set(calledFunctions(model, kernel, others).map(({ id }) => id));
  const called = calledFunctions(model, kernel, work).filter(({ id }) => !shared.has(id));
  return [...work, ...called].reduce((sum, node) => sum + countsOf(input, node).instructions, 0);
}
