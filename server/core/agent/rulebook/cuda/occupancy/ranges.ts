import { constantValue } from "../../../../language/cuda/constants";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { BlockShape } from "../launch/block-shape";
import { estimatedValue, type KernelView } from "../kernel";

/** The least and the greatest value that a whole number may have; infinite where that is not known. */
interface Range {
  readonly low: number;
  readonly high: number;
}

const anything: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** What expressions of a kernel may be in its only launch: made of places of threads, loops and constants. */
export function rangesIn(view: KernelView, sizes: BlockShape["sizes"]): (node: SyntaxNode) => Range {
  const ranges = new Ranges(view, sizes);
  return (node) => ranges.of(node, []);
}

class Ranges {
  constructor(
    private readonly view: KernelView,
    private readonly sizes: BlockShape["sizes"],
  ) {}

  of(node: SyntaxNode, open: readonly string[]): Range {
    const inner = unwrapped(node);
    const value = estimatedValue(this.view, inner);
    if (value !== undefined) return { low: value, high: value };
    switch (inner.type) {
      case "identifier":
        return open.includes(inner.text) ? anything : this.named(inner.text, [...open, inner.text]);
      case "field_expression":
        return this.placeOf(compact(inner));
      case "binary_expression":
        return this.combined(inner, open);
      case "conditional_expression":
        return union(["consequence", "alternative"].map((side) => this.side(inner, side, open)));
      case "cast_expression":
        return this.side(inner, "value", open);
      case "call_expression":
        return this.called(inner, open);
      default:
        return anything;
    }
  }

  private side(node: SyntaxNode, field: string, open: readonly string[]): Range {
    const side = node.childForFieldName(field);
    return side === null ? anything : this.of(side, open);
  }

  private placeOf(text: string): Range {
    const axis = /^threadIdx\.([xyz])$/.exec(text)?.[1];
    const side = /^blockDim\.([xyz])$/.exec(text)?.[1];
    const size = this.sizes["xyz".indexOf(axis ?? side ?? "x")] ?? 1;
    if (axis !== undefined) return { low: 0, high: size - 1 };
    if (side !== undefined) return { low: size, high: size };
    return /^(?:blockIdx|gridDim)\./.test(text) ? { ...anything, low: 0 } : anything;
  }

  private named(name: string, open: readonly string[]): Range {
    const loops = countedLoops(this.view.body).filter(({ variable }) => variable === name);
    const [local, ...others] = localValues(this.view.body).filter((each) => each.name === name);
    if (loops.length > 0) return union(loops.map((loop) => this.turns(loop, open)));
    const meaning = this.view.scope.meaning(name);
    if (typeof meaning === "object") return this.of(meaning, open);
    const passed = local === undefined && others.length === 0 ? this.passed(name) : undefined;
    return passed === undefined ? anything : { low: passed, high: passed };
  }

  /** Values of a loop's variable; of a step that is no sum nothing is known. */
  private turns(
    { start, bound, comparison, step }: ReturnType<typeof countedLoops>[number],
    open: readonly string[],
  ): Range {
    const [first, end] = [this.of(start, open), this.of(bound, open)];
    if (step.operator === "+" && /^<=?$/.test(comparison))
      return { low: first.low, high: comparison === "<" ? end.high - 1 : end.high };
    if (["-", ">>", "/"].includes(step.operator) && /^>=?$/.test(comparison))
      return { low: comparison === ">" ? end.low + 1 : end.low, high: first.high };
    return anything;
  }

  /** The constant that the only launch of the file passes for a parameter. */
  private passed(name: string): number | undefined {
    const { kernel, launches } = this.view;
    const place = kernel.facts.parameters.findIndex((parameter) => parameter.name === name);
    const [launch, ...others] = launches;
    const text = launch?.site.arguments[place];
    if (launch === undefined || text === undefined || others.length > 0) return undefined;
    return constantValue(text, launch.names);
  }

  private called(node: SyntaxNode, open: readonly string[]): Range {
    const name = compact(node.childForFieldName("function")).replace(/^(?:std)?::|<.*>$/g, "");
    const ranges = partsOf(node.childForFieldName("arguments")).map((each) => this.of(each, open));
    const [first] = ranges;
    if (first === undefined) return anything;
    const each = (of: (range: Range) => number): readonly number[] => ranges.map(of);
    if (name === "min")
      return { low: Math.min(...each(({ low }) => low)), high: Math.min(...each(({ high }) => high)) };
    if (name === "max")
      return { low: Math.max(...each(({ low }) => low)), high: Math.max(...each(({ high }) => high)) };
    return name.startsWith("static_cast") || name === "int" ? first : anything;
  }

  private combined(node: SyntaxNode, open: readonly string[]): Range {
    const operator = operators[fieldText(node, "operator")];
    return operator === undefined
      ? anything
      : operator(this.side(node, "left", open), this.side(node, "right", open));
  }
}

type Operator = (left: Range, right: Range) => Range;

const isFixed = ({ low, high }: Range): boolean => low === high;

const operators: Readonly<Record<string, Operator>> = {
  "+": (left, right) => ({ low: left.low + right.low, high: left.high + right.high }),
  "-": (left, right) => ({ low: left.low - right.high, high: left.high - right.low }),
  "*": (left, right) => product(left, right),
  "/": (left, right) =>
    right.low > 0 && left.low >= 0
      ? { low: Math.floor(left.low / right.high), high: Math.floor(left.high / right.low) }
      : anything,
  "%": (left, right) =>
    right.low > 0 && left.low >= 0 ? { low: 0, high: Math.min(left.high, right.high - 1) } : anything,
  "&": (_, right) => (right.low >= 0 ? { low: 0, high: right.high } : anything),
  ">>": (left, right) =>
    left.low >= 0 && isFixed(right)
      ? { low: Math.floor(left.low / 2 ** right.low), high: Math.floor(left.high / 2 ** right.low) }
      : anything,
  "<<": (left, right) =>
    isFixed(right) ? product(left, { low: 2 ** right.low, high: 2 ** right.low }) : anything,
};

function product(left: Range, right: Range): Range {
  const all = [left.low, left.high].flatMap((a) =>
    // Zero times what is not known is zero.
    [right.low, right.high].map((b) => (a === 0 || b === 0 ? 0 : a * b)),
  );
  return { low: Math.min(...all), high: Math.max(...all) };
}

function union(ranges: readonly Range[]): Range {
  const known = ranges.filter(({ low, high }) => !Number.isNaN(low) && !Number.isNaN(high));
  if (known.length < ranges.length || ranges.length === 0) return anything;
  return {
    low: Math.min(...ranges.map(({ low }) => low)),
    high: Math.max(...ranges.map(({ high }) => high)),
  };
}
