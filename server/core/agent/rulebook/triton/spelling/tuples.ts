import { partsOf, usesOf } from "../../../../language/query";
import type { TritonModel } from "../../../../language/triton/model";
import type { SyntaxNode } from "../../../../language/tree";
import { indentOf, replaceNode, type TextEdit } from "../../edits";

/**
 * The edits that write `row, column = tl.program_id(0), tl.program_id(1)` as two assignments, in the kernel
 * and in the functions that launch it. Undefined where there is no such assignment.
 */
export function tuplesWrittenOut(
  model: TritonModel,
  kernel: string,
  source: string,
): readonly TextEdit[] | undefined {
  const own = model.kernels.filter(({ facts }) => facts.name === kernel).map(({ body }) => body);
  const hosts = model.launches.flatMap(({ site, host }) => (site.kernel === kernel ? (host ?? []) : []));
  const scopes = new Map([...own, ...hosts].map((node) => [node.id, node]));
  const edits = [...scopes.values()].flatMap((scope) => assignmentsIn(scope, source));
  return edits.length === 0 ? undefined : edits;
}

function assignmentsIn(scope: SyntaxNode, source: string): readonly TextEdit[] {
  return scope.descendantsOfType("assignment").flatMap((act) => {
    const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
    const targets = left && /^(?:pattern_list|tuple_pattern)$/.test(left.type) ? partsOf(left) : [];
    const values = right && /^(?:expression_list|tuple)$/.test(right.type) ? partsOf(right) : [];
    const statement = act.parent?.type === "expression_statement" ? act.parent : undefined;
    const alone = statement?.parent?.type === "block" && statement.text === act.text;
    if (!alone || targets.length === 0 || targets.length !== values.length) return [];
    if (!areApart(targets, values)) return [];
    const lines = targets.map((target, place) => `${target.text} = ${values[place]?.text ?? ""}`);
    return [replaceNode(act, lines.join(`\n${indentOf(source, act)}`))];
  });
}

/** True for plain names, none of which a later value reads. */
function areApart(targets: readonly SyntaxNode[], values: readonly SyntaxNode[]): boolean {
  return targets.every(
    ({ type, text }, place) =>
      type === "identifier" && values.slice(place + 1).every((value) => usesOf(value, text).length === 0),
  );
}
