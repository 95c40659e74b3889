import { at } from "../../../../base/known";
import { lineOf } from "../../../../language/query";
import { editedTree, freshName, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, targetGpu } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { type BlockShape, blockShape } from "../launch/block-shape";
import { factorOf, gridEdits } from "../launch/grid-edit";
import { lineSpace } from "../points/line-space";
import { accessesIn, type PointSpace, pointSpace } from "../points/point-space";
import { isOnlyRow, pointLines, tileWalk, walkNames } from "../points/tile-walk";
import { outputsOf } from "../tiles/outputs-of";
import { untiled } from "../products/untiled";
import { type PointSum, pointSum } from "./point-sum";

const warp = 32;

/**
 * Deals the turns of a long sum out to groups of a block's threads where there are too few outputs for the
 * GPU: each group sums every so many turns, and their parts are put together in shared memory.
 */
export const splitSum = defineRule("cuda-split-sum", (given, entry) => {
  const input = untiled(given) ?? given;
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const plane = pointSpace(view, block.sizes);
  const space = isNot(plane) ? lineSpace(view, block.sizes) : plane;
  if (isNot(space)) return isNot(plane) ? plane : space;
  const sum = pointSum(view, space);
  if (isNot(sum)) return sum;
  const seen = idleness(input, entry, { view, block, sum });
  if (isNot(seen)) return seen;
  const { gain } = seen;
  const groups = groupsFor(input, entry, block);
  if (isNot(groups)) return { ...groups, gain };
  const grid = (count: number): readonly TextEdit[] | RuleHold =>
    gridEdits(input, view, ([x, y, z]) => [`${factorOf(x)} * ${count}`, y, z]);
  const held = countsGrid(view, space) ?? grid(1);
  if (isNot(held)) return { ...held, gain };
  return groups.flatMap((count): readonly RuleAnswer[] => {
    const more = grid(count);
    if (isNot(more)) return [];
    const facts = { file: input.file, line: lineOf(sum.loop.loop), counter: "instructions" as const };
    return [
      {
        kind: "proposal",
        tree: editedTree(input, [edited({ view, space, sum, block, groups: count }), ...more]),
        hypothesis: fillSentence(entry.hypothesis, { groups: String(count) }),
        evidence: evidenceFor(entry, { ...facts, value: seen.blocks, ideal: seen.most }),
        gain,
      },
    ];
  });
});

/** A point that knows how large the grid is: with more blocks it would be another one. */
function countsGrid(view: KernelView, space: PointSpace): RuleHold | undefined {
  const texts = [...space.axes.map(({ extent }) => extent), ...space.definitions, ...space.kept];
  const counted = [...texts, ...space.guards, ...space.statements.map(({ text }) => text)];
  return counted.some((text) => /\bgridDim\b/.test(text))
    ? not("dependence", "what a point is depends on the size of the grid", view.line)
    : undefined;
}

interface Idleness {
  readonly blocks: number;
  readonly most: number;
  readonly gain: number;
}

/** How many multiprocessors are idle while a few threads walk through a long loop. */
function idleness(
  input: RuleInput,
  entry: RuleEntry,
  { view, block, sum }: { readonly view: KernelView; readonly block: BlockShape; readonly sum: PointSum },
): Idleness | RuleHold {
  const outputs = outputsOf(input);
  const threads = block.sizes[0] * block.sizes[1] * block.sizes[2];
  const blocks = Math.ceil(outputs / threads);
  const most = Math.ceil(threadsWanted(input, entry, threads) / threads);
  const each = countsOf(input, sum.loop.loop).instructions / Math.max(1, outputs / warp);
  if (blocks >= most) return not("no-evidence", `${blocks} blocks give every multiprocessor one`, view.line);
  const least = threshold(entry, waits(input) ? "instructionsWaiting" : "instructionsEach");
  return each < least
    ? not("no-evidence", "the loop is too short to be split", sum.loop.loop)
    : { blocks, most, gain: gainFrom(input, blocks, most) };
}

/**
 * The share of the multiprocessors that are idle; where all have a block, less than what rewrites of the loop
 * itself promise, for none of them fits a loop that is split.
 */
function gainFrom(input: RuleInput, blocks: number, most: number): number {
  const all = targetGpu(input).multiprocessors;
  return blocks < all ? 1 - blocks / all : 0.5 * (1 - blocks / most);
}

/** True where a kernel does little but wait: more threads help then, though each multiprocessor has some. */
function waits({ bound }: RuleInput): boolean {
  return bound.binding === "latency";
}

/** Threads that keep the GPU busy: a block on each multiprocessor, or enough to hide the wait for memory. */
function threadsWanted(input: RuleInput, entry: RuleEntry, threads: number): number {
  const each = waits(input) ? Math.max(threads, threshold(entry, "threadsWaiting")) : threads;
  return targetGpu(input).multiprocessors * each;
}

