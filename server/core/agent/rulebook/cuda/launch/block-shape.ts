import { constantNamed, constantValue, type Constants } from "../../../../language/cuda/constants";
import { declaredName, mentionIn, type Mention } from "../../../../language/cuda/body/threads";
import type { Dimension } from "../../../../language/cuda/host-scope";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import { collapse } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import type { KernelView } from "../kernel";
import { specFixesGrid } from "./grid-edit";

/** Threads of a block in x, y and z. */
export interface BlockShape {
  readonly sizes: readonly [number, number, number];
  /**
   * The only launch of the kernel, where the block stands in the source; undefined when the spec says it and
   * no program is run.
   */
  readonly launch: CudaLaunch | undefined;
}

/**
 * The block: from the spec, or as the entry was seen to launch it; else from the launches of the file, which
 * must agree, and be made of constants.
 */
export function blockShape(input: RuleInput, view: KernelView): BlockShape | RuleHold {
  const { run, program } = input.spec;
  const only = view.launches.length === 1 ? view.launches[0] : undefined;
  if (run.kind === "launch" && run.launch.block !== undefined) {
    const sizes = run.launch.block.map(Number);
    return sizes.every((size) => Number.isInteger(size) && size > 0)
      ? { sizes: padded(sizes), launch: program === undefined ? undefined : only }
      : not("launch", "the block of the kernel spec depends on the sizes", view.line);
  }
  if (run.kind === "entry") {
    const recorded = recordedBlocks(input, view);
    if (recorded.length > 1) return not("launch", "the kernel is launched with different blocks", view.line);
    const [sizes] = recorded;
    if (sizes !== undefined) return { sizes, launch: only };
  }
  const [first, ...others] = view.launches;
  if (first === undefined) return not("launch", "no launch of the kernel stands in its file", view.line);
  const sizes = sizesOf(first);
  if (sizes === undefined)
    return not("launch", `the block of the launch, ${textOf(first)}, is no constant`, first.call);
  const other = others.find((launch) => sizesOf(launch)?.join() !== sizes.join());
  if (other !== undefined) return not("launch", "the kernel is launched with different blocks", other.call);
  return { sizes: padded(sizes), launch: others.length === 0 ? first : undefined };
}

/** Blocks with which the entry launched the kernel, each once. */
function recordedBlocks({ facts }: RuleInput, { kernel }: KernelView): readonly BlockShape["sizes"][] {
  const name = new RegExp(`(?:^|::)${kernel.facts.name}(?:<|$)`);
  const blocks = facts.flatMap((each) => (each.block && name.test(each.kernel) ? [each.block] : []));
  return [...new Map(blocks.map((block) => [block.join(), block])).values()];
}

function sizesOf({ block, names }: CudaLaunch): readonly number[] | undefined {
  const sizes = block.map(({ text }) => constantValue(text, names));
  return sizes.length > 0 && sizes.every((size) => size !== undefined) ? sizes : undefined;
}

function textOf({ block }: CudaLaunch): string {
  return block.map(({ text }) => text).join(" × ");
}

function padded(sizes: readonly number[]): [number, number, number] {
  return [sizes[0] ?? 1, sizes[1] ?? 1, sizes[2] ?? 1];
}

/** The block when it has one dimension. */
export function rowOfThreads(input: RuleInput, view: KernelView): BlockShape | RuleHold {
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const { sizes, launch } = block;
  return sizes[1] === 1 && sizes[2] === 1
    ? block
    : not("launch", `the block is ${sizes.join(" × ")}`, launch?.call ?? view.line);
}

/** The literal behind an extent of a launch, directly or through names. */
export interface Literal {
  readonly value: number;
  readonly node: SyntaxNode;
  /** The constant that holds the literal, when there is one in between. */
  readonly name: string | undefined;
}

/** Follows an extent to its literal; undefined when it is computed. */
export function literalBehind(dimension: Dimension | undefined, names: Constants): Literal | undefined {
  let { text, node } = dimension ?? { text: "", node: undefined };
  let name: string | undefined;
  for (let step = 0; step < 8 && node !== undefined; step += 1) {
    const digits = /^\(?\s*(\d+)[uUlL]*\s*\)?$/.exec(text)?.[1];
    if (digits !== undefined) return { value: Number(digits), node, name };
    const constant = /^[A-Za-z_][\w:.]*$/.test(text) ? constantNamed(names, text) : undefined;
    if (constant === undefined) return undefined;
    name = constant.name;
    ({ text, node } = constant);
    text = collapse(text);
  }
  return undefined;
}

/**
 * Why the block size cannot change: the kernel or the function that launches it hard-codes the number, or the
 * spec fixes the grid.
 */
export function fixedElsewhere(input: RuleInput, view: KernelView, literal: Literal): RuleHold | undefined {
  if (specFixesGrid(input, view))
    return not("fixed-elsewhere", "the kernel spec fixes the grid, which would have to follow", view.line);
  const pattern = new RegExp(`\\b(${literal.value}|${literal.value - 1})[uUlL]*\\b`);
  const hosts = view.launches.flatMap(({ host }) => host ?? []);
  for (const node of [view.body, ...hosts]) {
    const mention = mentionBeside(node, literal.node, pattern);
    if (mention !== undefined)
      return not("fixed-elsewhere", `the number ${mention.text} stands in the source as well`, mention.line);
  }
  return undefined;
}

/** A match in the node's text other than in the literal itself. */
function mentionBeside(node: SyntaxNode, literal: SyntaxNode, pattern: RegExp): Mention | undefined {
  const inside = literal.startIndex >= node.startIndex && literal.endIndex <= node.endIndex;
  if (!inside) return mentionIn(node, pattern);
  const [start, end] = [literal.startIndex - node.startIndex, literal.endIndex - node.startIndex];
  const text = node.text.slice(0, start) + " ".repeat(end - start) + node.text.slice(end);
  return mentionIn({ text, startPosition: node.startPosition }, pattern);
}

/**
 * Another kernel of the file, or its launch, that uses the constant or one that is made from it: no one
 * checks what becomes of that kernel.
 */
export function servesOtherKernel(view: KernelView, constant: string): RuleHold | undefined {
  const { model, kernel } = view;
  const names = new Set([constant]);
  for (const { name, text } of model.constants.values())
    if ((text.match(/[A-Za-z_]\w*/g) ?? []).some((word) => names.has(word))) names.add(name);
  const others = model.launches.filter((launch) => !view.launches.includes(launch));
  const places = [
    ...model.kernels
      .filter(({ definition }) => definition.id !== kernel.definition.id)
      .map(({ definition }) => definition),
    ...others.flatMap(({ host }) => host ?? []),
  ];
  const place = places.find((node) =>
    node.descendantsOfType(["identifier", "type_identifier"]).some((use) => names.has(use.text)),
  );
  return place === undefined
    ? undefined
    : not("fixed-elsewhere", `${declaredName(place) ?? "another function"} uses ${constant} as well`, place);
}

/** Blocks of the launches that were counted, where all of them have as many. */
export function launchedBlocks({ launches = [] }: RuleInput, { kernel }: KernelView): number | undefined {
  const own = launches.filter(({ kernel: name }) => name === undefined || name.includes(kernel.facts.name));
  const [blocks, ...others] = new Set(own.map((launch) => launch.blocks));
  return others.length === 0 ? blocks : undefined;
}
