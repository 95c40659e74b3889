import type { RuleNode } from "../rule";

/**
 * Names of local variables whose value may differ between threads of different `threadIdx.AXIS`: assigned,
 * anywhere in the body, from an expression that reads the axis or another such name. Flow is ignored, which
 * errs on the side of "may differ".
 */
export function variesWithThread(body: RuleNode, axis: "x" | "y" | "z"): (node: RuleNode) => boolean {
  const reads = new RegExp(`\\bthreadIdx\\s*\\.\\s*${axis}\\b`);
  const varying = new Set<string>();
  const varies = (node: RuleNode): boolean =>
    reads.test(node.text) || node.descendantsOfType("identifier").some((name) => varying.has(name.text));
  const assignments = body.descendantsOfType(["init_declarator", "assignment_expression"]);
  for (let before = -1; before !== varying.size;) {
    before = varying.size;
    for (const node of assignments) {
      const target = node.childForFieldName(node.type === "init_declarator" ? "declarator" : "left");
      const value = node.childForFieldName(node.type === "init_declarator" ? "value" : "right");
      const name = target?.descendantsOfType("identifier")[0]?.text;
      if (name !== undefined && target?.type !== "subscript_expression" && value !== null && varies(value))
        varying.add(name);
    }
  }
  return varies;
}

/** True when the variable is assigned, incremented or has its address taken inside the node. */
export function isAssigned(node: RuleNode, name: string): boolean {
  return node
    .descendantsOfType(["assignment_expression", "update_expression", "pointer_expression"])
    .some((act) => {
      const target =
        act.type === "assignment_expression"
          ? act.childForFieldName("left")
          : act.childForFieldName("argument");
      if (act.type === "pointer_expression" && !act.text.startsWith("&")) return false;
      return target?.type === "identifier" && target.text === name;
    });
}

/** True when evaluating the expression twice is the same as once. */
export function isPure(node: RuleNode): boolean {
  return (
    node.descendantsOfType(["call_expression", "update_expression", "assignment_expression"]).length === 0
  );
}
