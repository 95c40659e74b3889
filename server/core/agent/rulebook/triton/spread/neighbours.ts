import { operands, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { launchValue, type TritonView } from "../kernel";
import { numberedAxis } from "./programs";

/**
 * The axis of the grid whose neighbouring programs touch neighbouring elements: its number is a term of an
 * address as it is, or times the last stride of a tensor that the launch passes. Whatever that stride comes
 * to be, a rewrite for the axis means the same.
 */
export function neighbourAxis(view: TritonView, terms: readonly SyntaxNode[]): number | undefined {
  const plain = terms.map((term) => numberedAxis(view, term)).find((axis) => axis !== undefined);
  return plain ?? terms.map((term) => stridedAxis(view, term)).find((axis) => axis !== undefined);
}

/** `tl.program_id(0) * stride_c`, with `x.stride(2)` for it, where no later stride of `x` is passed. */
function stridedAxis(view: TritonView, term: SyntaxNode): number | undefined {
  const factors = operands(term, "*");
  const axes = factors.map((factor) => numberedAxis(view, factor));
  const place = axes.findIndex((axis) => axis !== undefined);
  const other = factors[1 - place];
  if (factors.length !== 2 || place < 0 || other?.type !== "identifier") return undefined;
  const passed = strideIn(launchValue(view, other.text));
  if (passed === undefined) return undefined;
  const given = partsOf(view.launch.call.childForFieldName("arguments"));
  const later = given
    .flatMap(
      (node) => strideIn((node.type === "keyword_argument" && node.childForFieldName("value")) || node) ?? [],
    )
    .some(({ tensor, dimension }) => tensor === passed.tensor && dimension > passed.dimension);
  return later ? undefined : axes[place];
}

interface Stride {
  readonly tensor: string;
  /** Counted from the first; the last where it is counted from the end. */
  readonly dimension: number;
}

function strideIn(node: SyntaxNode | undefined): Stride | undefined {
  const [, tensor, number] = /^([\w.]+)\.stride\(\s*(-?\d+)\s*\)$/.exec(node?.text ?? "") ?? [];
  if (tensor === undefined || number === undefined) return undefined;
  const counted = Number(number);
  return { tensor, dimension: counted === -1 ? Infinity : counted };
}
