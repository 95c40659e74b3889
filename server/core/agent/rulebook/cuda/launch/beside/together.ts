import { statementsOf } from "../../../../../language/cuda/body/loops";
import { warpLevelUse } from "../../../../../language/cuda/body/threads";
import { compact, enclosing, fieldText, isInside, partsOf, unwrapped } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { replaceNode, type TextEdit } from "../../../edits";
import { not, type RuleHold } from "../../../rule";
import type { KernelView } from "../../kernel";

export function isBarrier(call: SyntaxNode): boolean {
  return fieldText(call, "function") === "__syncthreads";
}

/**
 * Nothing to change where barriers are all that the threads do together, and all columns come to them alike;
 * a guard's answer elsewhere.
 */
export function barriersHeld(
  { body, model, kernel }: KernelView,
  isCut: boolean,
): readonly TextEdit[] | RuleHold {
  const warp = isCut ? undefined : warpLevelUse(model, kernel);
  if (warp !== undefined)
    return not("cooperation", `${warp.text} depends on which threads share a warp`, warp.line);
  const barriers = body.descendantsOfType("call_expression").filter(isBarrier);
  if (barriers.length === 0) return [];
  const [leaves] = body.descendantsOfType("return_statement");
  if (leaves !== undefined) return not("cooperation", "a column may end before a barrier", leaves);
  const differs = variesWithColumn(body);
  const uneven = barriers.find((call) => conditionsAround(call, body).some(differs));
  return uneven === undefined
    ? []
    : not("cooperation", "columns may come to a barrier differently often", uneven);
}

/** Conditions of loops and branches that a node stands in. */
function conditionsAround(node: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] {
  const kinds = ["for_statement", "while_statement", "do_statement", "if_statement"];
  const found: SyntaxNode[] = [];
  for (
    let at = enclosing(node, ...kinds);
    at !== undefined && isInside(at, body);
    at = enclosing(at, ...kinds)
  ) {
    const condition = at.childForFieldName("condition");
    if (condition !== null) found.push(condition);
  }
  return found;
}

/** Tells of an expression whether blocks may see different values: of their number, or of what they load. */
function variesWithColumn(body: SyntaxNode): (node: SyntaxNode) => boolean {
  const varying = new Set<string>();
  const varies = (node: SyntaxNode): boolean =>
    /\bblockIdx\b|\[|\*\s*[A-Za-z_]\w*\s*[;)]/.test(node.text) ||
    node.descendantsOfType("identifier").some(({ text }) => varying.has(text));
  const made = body.descendantsOfType(["init_declarator", "assignment_expression"]).flatMap((node) => {
    const target = node.childForFieldName("declarator") ?? node.childForFieldName("left");
    const value = node.childForFieldName("value") ?? node.childForFieldName("right");
    const name = target?.descendantsOfType("identifier")[0]?.text ?? target?.text;
    return name === undefined || value === null ? [] : [{ name, value }];
  });
  for (let before = -1; before !== varying.size;) {
    before = varying.size;
    for (const { name, value } of made) if (varies(value)) varying.add(name);
  }
  return varies;
}

/**
 * What threads of a block do together comes to nothing where there is one of them: barriers and loops of
 * shuffles go, and a value that one lane hands to all is the thread's own.
 */
export function warpSteps({ body }: KernelView): readonly TextEdit[] | RuleHold {
  const edits: TextEdit[] = [];
  for (const call of body.descendantsOfType("call_expression")) {
    const name = compact(call.childForFieldName("function"));
    if (isBarrier(call) || name === "__syncwarp") {
      edits.push(replaceNode(call, ""));
      continue;
    }
    if (!/^(?:__shfl|__ballot|__any|__all|__reduce|__match|__activemask|cg::|cooperative_groups)/.test(name))
      continue;
    const loop = enclosing(call, "for_statement");
    if (loop !== undefined && isShuffleLoop(loop)) {
      if (!edits.some(({ start }) => start === loop.startIndex)) edits.push(replaceNode(loop, ";"));
      continue;
    }
    const [, value] = partsOf(call.childForFieldName("arguments"));
    if (!/^__shfl_sync$/.test(name) || value === undefined)
      return not("cooperation", `${name} depends on which threads share a warp`, call);
    edits.push({ start: call.startIndex, end: value.startIndex, text: "(" });
    edits.push({ start: value.endIndex, end: call.endIndex, text: ")" });
  }
  return edits;
}

/** `for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(mask, v, o);`: nothing but such statements. */
function isShuffleLoop(loop: SyntaxNode): boolean {
  return statementsOf(loop.childForFieldName("body")).every((statement) => {
    const act = statement.type === "expression_statement" ? statement.namedChildren[0] : undefined;
    const right = act?.childForFieldName("right");
    const target = compact(act?.childForFieldName("left"));
    if (act?.type !== "assignment_expression" || !right) return false;
    const calls = unwrapped(right).type === "call_expression" ? [unwrapped(right)] : [];
    const shuffles = right
      .descendantsOfType("call_expression")
      .filter((call) => /^__shfl_(?:down|xor|up)_sync$/.test(compact(call.childForFieldName("function"))));
    const own = [...shuffles, ...calls].some(
      (call) => compact(partsOf(call.childForFieldName("arguments"))[1]) === target,
    );
    return own && shuffles.length === 1;
  });
}

/** Arrays and values of shared memory are told by their declarations. */
export function sharedDeclarations(body: SyntaxNode): readonly SyntaxNode[] {
  return body
    .descendantsOfType("declaration")
    .filter((node) => node.children.some(({ text }) => text === "__shared__"));
}
