import { at } from "../../../../base/known";
import { lineOf } from "../../../../language/query";
import { editedText, editedTree, freshName, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, gainOnAccesses, targetGpu } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { type BlockShape, blockShape } from "../launch/block-shape";
import { factorOf, resizedBlock, writtenBlock } from "../launch/grid-edit";
import { accessesIn, type PointSpace, pointSpace } from "../points/point-space";
import { pointLines, tileWalk, walkNames } from "../points/tile-walk";
import { untiled } from "../products/untiled";
import { outputsOf } from "./outputs-of";
import { type StagedLoop, stagedLoop } from "./staged-loop";
import { type StagingNames, stagingLines } from "./staging-lines";

/** How a block works on a tile of outputs. */
interface Plan {
  readonly threads: number;
  /** Threads side by side along the axis of the lanes; the others stand below each other. */
  readonly wide: number;
  /** Outputs of a thread along the axis of the lanes and along the other one. */
  readonly across: number;
  readonly down: number;
  /** Iterations whose operands are staged at a time. */
  readonly deep: number;
}

/**
 * Stages the operands of a product in shared memory and gives each thread a few rows and columns of outputs
 * in registers: each loaded element then serves a whole tile.
 */
export const stageProduct = defineRule("cuda-stage-product", (input, entry) => stagedProduct(input, entry));

/** The same in place of the tiles that a kernel has, where larger ones reuse its operands more often. */
export const retileProduct = defineRule("cuda-retile-product", (input, entry) => {
  const plain = untiled(input);
  return plain === undefined
    ? not("no-pattern", "the kernel stages no product in square tiles", 1)
    : stagedProduct(plain, entry, plain.side);
});

/** `reused`: how often an operand that is loaded serves already. */
function stagedProduct(input: RuleInput, entry: RuleEntry, reused = 1): RuleAnswer | readonly RuleAnswer[] {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const space = pointSpace(view, block.sizes, false);
  if (isNot(space)) return space;
  const loop = stagedLoop(view, space);
  if (isNot(loop)) return loop;
  const { globalLoadRequests: value } = countsOf(input, loop.loop.loop);
  if (value === 0) return not("no-evidence", "the loop's loads were not counted", loop.loop.loop);
  const plans = plansFor(input, entry, { view, block, space });
  if (plans.length === 0) return not("launch", "the threads of a block are no whole warps", view.line);
  const better = plans.filter((plan) => reuseOf(plan) > reused);
  return better.length === 0
    ? not("no-evidence", `each operand that is loaded serves ${reused} outputs already`, view.line)
    : better.map((plan) => proposal(input, entry, { view, space, loop, plan, block, reused }));
}

/** How many outputs an operand serves once it is loaded. */
function reuseOf(plan: Plan): number {
  return Math.min(plan.wide * plan.across, (plan.threads / plan.wide) * plan.down);
}

const terms = ["l1", "l2", "latency", "dram"] as const;

interface Rewrite {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly loop: StagedLoop;
  readonly plan: Plan;
  readonly block: BlockShape;
  readonly reused: number;
}

function proposal(input: RuleInput, entry: RuleEntry, rewrite: Rewrite): RuleAnswer {
  const { loop, plan, view, block } = rewrite;
  const { globalLoadRequests: value } = countsOf(input, loop.loop.loop);
  const facts = {
    ...{ file: input.file, line: lineOf(loop.loop.loop), counter: "globalLoadRequests" as const },
    ...{ value, ideal: Math.ceil((value * rewrite.reused) / reuseOf(plan)) },
  };
  const threads = block.sizes[0] * block.sizes[1];
  const resized = plan.threads === threads ? [] : resizedBlock(view, plan.threads);
  return {
    kind: "proposal",
    tree: editedTree(input, [edited(rewrite), ...resized]),
    hypothesis: fillSentence(entry.hypothesis, {
      columns: String(plan.wide * plan.across),
      rows: String((plan.threads / plan.wide) * plan.down),
      outputs: String(plan.across * plan.down),
    }),
    evidence: evidenceFor(entry, facts),
    gain: gainOf(input, entry, { value, reused: rewrite.reused }),
  };
}

/** Of a product in shared tiles, loads from there get fewer as well. */
function gainOf(input: RuleInput, entry: RuleEntry, loads: { value: number; reused: number }): number {
  const fraction = 1 - 1 / threshold(entry, "reuse");
  return loads.reused > 1
    ? gainOn(input, [...terms, "issue", "shared"], fraction)
    : gainOnAccesses(input, terms, { requests: loads.value, fraction });
}

const shapes: readonly Pick<Plan, "across" | "down">[] = [
  { across: 4, down: 8 },
  { across: 4, down: 4 },
  { across: 2, down: 4 },
  { across: 2, down: 2 },
  { across: 1, down: 4 },
  { across: 1, down: 2 },
];

