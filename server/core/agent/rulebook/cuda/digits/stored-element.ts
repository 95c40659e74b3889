import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { compact, fieldText, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName } from "../../edits";
import { vectorTypeOf } from "../elements/vector-types";
import type { KernelView } from "../kernel";
import type { DigitWork } from "./digit-work";

/** The one element of each digit that the work stores: those of a thread lie side by side. */
interface StoredElement {
  readonly target: SyntaxNode;
  readonly type: string;
  /** Stores the results from an index on, several at once where the array is aligned. */
  lines(place: {
    readonly results: string;
    readonly start: string;
    readonly base: number;
  }): readonly string[];
}

/** `out[number] = …;` as the last statement; undefined where more is stored, or no vector holds elements. */
export function storedElement(
  view: KernelView,
  { statements, number, base }: DigitWork,
): StoredElement | undefined {
  const target = storedLast(statements);
  if (target === undefined) return undefined;
  const array = fieldText(target, "argument");
  const isOwn = compact(target.childForFieldName("indices")).replace(/^\[\(*|\)*\]$/g, "") === number.name;
  const parameter = view.kernel.facts.parameters.find(({ name, pointer }) => pointer && name === array);
  const vector = parameter && vectorTypeOf(view, parameter.type);
  const isOnly = cudaAccesses(view.kernel).accesses.filter(({ stores }) => stores).length === 1;
  if (!isOwn || !isOnly || usesOf(view.body, array).length !== 1 || parameter === undefined) return undefined;
  if (vector === undefined || vector.packed !== undefined || base % vector.lanes !== 0) return undefined;
  const type = parameter.type.replace(/\b(?:const|volatile|__restrict__|__restrict)\b|[*&]/g, " ").trim();
  return {
    target,
    type,
    lines: ({ results, start }) => {
      const at = freshName(view.source, "at");
      const lanes = Array.from(
        { length: vector.lanes },
        (_, lane) => `${results}[${at}${lane === 0 ? "" : ` + ${lane}`}]`,
      );
      return [
        `if (reinterpret_cast<size_t>(${array}) % ${vector.bytes} == 0) {`,
        "  #pragma unroll",
        `  for (int ${at} = 0; ${at} < ${base}; ${at} += ${vector.lanes})`,
        `    *reinterpret_cast<${vector.vector}*>(${array} + ${start} + ${at}) = make_${vector.vector}(${lanes.join(", ")});`,
        "} else {",
        "  #pragma unroll",
        `  for (int ${at} = 0; ${at} < ${base}; ++${at}) ${array}[${start} + ${at}] = ${results}[${at}];`,
        "}",
      ];
    },
  };
}

/** The element that the last statement sets. */
function storedLast(statements: readonly SyntaxNode[]): SyntaxNode | undefined {
  const last = statements.at(-1)?.namedChildren[0];
  const target = last?.type === "assignment_expression" ? last.childForFieldName("left") : undefined;
  return fieldText(last, "operator") === "=" && target?.type === "subscript_expression" ? target : undefined;
}
