import { compact } from "../../../../language/query";
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

/** `T(0)`: a literal as a value of a type. */
export function isConversion(call: SyntaxNode): boolean {
  return (
    /^(?:[A-Z]\w*|\w+_t|double|__half)\([-\w.]+\)$/.test(compact(call)) && /\(-?[\d.]/.test(compact(call))
  );
}