/** The plans that promise most, by instructions of the busiest multiprocessor. */
function plansFor(
  input: RuleInput,
  entry: RuleEntry,
  {
    view,
    block,
    space,
  }: { readonly view: KernelView; readonly block: BlockShape; readonly space: PointSpace },
): readonly Plan[] {
  const own = block.sizes[0] * block.sizes[1];
  const grid = space.axes.some(({ extent }) => /gridDim|blockDim/.test(extent));
  const free = !grid && !space.table && writtenBlock(view) !== undefined;
  const sizes = free ? [...new Set([64, 128, 256])] : [own];
  const outputs = outputsOf(input);
  const plans = sizes
    .filter((threads) => threads % 32 === 0 && threads >= 64)
    .flatMap((threads) =>
      shapes.map((shape) => ({ threads, wide: threads >= 512 ? 32 : 16, deep: 8, ...shape })),
    );
  const cost = (plan: Plan): number => {
    const { threads, across, down } = plan;
    const tiles = Math.ceil(outputs / (threads * across * down));
    const busiest = Math.ceil(tiles / targetGpu(input).multiprocessors);
    const staged = (plan.wide * across + (threads / plan.wide) * down) / threads;
    const shared = across + Math.ceil(down / 4);
    // With few outputs a tile is small, and only more warps hide the wait for its operands.
    const thin =
      threads < 256 && outputs < targetGpu(input).multiprocessors * threshold(entry, "outputsEach");
    return (thin ? 8 : 1) * busiest * threads * (Math.max(across * down + shared, 4 * shared) + staged * 8);
  };
  const least = [...plans].sort((a, b) => cost(a) - cost(b)).slice(0, 2);
  const small = outputs < targetGpu(input).multiprocessors * threshold(entry, "outputsEach");
  return small ? [...least, ...smallTiles(sizes)] : least;
}

/**
 * For outputs that do not fill the GPU with large tiles: one or two a thread keep many blocks, and deep
 * slices wait for memory less often.
 */
function smallTiles(sizes: readonly number[]): readonly Plan[] {
  const threads = Math.max(...sizes);
  if (threads % 32 !== 0 || threads < 64 || threads > 256) return [];
  return [1, 2].map((down) => ({ threads, wide: 16, across: 1, down, deep: 32 }));
}

interface Names extends StagingNames {
  readonly across: string;
  readonly down: string;
  readonly tiles: readonly string[];
  readonly values: readonly string[];
  readonly states: readonly string[];
}

function namesFor(source: string, space: PointSpace, loop: StagedLoop): Names {
  return {
    ...walkNames(source, space),
    first: freshName(source, `${loop.loop.variable}First`),
    depth: freshName(source, "depth"),
    element: freshName(source, "element"),
    part: freshName(source, "part"),
    across: freshName(source, "across"),
    down: freshName(source, "down"),
    tiles: loop.operands.map((_, position) => freshName(source, `staged${position + 1}`)),
    values: loop.operands.map((_, position) => freshName(source, `operand${position + 1}`)),
    states: loop.states.map(({ name }) => freshName(source, `${name}Of`)),
  };
}

/** The axis of the lanes: the one along which the outputs lie. */
function laneAxis(view: KernelView, space: PointSpace, { after }: StagedLoop): 0 | 1 {
  const store = accessesIn(view, after).find(({ stores }) => stores);
  const steps = store?.indexNode === undefined ? undefined : space.form(store.indexNode);
  return steps?.get(space.axes[1].name) === 1 && steps.get(space.axes[0].name) !== 1 ? 1 : 0;
}

function edited(rewrite: Rewrite): TextEdit {
  const { view, space, loop, plan } = rewrite;
  const lanes = laneAxis(view, space, loop);
  const names = namesFor(view.source, space, loop);
  const high = plan.threads / plan.wide;
  const [wideSide, highSide] = [plan.wide * plan.across, high * plan.down];
  const making = { ...rewrite, names, lanes, high };
  return tileWalk({
    ...{ view, space, names },
    sides: lanes === 0 ? { across: wideSide, down: highSide } : { across: highSide, down: wideSide },
    declarations: loop.operands.map((operand, position) => {
      const length = sideOf(making, operand.axis);
      const name = at(names.tiles, position);
      return `__shared__ __align__(16) ${operand.elementType} ${name}[${plan.deep}][${length + 4}];`;
    }),
    tile: [...stateLines(making), ...sliceLines(making), ...endLines(making)],
  });
}

interface Making extends Rewrite {
  readonly names: Names;
  readonly lanes: 0 | 1;
  /** Threads below each other. */
  readonly high: number;
}

function sideOf({ plan, lanes, high }: Making, axis: 0 | 1): number {
  return axis === lanes ? plan.wide * plan.across : high * plan.down;
}

/** The number of a thread's output in the tile, along an axis. */
function placeIn({ plan, names, lanes }: Making, axis: 0 | 1): string {
  return axis === lanes
    ? `${names.thread} % ${plan.wide} + ${names.across} * ${plan.wide}`
    : `${names.thread} / ${plan.wide} * ${plan.down} + ${names.down}`;
}

function over({ names, plan, lanes }: Making, axis: 0 | 1): string {
  const [name, count] = axis === lanes ? [names.across, plan.across] : [names.down, plan.down];
  return `for (int ${name} = 0; ${name} < ${count}; ++${name})`;
}

