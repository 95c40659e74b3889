import { enclosing, operands, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { isCallOf, launchValue, onlyAssignment, positional, type TritonView } from "../kernel";
import { addressTerms } from "../spread/address";
import { extentsOfGrid, numberedAxis } from "../spread/programs";

/** What is said of the rewrite. */
export const aloneText =
  "Let one program take all rows that add to the same places, which sums in registers and stores once.";

/** Additions whose places do not depend on the program's number along the axis. */
interface Shared {
  readonly axis: number;
  readonly calls: readonly SyntaxNode[];
}

/**
 * The edits by which one program of the axis does what all of them did, and stores its sums: where the launch
 * has one other axis, whose programs have places of their own, and begins from zeros.
 */
export function aloneEdits(
  view: TritonView,
  shared: Shared,
  turns: (found: Shared & { readonly most: string; readonly alone: true }) => readonly TextEdit[] | RuleHold,
): readonly TextEdit[] | RuleHold {
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const others = grid.extents.flatMap(({ text }, place) =>
    place === shared.axis || text === "1" ? [] : [place],
  );
  const [other, ...more] = others;
  if (other === undefined || more.length > 0)
    return not("launch", "one other axis is needed", view.launch.call);
  const common = shared.calls.find((call) => !isOwn(view, positional(call)[0], other));
  if (common !== undefined) return not("dependence", "other programs add to the same places", common);
  const zeros = shared.calls.map((call) => zerosOf(view, call));
  const found = zeros.find(isNot);
  if (found !== undefined) return found;
  const edits = turns({ ...shared, most: "1", alone: true });
  const emptied = zeros.flatMap((each) => (isNot(each) ? [] : each));
  const apart = [...new Map(emptied.map((edit) => [edit.start, edit])).values()];
  return isNot(edits) ? edits : [...edits, ...apart];
}

/**
 * True for `pointer + row`, `pointer + row * stride` and `pointer + block * BLOCK + arange(0, BLOCK)`: no two
 * programs along the axis have an element in common.
 */
function isOwn(view: TritonView, address: SyntaxNode | undefined, axis: number): boolean {
  const terms = address === undefined ? [] : addressTerms(view, address);
  const spans = terms.filter((term) => isCallOf(view, term, "arange"));
  const pointers = terms.filter(({ text }) =>
    view.parameters.some((each) => each.pointer && each.name === text),
  );
  const numbers = terms.filter((term) => numberedAxis(view, factorsOf(term).number) === axis);
  if (pointers.length !== 1 || numbers.length !== 1) return false;
  if (terms.length !== pointers.length + numbers.length + spans.length || spans.length > 1) return false;
  const [by] = numbers.map((term) => factorsOf(term).by);
  const [length] = spans.map((span) => positional(span)[1]?.text);
  return spans.length === 0 || by === length;

  function factorsOf(term: SyntaxNode): { readonly number: SyntaxNode; readonly by: string | undefined } {
    const factors = operands(term, "*");
    const number = factors.find((factor) => numberedAxis(view, factor) === axis) ?? term;
    const rest = factors.filter(({ id }) => id !== number.id);
    return { number: rest.length > 1 ? term : number, by: rest[0]?.text };
  }
}

/** The edit that leaves out the zeros from which only these additions begin. */
function zerosOf(view: TritonView, call: SyntaxNode): readonly TextEdit[] | RuleHold {
  const { host, launch } = view;
  const [address] = positional(call);
  const zeros = address && zerosBehind(view, address);
  if (zeros === undefined) return not("launch", "the sums are added to what is there already", launch.call);
  const { made, maker, tensor } = zeros;
  const between = usesOf(host, tensor).some(
    ({ startIndex }) => startIndex > made.endIndex && startIndex < launch.call.startIndex,
  );
  if (between) return not("dependence", "other code changes the zeros", launch.call);
  // Where a condition decides whether anything is launched, the zeros may be the result.
  const always = [made, launch.call].every(
    (node) => enclosing(node, "if_statement", "for_statement", "while_statement") === undefined,
  );
  return always ? [replaceNode(maker, maker.text.replace("zeros", "empty"))] : [];
}

interface Zeros {
  /** What gives the host's tensor its zeros. */
  readonly made: SyntaxNode;
  /** `zeros`, `new_zeros` or `zeros_like` in it. */
  readonly maker: SyntaxNode;
  readonly tensor: string;
}

/** The zeros of the tensor that an address leads to, where the kernel does nothing else with it. */
function zerosBehind(view: TritonView, address: SyntaxNode): Zeros | undefined {
  const pointer = view.parameters.find((each) => each.pointer && usesOf(address, each.name).length > 0);
  const passed = pointer && launchValue(view, pointer.name);
  if (pointer === undefined || passed?.type !== "identifier") return undefined;
  const made = onlyAssignment(view.host, passed.text);
  const maker = made
    ?.childForFieldName("right")
    ?.childForFieldName("function")
    ?.childForFieldName("attribute");
  if (!made || !maker || !/^(?:new_)?zeros(?:_like)?$/.test(maker.text)) return undefined;
  return usesOf(view.body, pointer.name).length === 1 ? { made, maker, tensor: passed.text } : undefined;
}
