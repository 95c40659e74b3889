import { compact, fieldText, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { onlyAssignment, positional, type TritonView } from "../kernel";

/** What is made of each row: one value, or the place of one. */
export type Reduction = "sum" | "mean" | "max" | "min" | "argmax" | "argmin" | "logsumexp";

/** A matrix that the host makes for the kernel, and of which torch reads the reduction of rows alone. */
export interface ReducedMatrix {
  readonly name: string;
  /** What the kernel's parameter for it is called. */
  readonly parameter: string;
  /** The call that makes it, the two extents, and the other arguments. */
  readonly maker: SyntaxNode;
  readonly extents: readonly [SyntaxNode, SyntaxNode];
  readonly options: readonly SyntaxNode[];
  /** Which dimension goes. */
  readonly dimension: 0 | 1;
  /** What stands for the result, and what of it is wanted, in its order. */
  readonly reading: SyntaxNode;
  readonly wanted: readonly Reduction[];
  readonly keeps: boolean;
  /** Arguments of the launch that ask for strides of the matrix. */
  readonly strides: readonly SyntaxNode[];
}

const operations: Readonly<Record<string, Reduction>> = {
  sum: "sum",
  mean: "mean",
  amax: "max",
  amin: "min",
  argmax: "argmax",
  argmin: "argmin",
  logsumexp: "logsumexp",
};

/** The matrix that a launch fills and torch reduces; a guard's answer where something else reads it, too. */
export function reducedMatrix(
  view: TritonView,
  parameter: string,
  passed: SyntaxNode,
): ReducedMatrix | RuleHold {
  const { launch } = view;
  const name = passed.text;
  const made = madeMatrix(view, passed);
  if ("kind" in made) return made;
  const { maker, uses } = made;
  const strides = uses.flatMap((use) => (isInside(use, launch.call) ? (strideAround(use) ?? []) : []));
  const others = uses.filter(
    (use) => use.startIndex !== passed.startIndex && !strides.some((node) => isInside(use, node)),
  );
  const [read] = others;
  if (read === undefined || others.length > 1)
    return not("no-pattern", `${name} is no tensor that one reduction alone reads`, read ?? maker);
  const found = readingOf(read);
  if (found === undefined || read.startIndex < launch.call.endIndex)
    return not("no-pattern", `what reads ${name} is no reduction of its rows`, read);
  return { name, parameter, maker, extents: made.extents, options: made.options, strides, ...found };
}

interface Made extends Pick<ReducedMatrix, "maker" | "extents" | "options"> {
  /** Uses of it beside that which makes it. */
  readonly uses: readonly SyntaxNode[];
}

/** `torch.empty((rows, columns), …)` of single-precision numbers. */
function madeMatrix({ host }: TritonView, passed: SyntaxNode): Made | RuleHold {
  const name = passed.text;
  const made = passed.type === "identifier" ? onlyAssignment(host, name) : undefined;
  const maker = made?.childForFieldName("right") ?? undefined;
  if (made === undefined || maker === undefined || !isMaker(maker))
    return not("no-pattern", `${compact(passed)} is no tensor that the host makes for the kernel`, passed);
  const [rows, columns, ...more] = extentsOf(maker);
  if (rows === undefined || columns === undefined || more.length > 0)
    return not("no-pattern", `${name} is no matrix`, maker);
  const options = partsOf(maker.childForFieldName("arguments")).filter(
    ({ type }) => type === "keyword_argument",
  );
  const type = options.find((each) => fieldText(each, "name") === "dtype")?.text ?? "";
  if (/int|bool|double|float64/.test(type))
    return not("type", `${name} holds no single-precision numbers`, maker);
  const uses = usesOf(host, name).filter((use) => !isInside(use, made));
  return { maker, extents: [rows, columns], options, uses };
}

/** The extents in `torch.empty((n, m))` and `torch.empty(n, m)`. */
function extentsOf(maker: SyntaxNode): readonly SyntaxNode[] {
  const given = positional(maker);
  const [whole] = given;
  return given.length === 1 && /^(?:tuple|list)$/.test(whole?.type ?? "") ? partsOf(whole) : given;
}

function isMaker(node: SyntaxNode): boolean {
  return node.type === "call" && /^torch\.(?:empty|zeros)$/.test(fieldText(node, "function"));
}

/** `out.stride(0)` around a use. */
function strideAround(use: SyntaxNode): SyntaxNode | undefined {
  const { parent } = use;
  const call = parent?.type === "attribute" ? parent.parent : null;
  const asks = parent !== null && fieldText(parent, "attribute") === "stride";
  return call?.type === "call" && asks ? call : undefined;
}

/** `torch.argmin(out, dim=1)`, `out.amax(-1, keepdim=True)`, `out.min(dim=1).values`, `a, b = out.max(1)`. */
function readingOf(
  use: SyntaxNode,
): Pick<ReducedMatrix, "dimension" | "reading" | "wanted" | "keeps"> | undefined {
  const call = callAround(use);
  if (call === undefined) return undefined;
  const callee = call.childForFieldName("function");
  const method = fieldText(callee, "attribute");
  const ofModule = /^(?:torch|torch\.special)$/.test(fieldText(callee, "object"));
  const given = positional(call).slice(ofModule ? 1 : 0);
  const named = (names: readonly string[]): string | undefined => {
    const found = partsOf(call.childForFieldName("arguments")).find((each) =>
      names.includes(fieldText(each, "name")),
    );
    return found && fieldText(found, "value");
  };
  const dimension = { "1": 1, "-1": 1, "0": 0, "-2": 0 }[named(["dim", "axis"]) ?? given[0]?.text ?? ""];
  const keeps = (named(["keepdim"]) ?? given[1]?.text ?? "False") === "True";
  if (dimension !== 0 && dimension !== 1) return undefined;
  if (named(["dtype", "out"]) !== undefined) return undefined;
  const one = operations[method];
  if (one !== undefined) return { dimension, reading: call, wanted: [one], keeps };
  return method === "max" || method === "min" ? pairOf(call, method, { dimension, keeps }) : undefined;
}

/** The call of a method of the tensor, or of a function of torch that is handed it. */
function callAround(use: SyntaxNode): SyntaxNode | undefined {
  const { parent } = use;
  const call = parent?.parent;
  if (parent === null || call?.type !== "call") return undefined;
  const isObject = parent.type === "attribute" && parent.childForFieldName("object")?.id === use.id;
  const isFirst = parent.type === "argument_list" && positional(call)[0]?.id === use.id;
  return isObject || isFirst ? call : undefined;
}

/** Values and places of `out.min(dim=1)`: one of them, or both as they are unpacked. */
function pairOf(
  call: SyntaxNode,
  method: "max" | "min",
  of: Pick<ReducedMatrix, "dimension" | "keeps">,
): ReturnType<typeof readingOf> {
  const { parent } = call;
  const both = [method, `arg${method}`] as const;
  if (parent?.type === "attribute" || parent?.type === "subscript") {
    const which =
      parent.type === "attribute" ? fieldText(parent, "attribute") : fieldText(parent, "subscript");
    const place = ["values", "0"].includes(which) ? 0 : 1;
    if (!["values", "indices", "0", "1"].includes(which)) return undefined;
    return { ...of, reading: parent, wanted: [both[place]] };
  }
  const left = parent?.type === "assignment" ? parent.childForFieldName("left") : null;
  return left?.type === "pattern_list" && partsOf(left).length === 2
    ? { ...of, reading: call, wanted: both }
    : undefined;
}
