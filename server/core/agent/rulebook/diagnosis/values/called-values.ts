import { declaredName } from "../../../../language/cuda/body/threads";
import { partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { calleeOf, cudaSources } from "./cuda-sources";
import { type Influences, influencesOf } from "./influences";

/** A costly call in a function of the file, by one of the calls through which the kernel comes to it. */
export interface CalledValue {
  readonly call: SyntaxNode;
  /** The kernel's call of the function. */
  readonly outer: SyntaxNode;
  /** What the costly call's arguments come from in the kernel. */
  readonly from: ReadonlySet<string>;
}

interface Kernel {
  readonly root: SyntaxNode;
  readonly body: SyntaxNode;
  readonly of: Influences;
  isCostly(call: SyntaxNode): boolean;
}

/**
 * Costly calls in the functions that a kernel calls itself: what they are made of is followed back to what
 * the kernel hands over, so that a part of a function is seen that needs less than the whole.
 */
export function calledValues({ root, body, of, isCostly }: Kernel): readonly CalledValue[] {
  const definitions = root.descendantsOfType("function_definition");
  return body.descendantsOfType("call_expression").flatMap((outer) => {
    const [definition, ...others] = definitions.filter((each) => declaredName(each) === calleeOf(outer));
    const inner = definition?.childForFieldName("body");
    if (definition === undefined || others.length > 0 || !inner) return [];
    const names = partsOf(definition.descendantsOfType("parameter_list")[0]).map(
      (each) => each.descendantsOfType("identifier").at(-1)?.text ?? "",
    );
    const given = partsOf(outer.childForFieldName("arguments"));
    const inside = influencesOf({
      given: cudaSources(inner).given,
      own: ({ type, text }) =>
        type === "identifier" && names.includes(text) ? `parameter:${text}` : undefined,
    });
    return inner
      .descendantsOfType("call_expression")
      .filter(isCostly)
      .flatMap((call) => {
        const list = call.childForFieldName("arguments");
        if (list === null) return [];
        const needed = inside(list);
        const from = given.flatMap((each, place) =>
          needed.has(`parameter:${names[place]}`) ? [...of(each)] : [],
        );
        return needed.size === 0 ? [] : [{ call, outer, from: new Set(from) }];
      });
  });
}
