import { at } from "../../../../base/known";
import { isInside, lineOf } from "../../../../language/query";
import { editedText, editedTree, freshName, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { layoutOf, spread } from "../causes/far-apart";
import { cudaKernel, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { lineSpace } from "../points/line-space";
import { type PointSpace, pointSpace } from "../points/point-space";
import { pointLines, tileWalk, walkNames } from "../points/tile-walk";
import { type Crossed, crossedLoads, loadAhead } from "./crossed-loads";
import { loopOfPoint, throughLoop } from "./transpose-along-loop";

/** Side of the tile: a warp reads a row of it and writes a column. */
const side = 32;

/**
 * Moves the elements of which only one side is coalesced through a tile in shared memory: threads load along
 * the rows of the one array and store along those of the other.
 */
export const transposeThroughShared = defineRule("cuda-transpose-through-shared", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const { loads, stores, worst } = spread(input, view);
  const least = threshold(entry, "ratio");
  if (worst === undefined || Math.max(loads.ratio, stores.ratio) < least)
    return not("no-evidence", "no line moves many more sectors than it needs", view.line);
  const [value, ideal] = [loads.value + stores.value, loads.ideal + stores.ideal];
  const gain = gainOn(input, ["dram", "l2", "l1", "latency"], shareSaved(value - ideal, value));
  const edits = throughShared(input, view);
  if (isNot(edits)) {
    const transposed = layoutOf(view, { worst, loads, stores, least }) === "transposed";
    if (!transposed) return not("no-pattern", edits.sentence, edits.line);
    // A guard that only says what the code is not would keep the cause unnamed.
    return { ...edits, because: edits.because === "no-pattern" ? "no-rewrite" : edits.because, gain };
  }
  const facts = { file: input.file, line: lineOf(worst.node), value, ideal };
  const counter = stores.ratio > loads.ratio ? "globalStoreSectors" : "globalLoadSectors";
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { side: String(side) }),
    evidence: evidenceFor(entry, { ...facts, counter }),
    gain,
  };
});

function throughShared(input: RuleInput, view: KernelView): readonly TextEdit[] | RuleHold {
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const threads = block.sizes[0] * block.sizes[1];
  if (threads % side !== 0 || threads > side * side)
    return not("launch", `the ${threads} threads of a block are no whole warps`, view.line);
  const plane = pointSpace(view, block.sizes, false);
  const space = isNot(plane) ? lineSpace(view, block.sizes) : plane;
  if (isNot(space)) return isNot(plane) ? plane : space;
  const along = loopOfPoint(space);
  if (along !== undefined) return isNot(along) ? along : throughLoop(input, view, { space, along, threads });
  const crossed = crossedLoads(view, {
    names: [space.axes[0].name, space.axes[1].name],
    statements: space.statements,
    form: (node) => space.form(node),
  });
  return isNot(crossed) ? crossed : [edited({ view, space, crossed, step: threads / side })];
}

interface Rewrite {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly crossed: Crossed;
  /** Rows of the tile that the block handles at a time. */
  readonly step: number;
}

function edited({ view, space, crossed, step }: Rewrite): TextEdit {
  const { source } = view;
  const names = walkNames(source, space);
  const tiles = crossed.loads.map((_, position) =>
    freshName(source, `staged${position === 0 ? "" : position + 1}`),
  );
  const [lane, row] = [freshName(source, "lane"), freshName(source, "line")];
  const first = [names.firstAcross, names.firstDown];
  /** Numbers of a point with the lanes of a warp along the axis. */
  const numbers = (axis: 0 | 1): readonly [string, string] => [
    `${at(first, 0)} + ${axis === 0 ? lane : row}`,
    `${at(first, 1)} + ${axis === 1 ? lane : row}`,
  ];
  const loaded = crossed.loads.map((load, position) =>
    loadAhead(load, `${at(tiles, position)}[${row}][${lane}]`),
  );
  const work = space.statements.map((statement) => {
    const inside = crossed.loads.flatMap(({ node }, position) =>
      isInside(node, statement) ? [replaceNode(node, `${at(tiles, position)}[${lane}][${row}]`)] : [],
    );
    return editedText(source, { start: statement.startIndex, end: statement.endIndex }, inside);
  });
  const turn = freshName(source, "turn");
  // A number of turns that the compiler knows lets it ask for all loads before it waits for the first.
  const head = [
    "#pragma unroll",
    `for (int ${turn} = 0; ${turn} < ${side / step}; ++${turn}) {`,
    `  const int ${row} = ${names.thread} / ${side} + ${turn} * ${step};`,
  ];
  const pass = (axis: 0 | 1, lines: readonly string[]): readonly string[] => [
    ...head,
    ...pointLines(space, numbers(axis), lines).map((line) => `  ${line}`),
    "}",
    "__syncthreads();",
  ];
  const { storeAxis } = crossed;
  return tileWalk({
    ...{ view, space, names },
    sides: { across: side, down: side },
    declarations: crossed.loads.map(
      ({ elementType }, position) =>
        `__shared__ ${elementType} ${at(tiles, position)}[${side}][${side + 1}];`,
    ),
    tile: [
      `const int ${lane} = ${names.thread} % ${side};`,
      ...pass(storeAxis === 0 ? 1 : 0, loaded),
      ...pass(storeAxis, work),
    ],
  });
}
