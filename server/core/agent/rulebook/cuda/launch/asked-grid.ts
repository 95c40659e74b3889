import { changes } from "../../../../language/cuda/body/scope";
import type { CountedLoop } from "../../../../language/cuda/body/loops";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import type { SyntaxNode } from "../../../../language/tree";
import { freshName, insertBefore, type TextEdit } from "../../edits";
import { not, type RuleHold } from "../../rule";
import type { KernelView } from "../kernel";
import { factorOf } from "./grid-edit";

/** An extent of a grid that the host computes at each launch, with the function that does so. */
interface AskedExtent {
  readonly text: string;
  readonly edit: TextEdit;
}

interface Asked {
  readonly view: KernelView;
  readonly launch: CudaLaunch;
  /** Blocks for each multiprocessor. */
  readonly each: number;
}

/**
 * Blocks that fill the GPU at hand, no more than the loop over the elements has turns for where the host
 * knows how many those are.
 */
export function fillingBlocks(asked: Asked, loop: CountedLoop): AskedExtent | RuleHold {
  const needed = blocksNeeded(asked, loop);
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
  const name = freshName(asked.view.source, "blocksForEach");
  return hostFunction(asked, {
    comment: "Blocks that share a row, so that the GPU at hand is full.",
    head: `unsigned ${name}(long long rows)`,
    result: `const long long parts = rows < 1 ? 1 : (most + rows - 1) / rows;\n  return parts < ${most} ? parts : ${most};`,
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
  return { text, edit: insertBefore(placeAbove(launch.host), `${lines.join("\n")}\n`) };
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

/** `(n + 255) / 256` in the host's words, where the loop ends at a number that the launch passes. */
function blocksNeeded({ view, launch }: Asked, { bound }: CountedLoop): string | undefined {
  const place = view.kernel.facts.parameters.findIndex(({ name }) => name === bound.text);
  const passed = launch.site.arguments[place];
  const changed = changes(view.body).some(({ target }) => target.text === bound.text);
  const [threads, ...others] = launch.block;
  if (place < 0 || passed === undefined || changed || threads === undefined) return undefined;
  if (!/^[\w.]+$/.test(passed) || others.some(({ text }) => text !== "1")) return undefined;
  const block = factorOf(threads.text);
  return `(${passed} + ${block} - 1) / ${block}`;
}
