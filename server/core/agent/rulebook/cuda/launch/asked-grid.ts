import { changes } from "../../../../language/cuda/body/scope";
import type { CountedLoop } from "../../../../language/cuda/body/loops";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, insertBefore, type TextEdit } from "../../edits";
import { targetGpu } from "../../evidence";
import { not, type RuleHold, type RuleInput } from "../../rule";
import type { KernelView } from "../kernel";
import { factorOf, hostCodeRuns } from "./grid-edit";

/** An extent of a grid that the host computes at each launch, with the function that does so. */
interface AskedExtent {
  readonly text: string;
  /** None where no function is asked. */
  readonly edits: readonly TextEdit[];
}

interface Asked {
  readonly input: RuleInput;
  readonly view: KernelView;
  readonly launch: CudaLaunch;
  /** Blocks for each multiprocessor. */
  readonly each: number;
  /** True where a block takes a turn of the loop for each of its threads, false where it takes one. */
  readonly together?: boolean;
}

/**
 * Blocks that fill the GPU at hand, no more than the loop over the elements has turns for where the host
 * knows how many those are.
 */
export function fillingBlocks(asked: Asked, loop: CountedLoop): AskedExtent | RuleHold {
  const needed = blocksNeeded(asked, loop);
  const most = mostWithoutHost(asked);
  if (most !== undefined)
    return {
      text: needed === undefined ? `${most}` : `(${needed} < ${most} ? ${needed} : ${most})`,
      edits: [],
    };
  const name = freshName(asked.view.source, "fillingBlocks");
  const [parameter, result] =
    needed === undefined
      ? ["", "return most;"]
      : ["long long needed", "return needed < 1 ? 1 : needed < most ? needed : most;"];
  return hostFunction(asked, {
    comment: "Blocks that fill the GPU at hand.",
    head: `unsigned ${name}(${parameter})`,
    result,
    text: `${name}(${needed ?? ""})`,
  });
}

/** How many blocks share each of the launch's rows, so that all of them fill the GPU at hand: 1 … `most`. */
export function blocksForEach(asked: Asked, rows: string, most: number): AskedExtent | RuleHold {
  const all = mostWithoutHost(asked);
  if (all !== undefined) {
    const row = factorOf(rows);
    const few = Math.ceil(all / most);
    return { text: `(${row} < ${few} ? ${most} : (${row} < ${all} ? ${all} / ${row} : 1))`, edits: [] };
  }
  const name = freshName(asked.view.source, "blocksForEach");
  return hostFunction(asked, {
    comment: "Blocks that share a row, so that the GPU at hand is full.",
    head: `unsigned ${name}(long long rows)`,
    result: [
      "const long long parts = rows < 1 ? 1 : (most + rows - 1) / rows;",
      `return parts < ${most} ? parts : ${most};`,
    ].join("\n  "),
    text: `${name}(${rows})`,
  });
}

interface HostFunction {
  readonly comment: string;
  readonly head: string;
  /** Statements that return, from `most`: blocks that the GPU has room for. */
  readonly result: string;
  readonly text: string;
}

function hostFunction(
  { launch, each }: Asked,
  { comment, head, result, text }: HostFunction,
): AskedExtent | RuleHold {
  if (launch.host === undefined)
    return not("launch", "the launch stands in no function of the file", launch.call);
  const lines = [
    `// ${comment}`,
    `static ${head} {`,
    "  int device = 0, multiprocessors = 1;",
    "  cudaGetDevice(&device);",
    "  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);",
    `  const long long most = ${each}ll * multiprocessors;`,
    `  ${result}`,
    "}",
    "",
  ];
  return { text, edits: [insertBefore(placeAbove(launch.host), `${lines.join("\n")}\n`)] };
}

/** The outermost part of the file around a node, or the first of the comments right above it. */
function placeAbove(node: SyntaxNode): SyntaxNode {
  let place = node;
  while (place.parent !== null && place.parent.parent !== null) place = place.parent;
  for (;;) {
    const before = place.previousNamedSibling;
    if (before?.type !== "comment" || before.endPosition.row + 1 < place.startPosition.row) return place;
    place = before;
  }
}

/**
 * Blocks that fill the GPU that was judged for, where no host code runs: the grid of a launch that the spec
 * states is read from the source as an expression, which calls no functions of the file.
 */
function mostWithoutHost({ input, each }: Asked): number | undefined {
  return hostCodeRuns(input) ? undefined : each * targetGpu(input).multiprocessors;
}

/** `n / 256 + 1` in the host's words, where the loop ends at a number that the launch passes. */
function blocksNeeded({ view, launch, together = true }: Asked, { bound }: CountedLoop): string | undefined {
  const place = view.kernel.facts.parameters.findIndex(({ name }) => name === bound.text);
  const passed = launch.site.arguments[place];
  const changed = changes(view.body).some(({ target }) => target.text === bound.text);
  const [threads, ...others] = launch.block;
  if (place < 0 || passed === undefined || changed || threads === undefined) return undefined;
  if (!/^[\w.]+$/.test(passed) || others.some(({ text }) => text !== "1")) return undefined;
  if (!together) return passed;
  const block = factorOf(threads.text);
  return `${passed} / ${block} + 1`;
}
