import { at, known } from "../../../../../base/known";
import { cudaAccesses, type CudaAccess } from "../../../../../language/cuda/body/accesses";
import { type CountedLoop, countedLoops } from "../../../../../language/cuda/body/loops";
import { changes, isPure } from "../../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../../edits";
import type { KernelView } from "../../kernel";
import { elementTypeOf } from "../../points/point-space";

/** So many elements a thread may keep in registers. */
const ELEMENTS_MOST = 16;

/** Elements of global memory that loops of a few turns walk through, the same ones in each turn of a loop. */
export interface SteadyArray {
  readonly loop: SyntaxNode;
  /** The loops through the elements. */
  readonly inner: readonly CountedLoop[];
  readonly first: number;
  readonly count: number;
  readonly uses: readonly CudaAccess[];
  readonly type: string;
}

/** The elements that a loop keeps on changing by inner ones; none that it may touch otherwise as well. */
export function steadyArrays(view: KernelView, loop: SyntaxNode): readonly SteadyArray[] {
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const inside = [...accesses, ...atomics].filter(({ node }) => isInside(node, loop));
  const walks = countedLoops(view.body).filter(
    (each) => each.loop.id !== loop.id && isInside(each.loop, loop),
  );
  const stored = new Set(inside.filter(({ stores }) => stores).map(({ parameter }) => parameter));
  return [...stored].flatMap((parameter) => {
    const uses = inside.filter((each) => each.parameter === parameter);
    return arrayOf(view, loop, { uses, walks }) ?? [];
  });
}

interface Walked {
  readonly uses: readonly CudaAccess[];
  readonly walks: readonly CountedLoop[];
}

function arrayOf(view: KernelView, loop: SyntaxNode, { uses, walks }: Walked): SteadyArray | undefined {
  const inner = uses.map((use) => walks.findLast((walk) => isInside(use.node, walk.body)));
  const [use, walk] = [uses[0], inner[0]];
  if (use === undefined || walk === undefined || !uses.some(({ loads, stores }) => loads && stores))
    return undefined;
  const extent = extentOf(view, walk);
  const type = elementTypeOf(view, use.parameter);
  const same = uses.every((each, place) => {
    const own = inner[place];
    const other = own && extentOf(view, own);
    return (
      own !== undefined && other?.join() === extent?.join() && nameless(each, own) === nameless(use, walk)
    );
  });
  if (extent === undefined || type === undefined || !same) return undefined;
  const [leaving] = loop.descendantsOfType(["return_statement", "goto_statement"]);
  const escape = usesOf(loop, use.base).find((name) => !uses.some(({ node }) => isInside(name, node)));
  if (leaving !== undefined || escape !== undefined || !isSteady(loop, use, walk)) return undefined;
  const loops = new Map(inner.flatMap((each) => (each === undefined ? [] : [[each.loop.id, each]])));
  const [first, end] = extent;
  return { loop, inner: [...loops.values()], first, count: end - first, uses, type };
}

/** Start and end of a loop of a few turns; undefined for any other. */
function extentOf(view: KernelView, { start, bound, comparison, step, body, variable }: CountedLoop) {
  const [first, end] = [view.scope.value(start), view.scope.value(bound)];
  const byOne = step.operator === "+" && (step.amount === undefined || step.amount.text === "1");
  const changed = changes(body).some(({ target }) => target.text === variable);
  if (first === undefined || end === undefined || !byOne || comparison !== "<" || changed) return undefined;
  const count = end - first;
  return count > 1 && count <= ELEMENTS_MOST ? ([first, end] as const) : undefined;
}

/** The index of an access without the name of its loop's variable. */
function nameless({ indexNode, base }: CudaAccess, { variable }: CountedLoop): string {
  return `${base}[${compact(indexNode).replace(new RegExp(`\\b${variable}\\b`, "g"), "@")}]`;
}

/** True where nothing but the inner loop moves the element, and no condition of the loop keeps it inside. */
function isSteady(loop: SyntaxNode, { indexNode, base, node }: CudaAccess, walk: CountedLoop): boolean {
  if (indexNode === undefined || !isPure(indexNode)) return false;
  if (indexNode.descendantsOfType(["subscript_expression", "pointer_expression"]).length > 0) return false;
  const own = new Set([
    ...changes(loop).map(({ target }) => target.text),
    ...loop
      .descendantsOfType("declaration")
      .flatMap((each) => each.childrenForFieldName("declarator"))
      .flatMap((each) => each.descendantsOfType("identifier")[0]?.text ?? []),
  ]);
  own.delete(walk.variable);
  const names = [base, ...indexNode.descendantsOfType("identifier").map(({ text }) => text)];
  const guard = enclosing(node, "if_statement");
  return (
    names.includes(walk.variable) &&
    names.every((name) => !own.has(name)) &&
    (guard === undefined || !isInside(guard, loop))
  );
}

/** The elements in an array of registers: loaded in front of the loop, stored behind it. */
export function keptEdits({ source }: KernelView, arrays: readonly SteadyArray[]): readonly TextEdit[] {
  const [{ loop }] = arrays as readonly [SteadyArray, ...SteadyArray[]];
  const indent = indentOf(source, loop);
  const braces = loop.parent?.type !== "compound_statement";
  let taken = source;
  const named = arrays.map((each) => {
    const name = freshName(taken, "partials");
    taken += ` ${name}`;
    return { ...each, name };
  });
  const walk = ({ inner, uses, name, first: from }: (typeof named)[number], stores: boolean) => {
    const { variable, type, start, bound } = at(inner, 0);
    const [kept, element] = [`${name}[${placeOf(variable, from)}]`, at(uses, 0).node.text];
    const head = `for (${type} ${variable} = ${start.text}; ${variable} < ${bound.text}; ++${variable})`;
    return `#pragma unroll\n${indent}${head} ${stores ? `${element} = ${kept}` : `${kept} = ${element}`};`;
  };
  const before = named.map(
    (each) => `${each.type} ${each.name}[${each.count}];\n${indent}${walk(each, false)}\n${indent}`,
  );
  const after = named.map((each) => `\n${indent}${walk(each, true)}`);
  const inner = new Map(named.flatMap((each) => each.inner.map(({ loop: own }) => [own.id, own])));
  const unrolled = [...inner.values()].filter(({ parent, previousNamedSibling }) => {
    return parent?.type === "compound_statement" && !/^#\s*pragma/.test(previousNamedSibling?.text ?? "");
  });
  return [
    insertBefore(loop, `${braces ? "{ " : ""}${before.join("")}`),
    ...unrolled.map((own) => insertBefore(own, `#pragma unroll\n${indentOf(source, own)}`)),
    ...named.flatMap(({ uses, name, first, inner: walks }) =>
      uses.map(({ node }) => {
        const { variable } = known(
          walks.findLast((each) => isInside(node, each.body)),
          "the inner loop around a use of the element",
        );
        return replaceNode(node, `${name}[${placeOf(variable, first)}]`);
      }),
    ),
    { start: loop.endIndex, end: loop.endIndex, text: `${after.join("")}${braces ? " }" : ""}` },
  ];
}

function placeOf(variable: string, first: number): string {
  return first === 0 ? variable : `${variable} - ${first}`;
}
