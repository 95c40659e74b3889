import { fieldText } from "../../../../../language/query";
import { replaceNode } from "../../../edits";
import { templateEstimates } from "../../kernel";
import type { Spelling } from "../spelling";

const whole =
  /^(?:unsigned |signed )?(?:int|long|long long|short|char|size_t|ptrdiff_t|unsigned|(?:std::)?u?int(?:8|16|32|64)_t)(?: int)?$/;

/** `static_cast<Index>(blockIdx.x)` and `(Index)x` by another name of a whole type as casts to that type. */
export const castsNamed: Spelling = (view) => {
  const given = templateEstimates(view).types;
  const meant = (name: string): string | undefined => {
    const type = given.get(name) ?? view.model.types.get(name);
    const plain = type === undefined ? undefined : (view.model.types.get(type) ?? type);
    return plain !== undefined && plain !== name && whole.test(plain) ? plain : undefined;
  };
  for (const node of view.body.descendantsOfType("call_expression")) {
    const callee = node.childForFieldName("function");
    const name = /^static_cast<\s*(\w+)\s*>$/.exec(callee?.text ?? "")?.[1];
    const type = name === undefined ? undefined : meant(name);
    if (callee && type !== undefined) return [replaceNode(callee, `static_cast<${type}>`)];
  }
  for (const node of view.body.descendantsOfType("cast_expression")) {
    const written = node.childForFieldName("type");
    const type = meant(fieldText(node, "type"));
    if (written !== null && type !== undefined) return [replaceNode(written, type)];
  }
  return undefined;
};
