import type { Extents } from "../../../workload/probe/observation";
import type { SyntaxNode } from "../../tree";
import { type Constants, constantValue } from "../constants";
import { cudaKernels } from "../kernels";

/** Proposes blocks, by the axes that the kernel uses and the template arguments of its instance. */
export type BlockProposals = (axes: 1 | 2 | 3, instance: readonly string[]) => readonly Extents[];

/**
 * Blocks of threads that a kernel's text speaks for, best first; a launch has to confirm one of them. What is
 * returned no longer needs the tree.
 */
export function blockProposals(root: SyntaxNode, kernel: string, ofFile: Constants): BlockProposals {
  const found = cudaKernels(root).find(({ facts }) => facts.name === kernel);
  if (found === undefined || !("body" in found)) return plainBlocks;
  const shared = found.body
    .descendantsOfType("declaration")
    .map(({ text }) => text)
    .filter((text) => /\b__shared__\b/.test(text));
  const body = found.body.text;
  const parameters = found.facts.templateParameters.map(({ name }) => name);
  return (axes, instance) => {
    const arguments_ = parameters.flatMap((name, index) => {
      const text = instance[index];
      return text === undefined ? [] : [[name, { name, text, node: undefined }] as const];
    });
    const constants = new Map([...ofFile, ...arguments_]);
    const tiles = shared.map((text) => tileOf(text, constants)).filter((tile) => tile !== undefined);
    const named = namedSizes(body, constants, axes);
    const blocksOf = (size: number): readonly Extents[] =>
      blocksOfTile(axes === 1 ? [size] : [size, size], axes);
    return distinct([
      ...blocksInWords(body, constants, axes),
      ...blockOfStrides(body, constants, axes),
      ...blocksOfRows(body, constants, axes),
      ...tiles.flatMap((tile) => blocksOfTile(tile, axes)),
      ...(axes === 1 ? blocksOfWarps(body, tiles) : []),
      ...named.likely.flatMap(blocksOf),
      ...plainBlocks(axes),
      ...named.unlikely.flatMap(blocksOf),
    ]).filter(isLegal);
  };
}

/** A block of as many threads as the kernel says: `const int threads = (BM / TM) * (BN / TN);`. */
function blocksInWords(body: string, constants: Constants, axes: 1 | 2 | 3): readonly Extents[] {
  if (axes !== 1) return [];
  const said = body.matchAll(/\bconst(?:expr)?\s+[\w\s]+?\b\w*threads\w*\s*=\s*([^;]+);/gi);
  return [...said].flatMap(([, text = ""]): Extents[] => {
    const threads = constantValue(text, constants) ?? 0;
    return threads >= fewestThreads ? [[threads, 1, 1]] : [];
  });
}

/** Fewer threads than this are not what a block's index is multiplied with. */
const fewestThreads = 32;

/** A block with as many threads as the index of a block is multiplied with: `blockIdx.x * 128`. */
function blockOfStrides(body: string, constants: Constants, axes: 1 | 2 | 3): readonly Extents[] {
  const casts = /\((?:int|unsigned|size_t|long)\)\s*/g;
  const plain = body.replace(casts, "").replace(/\((blockIdx\.\w)\)/g, "$1");
  const along = ["x", "y", "z"].slice(0, axes).map((axis) => {
    const before = new RegExp(`blockIdx\\.${axis}\\s*\\*\\s*(\\w+)\\b(?!\\.)`).exec(plain);
    const behind = new RegExp(`(?<![\\w.])(\\w+)\\s*\\*\\s*blockIdx\\.${axis}`).exec(plain);
    return constantValue(before?.[1] ?? behind?.[1] ?? "", constants) ?? 0;
  });
  const [x = 1, y = 1, z = 1] = along;
  return x * y * z >= fewestThreads && along.every((size) => size > 1) ? [[x, y, z]] : [];
}

const usualThreads = [256, 128, 512];

/**
 * Blocks whose rows are as long as the index of a row is multiplied with: `threadIdx.y * 32 + threadIdx.x`.
 * As many threads as a loop's step, where one is a multiple of that.
 */
