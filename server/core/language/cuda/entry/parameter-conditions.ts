import type { SizeRelation } from "../../../workload/probe/shapes/size-relations";
import type { SizeExpression } from "../../../workload/spec";
import type { SyntaxNode } from "../../tree";
import { fileConstants, initialized } from "../constants";
import { sizeTerms } from "../launch/sizes/size-terms";
import { statedRelations } from "../launch/sizes/stated-relations";
import { type SizeCondition, type SizeConditions, sizeConditions } from "./size-conditions";

export type { SizeCondition };

/** A parameter that may be a size. */
interface Sized {
  readonly name: string;
  readonly kind: string;
}

/**
 * Gives the sizes what the function asks of them; equal ones have one name. Returns what its file computes of
 * them; see `sizeTerms`.
 */
export function withConditions<Parameter extends Sized>(
  parameters: Parameter[],
  called: SyntaxNode,
  { root, file }: { readonly root: SyntaxNode; readonly file: SyntaxNode },
): readonly string[] {
  const body = called.childForFieldName("body");
  const named = (isSize: boolean): ReadonlySet<string> =>
    new Set(parameters.flatMap(({ name, kind }) => ((kind === "size") === isSize ? name : [])));
  const [numbers, data] = [named(true), named(false)];
  if (body === null || numbers.size === 0) return [];
  const own = body.descendantsOfType("init_declarator").flatMap((node) => initialized(node, "value"));
  const constants = new Map([...fileConstants(root), ...own.map((each) => [each.name, each] as const)]);
  const { asked: ofCode, compared } = sizeConditions({ body, numbers, data, constants });
  const stated = statedRelations(file.text, { names: [...numbers], constants });
  const asked = withRelated(ofCode, stated);
  for (const [index, each] of parameters.entries()) {
    const name = equalName(each.name, asked);
    const [condition, values] = [inEqualNames(asked.get(name), asked), compared.get(name)];
    if (each.kind === "size")
      parameters[index] = {
        ...{ ...each, name },
        ...(condition && { asked: condition }),
        ...(values && { compared: values }),
      };
  }
  return sizeTerms(
    file,
    parameters.flatMap(({ name, kind }) => (kind === "size" ? name : [])),
  );
}

/** Conditions with what comments say that has to hold. */
function withRelated(asked: SizeConditions, relations: readonly SizeRelation[]): SizeConditions {
  const all = new Map(asked);
  for (const each of relations) {
    const { related = [], ...own } = all.get(each.name) ?? {};
    all.set(each.name, { ...own, related: [...related, each] });
  }
  return all;
}

/** What is asked of a number and others, in the names that stand for equal ones. */
function inEqualNames(
  condition: SizeCondition | undefined,
  asked: SizeConditions,
): SizeCondition | undefined {
  if (condition?.related === undefined) return condition;
  const renamed = (text: SizeExpression): string =>
    String(text).replace(/[A-Za-z_]\w*/g, (word) => equalName(word, asked));
  const related = condition.related.map((each) => ({
    ...each,
    name: equalName(each.name, asked),
    value: renamed(each.value),
  }));
  return { ...condition, related };
}

/** The name that stands for all numbers that are equal to one. */
function equalName(name: string, asked: SizeConditions): string {
  const met = new Set<string>();
  let present = name;
  while (!met.has(present)) {
    met.add(present);
    present = asked.get(present)?.sameAs ?? present;
  }
  return present;
}