/** Into how many groups the threads of a block are split, the most promising first. */
function groupsFor(
  input: RuleInput,
  entry: RuleEntry,
  { sizes: [wide, high, deep] }: BlockShape,
): readonly number[] | RuleHold {
  const threads = wide * high * deep;
  const pointsLeast = threshold(entry, "pointsLeast");
  if (threads % warp !== 0 || !Number.isInteger(Math.log2(threads)) || threads < 2 * pointsLeast)
    return not("launch", `a block of ${threads} threads is not split into equal groups`, 1);
  const twice = 2 * targetGpu(input).multiprocessors * threads;
  const wanted = Math.max(twice, threadsWanted(input, entry, threads)) / outputsOf(input);
  const best = Math.min(threads / pointsLeast, 2 ** Math.ceil(Math.log2(Math.max(2, wanted))));
  return best > 4 ? [best, best / 4] : [best];
}

interface Rewrite {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly sum: PointSum;
  readonly block: BlockShape;
  readonly groups: number;
}

/** Points of a tile side by side: those whose outputs are neighbours. */
function sidesOf({ view, space, sum, block, groups }: Rewrite): readonly [number, number] {
  const [wide, high] = block.sizes;
  const points = (wide * high) / groups;
  if (space.axes[1].extent === "1") return [points, 1];
  const store = accessesIn(view, sum.after).find(({ stores }) => stores);
  const steps = store?.indexNode === undefined ? undefined : space.form(store.indexNode);
  const down = steps?.get(space.axes[1].name) === 1 && steps.get(space.axes[0].name) !== 1;
  const long = Math.min(points, points > 64 ? 16 : 8);
  return down ? [points / long, long] : [long, points / long];
}

function edited(rewrite: Rewrite): TextEdit {
  const { view, space, sum, block, groups } = rewrite;
  const { source } = view;
  const [across, down] = sidesOf(rewrite);
  const points = across * down;
  const names = walkNames(source, space);
  const [point, group, other] = [
    freshName(source, "point"),
    freshName(source, "group"),
    freshName(source, "other"),
  ];
  const parts = sum.states.map(({ name }) => freshName(source, `${name}Parts`));
  const { loop, body } = sum.loop;
  const inRows = [
    `${names.firstAcross} + ${point} % ${across}`,
    `${names.firstDown} + ${point} / ${across}`,
  ] as const;
  const inOneRow = isOnlyRow(space.axes[1]) && down === 1;
  const numbers = inOneRow ? ([`${names.firstAcross} + ${point}`] as const) : inRows;
  const head = headOf(sum, { group, groups });
  const turns = source.slice(body.startIndex, loop.endIndex);
  const threads = block.sizes[0] * block.sizes[1];
  return tileWalk({
    ...{ view, space, names },
    sides: { across, down },
    declarations: sum.states.map(
      ({ type: own }, position) => `__shared__ ${own} ${at(parts, position)}[${threads}];`,
    ),
    tile: [
      `const int ${point} = ${names.thread} % ${points};`,
      `const int ${group} = ${names.thread} / ${points};`,
      ...sum.states.map(declared),
      ...pointLines(space, numbers, [
        ...sum.locals,
        ...sum.states.flatMap((state) => begun(state, group)),
        `${head} ${turns}`,
      ]),
      ...sum.states.map(({ name }, position) => `${at(parts, position)}[${names.thread}] = ${name};`),
      "__syncthreads();",
      `if (${group} == 0) {`,
      `  #pragma unroll`,
      `  for (int ${other} = 1; ${other} < ${groups}; ++${other}) {`,
      ...sum.states.map(
        (state, position) =>
          `    ${combined(state, `${at(parts, position)}[${other} * ${points} + ${point}]`)}`,
      ),
      "  }",
      ...pointLines(space, numbers, [
        ...sum.locals,
        ...sum.after.map((node) => source.slice(node.startIndex, node.endIndex)),
      ]).map((line) => `  ${line}`),
      "}",
      "__syncthreads();",
    ],
  });
}

type State = PointSum["states"][number];

/** Whether a sum starts at a zero that is written as one, so that all groups can. */
function startsAtZero({ start, combination }: State): boolean {
  return combination === "sum" && /^0(\.0*)?f?$/.test(start);
}

function declared(state: State): string {
  const { type, name, start } = state;
  return `${type} ${name} = ${startsAtZero(state) ? start : `static_cast<${type}>(0)`};`;
}

/** The statement by which a state begins, where its declaration does not say it: one group adds the start. */
function begun(state: State, group: string): readonly string[] {
  const { name, start, combination } = state;
  if (startsAtZero(state)) return [];
  return [combination === "sum" ? `if (${group} == 0) ${name} = ${start};` : `${name} = ${start};`];
}

/** The head of the loop in which each group takes every `groups`-th turn, from its own number on. */
function headOf(
  { loop }: PointSum,
  { group, groups }: { readonly group: string; readonly groups: number },
): string {
  const { type, variable, start, condition, step } = loop;
  const plain = type.replace(/\bconst\b/g, "").trim();
  const amount = step.amount === undefined ? "" : ` * ${factorOf(step.amount.text)}`;
  const first = start.text === "0" ? "" : `${factorOf(start.text)} + `;
  const begin = `${plain} ${variable} = ${first}${group}${amount}`;
  return `for (${begin}; ${condition.text}; ${variable} += ${groups}${amount})`;
}

/** The statement that puts a part of another group to one's own. */
function combined({ name, combination }: State, part: string): string {
  if (combination === "sum") return `${name} += ${part};`;
  return `${name} = ${part} ${combination === "greatest" ? ">" : "<"} ${name} ? ${part} : ${name};`;
}
