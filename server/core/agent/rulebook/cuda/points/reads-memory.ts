import { declaredName } from "../../../../language/cuda/body/threads";
import { compact, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/** True when evaluating an expression loads from memory or calls a function; taking an address does not. */
export function readsMemory(statement: SyntaxNode): boolean {
  const loads = statement.descendantsOfType(["subscript_expression", "pointer_expression"]).some((node) => {
    const address = node.type === "pointer_expression" && node.text.startsWith("&");
    const reference = node.parent?.type === "init_declarator";
    return !address && (reference || node.parent?.text.startsWith("&") !== true);
  });
  const calls = statement
    .descendantsOfType("call_expression")
    .some(
      (call) =>
        !/^(?:f?minf?|f?maxf?|f?absf?|static_cast<[\w ]+>|__u?mul24|size_t|int|float|half|__[a-z]+(?:16)?2[a-z]+(?:16)?(?:_r[nzud])?)$/.test(
          compact(call.childForFieldName("function")),
        ) && !isConversion(call),
    );
  return loads || calls;
}

/** `T(0)`, `Rules<T>::none()`: a value that is the same wherever it is asked for. */
export function isConversion(call: SyntaxNode): boolean {
  const plain = /^(?:[A-Z]\w*|\w+_t|double|__half)\([-\w.]+\)$/.test(compact(call));
  return (plain && /\(-?[\d.]/.test(compact(call))) || isFixed(call);
}

/** Functions of the machine that give each thread or each moment another value. */
const own = /clock|timer|mask|sync|ballot|rand|printf|atomic|shfl|lane|warp|rank|this_|malloc/i;

/** What a function looks at, or does, beside making a number of its parameters. */
const hidden = /\b(?:threadIdx|blockIdx|__shared__|asm|volatile)\b|\batomic|\bclock|__\w*sync/;

/** True for a call with numbers alone, or with nothing, of a function that looks at nothing else. */
function isFixed(call: SyntaxNode): boolean {
  const callee = call.type === "call_expression" ? compact(call.childForFieldName("function")) : "";
  const given = partsOf(call.childForFieldName("arguments"));
  const fixed = given.every((part) => /^-?(?:\d[\w.]*|\.\d\w*)$/.test(compact(part)));
  if (!/^[\w:<>,]+$/.test(callee) || !fixed || own.test(callee)) return false;
  const name =
    callee
      .replace(/<[^:]*>$/, "")
      .split("::")
      .at(-1) ?? callee;
  let root = call;
  while (root.parent !== null) root = root.parent;
  return root
    .descendantsOfType("function_definition")
    .filter((node) => declaredName(node) === name)
    .every((node) => !hidden.test(node.text));
}