function stateLines(making: Making): readonly string[] {
  const { loop, names, plan, lanes } = making;
  return loop.states.flatMap(({ type, start }, position) => {
    const name = at(names.states, position);
    return [
      `${type.replace(/\bconst\b/g, "").trim()} ${name}[${plan.down}][${plan.across}];`,
      "#pragma unroll",
      over(making, lanes === 0 ? 1 : 0),
      `  ${over(making, lanes)} ${name}[${names.down}][${names.across}] = ${start};`,
    ];
  });
}

/** The loop over slices of iterations: their operands are staged, then used by all. */
function sliceLines(making: Making): readonly string[] {
  const { loop, names, plan } = making;
  const { start, bound, comparison, type, variable } = loop.loop;
  const end = comparison === "<=" ? `(${bound.text} + 1)` : factorOf(bound.text);
  const plain = type.replace(/\bconst\b/g, "").trim();
  const head = `for (${plain} ${names.first} = ${start.text}; ${names.first} < ${end}; ${names.first} += ${plan.deep}) {`;
  const staged = loop.operands.flatMap((operand, position) =>
    stagingLines(making, {
      ...{ operand, tile: at(names.tiles, position), end },
      length: sideOf(making, operand.axis),
    }),
  );
  const whole = loop.zeroSafe
    ? String(plan.deep)
    : `${plan.deep} && ${names.first} + ${names.depth} < ${end}`;
  return [
    head,
    ...staged.map((line) => `  ${line}`),
    "  __syncthreads();",
    loop.zeroSafe ? "  #pragma unroll" : "  #pragma unroll 4",
    `  for (int ${names.depth} = 0; ${names.depth} < ${whole}; ++${names.depth}) {`,
    ...(usedBeside(loop) ? [`    const ${plain} ${variable} = ${names.first} + ${names.depth};`] : []),
    ...useLines(making).map((line) => `    ${line}`),
    "  }",
    "  __syncthreads();",
    "}",
  ];
}

/** True where the loop's variable is read other than for an operand. */
function usedBeside({ loop, operands, statements }: StagedLoop): boolean {
  const uses = statements.flatMap((node) =>
    node.descendantsOfType("identifier").filter(({ text }) => text === loop.variable),
  );
  return uses.some(
    (use) => !operands.some(({ node }) => use.startIndex >= node.startIndex && use.endIndex <= node.endIndex),
  );
}

function useLines(making: Making): readonly string[] {
  const { loop, names, plan, lanes, view } = making;
  const loads = loop.operands.flatMap(({ axis, elementType }, position) => {
    const count = axis === lanes ? plan.across : plan.down;
    const name = at(names.values, position);
    const own = axis === lanes ? names.across : names.down;
    return [
      `${elementType} ${name}[${count}];`,
      "#pragma unroll",
      `${over(making, axis)} ${name}[${own}] = ${at(names.tiles, position)}[${names.depth}][${placeIn(making, axis)}];`,
    ];
  });
  const statements = loop.statements.map((statement) => {
    const replaced = loop.operands.flatMap(({ node, axis }, position) =>
      node.startIndex >= statement.startIndex && node.endIndex <= statement.endIndex
        ? [replaceNode(node, `${at(names.values, position)}[${axis === lanes ? names.across : names.down}]`)]
        : [],
    );
    const states = loop.states.flatMap(({ name }, position) =>
      statement
        .descendantsOfType("identifier")
        .filter(({ text }) => text === name)
        .map((node) => replaceNode(node, `${at(names.states, position)}[${names.down}][${names.across}]`)),
    );
    const range = { start: statement.startIndex, end: statement.endIndex };
    return editedText(view.source, range, [...replaced, ...states]);
  });
  return [
    ...loads,
    "#pragma unroll",
    `${over(making, lanes === 0 ? 1 : 0)} {`,
    "  #pragma unroll",
    `  ${over(making, lanes)} {`,
    ...statements.map((line) => `    ${line}`),
    "  }",
    "}",
  ];
}

function endLines(making: Making): readonly string[] {
  const { space, loop, names, lanes, view } = making;
  const numbers = [0, 1].map((axis) => {
    const first = axis === 0 ? names.firstAcross : names.firstDown;
    return `${first} + ${placeIn(making, axis === 0 ? 0 : 1)}`;
  });
  const states = loop.states.map(
    ({ name, type }, position) =>
      `${type} ${name} = ${at(names.states, position)}[${names.down}][${names.across}];`,
  );
  const after = loop.after.map((node) => view.source.slice(node.startIndex, node.endIndex));
  return [
    "#pragma unroll",
    `${over(making, lanes === 0 ? 1 : 0)} {`,
    "  #pragma unroll",
    `  ${over(making, lanes)} {`,
    ...pointLines(
      space,
      [at(numbers, 0), at(numbers, 1)],
      [...loop.locals, ...loop.late, ...states, ...after],
    ).map((line) => `    ${line}`),
    "  }",
    "}",
  ];
}