function blocksOfRows(body: string, constants: Constants, axes: 1 | 2 | 3): readonly Extents[] {
  if (axes !== 2) return [];
  const aliases = new Map(
    [...body.matchAll(/\b(\w+)\s*=\s*(threadIdx\.[xyz])\s*[,;]/g)].map(([, name = "", index = ""]) => [
      name,
      index,
    ]),
  );
  const plain = body.replace(/\b\w+\b/g, (word) => aliases.get(word) ?? word);
  const row =
    /threadIdx\.y\s*\*\s*(\w+)\s*\+\s*threadIdx\.x/.exec(plain) ??
    /threadIdx\.x\s*\+\s*threadIdx\.y\s*\*\s*(\w+)/.exec(plain);
  const x = constantValue(row?.[1] ?? "", constants) ?? 0;
  if (x <= 1) return [];
  const steps = [...plain.matchAll(/\+=\s*(\w+)\s*\)/g)].map(([, step = ""]) =>
    constantValue(step, constants),
  );
  return [...steps, ...usualThreads].flatMap((threads = 0): Extents[] =>
    threads > x && threads % x === 0 ? [[x, threads / x, 1]] : [],
  );
}

/** `[32][33]` of a shared array, as numbers. */
function tileOf(text: string, constants: Constants): readonly number[] | undefined {
  const sizes = [...text.matchAll(/\[([^\]]+)\]/g)].map(([, size = ""]) => constantValue(size, constants));
  return sizes.length > 0 && sizes.every((size): size is number => size !== undefined && size > 0)
    ? sizes
    : undefined;
}

/**
 * Constants of the file that the kernel's body names and that may be the size of a block. Unlikely: what each
 * thread counts up to by itself, and how long its own arrays are.
 */
function namedSizes(
  body: string,
  constants: Constants,
  axes: 1 | 2 | 3,
): Readonly<Record<"likely" | "unlikely", readonly number[]>> {
  const least = axes === 1 ? warpThreads : leastSide;
  const isSize = (value: number): boolean => value >= least && value <= 1024;
  const ofThreads = body
    .replace(/\bfor\s*\(\s*(?:\w+\s+)*\w+\s*=\s*\d+\s*;[^;]*;/g, "")
    .replace(/^(?!.*\b__shared__\b)\s*(?:\w+\s+)+\w+(?:\[[^\]]*\])+\s*;/gm, "");
  const valuesIn = (text: string): readonly number[] =>
    [...constants.keys()]
      .filter((name) => new RegExp(`\\b${name}\\b`).test(text))
      .flatMap((name) => constantValue(name, constants) ?? [])
      .filter(isSize);
  const likely = valuesIn(ofThreads);
  return { likely, unlikely: valuesIn(body).filter((value) => !likely.includes(value)) };
}

/** A side of a block of two dimensions is no shorter. */
const leastSide = 8;

/** A tile's width without padding or halo: the power of two below it. */
function plainWidth(size: number): number {
  return 2 ** Math.floor(Math.log2(size));
}

const warpThreads = 32;

function blocksOfTile(tile: readonly number[], axes: 1 | 2 | 3): readonly Extents[] {
  const [rows = 1, columns] = tile;
  if (axes === 1 || columns === undefined) {
    const elements = columns === undefined ? rows : rows * columns;
    // An array may be as long as the block, whatever its length is.
    const whole: Extents[] = elements % warpThreads === 0 ? [[elements, 1, 1]] : [];
    if (axes === 1 && elements < warpThreads) return [];
    return axes === 1 ? [[plainWidth(elements), 1, 1], ...whole] : [];
  }
  const [across, down] = [plainWidth(columns), plainWidth(rows)];
  return [
    [across, down, 1],
    [across, Math.max(1, down / 4), 1],
    [across, Math.max(1, down / 2), 1],
  ];
}

/** Blocks of as many warps as a short shared array has elements, in a text that counts warps. */
function blocksOfWarps(body: string, tiles: readonly (readonly number[])[]): readonly Extents[] {
  if (!/(?:\/\s*(?:32|warpSize|\w*WARP\w*)|>>\s*5)\b/i.test(body)) return [];
  const short = tiles.flatMap(([elements = 0, ...more]) => (more.length === 0 ? elements : []));
  return short
    .filter((elements) => elements > 1 && elements < warpThreads)
    .map((elements) => [warpThreads * plainWidth(elements), 1, 1]);
}

function plainBlocks(axes: 1 | 2 | 3): readonly Extents[] {
  if (axes === 1)
    return [
      [256, 1, 1],
      [128, 1, 1],
      [32, 1, 1],
    ];
  if (axes === 2)
    return [
      [16, 16, 1],
      [32, 8, 1],
      [256, 1, 1],
    ];
  return [
    [8, 8, 4],
    [32, 8, 1],
    [256, 1, 1],
  ];
}

function isLegal([x, y, z]: Extents): boolean {
  return x * y * z <= 1024 && x * y * z >= 1 && z <= 64;
}

function distinct(blocks: readonly Extents[]): readonly Extents[] {
  return [...new Map(blocks.map((block) => [block.join(), block])).values()];
}
