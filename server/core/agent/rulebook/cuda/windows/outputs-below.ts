import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, indentOf, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";
import type { PointSpace } from "../points/point-space";
import { plainType, plus, pointLines, walkNames } from "../points/tile-walk";
import { type InnerPoints, type RangeCondition, unrolled } from "./inner-points";
import { interleaved, summedLoop } from "./summed-outputs";
import type { Reuse } from "./window";

/** What gives each thread several outputs. */
export interface Rewrite {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly inner: InnerPoints;
  readonly at: SyntaxNode;
  readonly seen: Reuse;
  readonly block: readonly [number, number];
  /** Outputs of a thread, below each other. */
  readonly height: number;
}

/** The kernel with several outputs below each other in a thread, without conditions far from the borders. */
export function outputsBelow(rewrite: Rewrite): TextEdit {
  const { view, space, inner, height } = rewrite;
  const { source } = view;
  const names = walkNames(source, space);
  const fresh = (wish: string): string => freshName(source, wish);
  const [column, line, turn] = [fresh("column"), fresh("line"), fresh("turn")];
  const [wide, high] = rewrite.block;
  const [across, down] = space.axes;
  const work = (edits: readonly TextEdit[]): readonly string[] =>
    space.statements.flatMap((node) => {
      const range = { start: node.startIndex, end: node.endIndex };
      const own = edits.filter(({ start, end }) => start >= range.start && end <= range.end);
      return [...pragmaAbove(node), editedText(source, range, own)];
    });
  const numbers = [column, height === 1 ? line : `${line} + ${turn}`] as const;
  const first = [names.firstAcross, line] as const;
  const lowest = height === 1 ? line : `${line} + ${height - 1}`;
  const last = [`${names.firstAcross} + ${wide - 1}`, lowest] as const;
  const threadLine = `blockIdx.y * ${high} + threadIdx.y`;
  const conditions = [...inner.conditions, ...endConditions(space)].map(
    ({ axis, end, text }) => `${(end === "first" ? first : last)[axis]}${text}`,
  );
  const loop = `for (int ${turn} = 0; ${turn} < ${height}; ++${turn}) {`;
  const turns = (lines: readonly string[]): readonly string[] =>
    height === 1 ? lines : ["#pragma unroll", loop, ...lines.map((each) => `  ${each}`), "}"];
  const edits = [...inner.edits, ...unrolled(view, space)];
  const isInTurns = height > 1 && inner.guards.length === 0;
  const summed = isInTurns ? summedLoop(view, space) : undefined;
  const plainly = (own: readonly string[]): readonly string[] =>
    innerLines(space, numbers, { guards: inner.guards, work: own });
  const unguarded =
    summed === undefined
      ? turns(plainly(work(edits)))
      : interleaved(view, summed, {
          ...{ turn, height, edits },
          around: (own) => turns(plainly(own)),
        });
  const lines = [
    ...space.kept,
    `const int ${names.firstAcross} = blockIdx.x * ${wide}${plus(across)};`,
    `const int ${column} = ${names.firstAcross} + threadIdx.x;`,
    `const int ${line} = ${height === 1 ? threadLine : `(${threadLine}) * ${height}`}${plus(down)};`,
    `if (${names.firstAcross} >= ${across.extent} || ${line} >= ${down.extent}) return;`,
    `if (${[...new Set(conditions)].join(" && ")}) {`,
    ...unguarded.map((each) => `  ${each}`),
    "} else {",
    ...turns(pointLines(space, numbers, work([]))).map((each) => `  ${each}`),
    "}",
  ];
  const { start, end } = space.region;
  return { start: start.startIndex, end: end.endIndex, text: lines.join(`\n${indentOf(source, start)}`) };
}

/** How a loop is to be unrolled: that stands in front of its statement. */
function pragmaAbove({ type, previousNamedSibling: above }: SyntaxNode): readonly string[] {
  return type === "for_statement" && above && /^#\s*pragma\b/.test(above.text) ? [above.text.trim()] : [];
}

/** That all points of a range are there at all. */
function endConditions({ axes }: PointSpace): readonly RangeCondition[] {
  return ([0, 1] as const).map((axis) => ({ axis, end: "last", text: ` < ${axes[axis].extent}` }));
}

interface InnerWork {
  /** Conditions that are left. */
  readonly guards: readonly string[];
  readonly work: readonly string[];
}

/** Lines that give a point its numbers and run its work, whatever its numbers are. */
function innerLines(
  { axes: [first, second], definitions }: PointSpace,
  [column, row]: readonly [string, string],
  { guards, work }: InnerWork,
): readonly string[] {
  return [
    `const ${plainType(first)} ${first.name} = ${column};`,
    `const ${plainType(second)} ${second.name} = ${row};`,
    ...definitions,
    ...(guards.length === 0 ? work : [`if (${guards.join(" && ")}) {`, ...work, "}"]),
  ];
}
