import type { Extents } from "../../../../workload/probe/observation";
import type { SizeRelation } from "../../../../workload/probe/shapes/size-relations";
import type { SizeExpression } from "../../../../workload/spec";
import { type Constants, constantValue } from "../../constants";
import { namesInSize } from "./size-text";

/** A launch that a comment tells: the threads of a block, and of each axis how many blocks there are. */
export interface SaidLaunch {
  readonly block: Extents;
  /** In names of the comment's, some of which may be no parameters; undefined where it is no expression. */
  readonly grid: readonly (SizeExpression | undefined)[];
}

interface Known {
  readonly kernel: string;
  /** Whole numbers that the kernel is passed. */
  readonly numbers: readonly string[];
  readonly constants: Constants;
}

const comments = /(?:\/\/[^\n]*(?:\n[^\S\n]*(?=\/\/))?)+|\/\*[^]*?\*\//g;
const inner = String.raw`[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*`;
const configured = /(?:\b(\w+)\s*(?:<[^<>\n]*>)?\s*)?<<<\s*([^]*?)\s*>>>/g;
const mostThreads = 1024;

/**
 * Launches that comments tell, as code (`dim3 block(32, 8); k<<<(n + 31) / 32, block>>>`), as lists (`block
 * (32,8,1), grid (ceil(n/32), 1, 1)`) or in words (`256 threads per block`): proposals, which a run confirms.
 */
export function saidLaunches(text: string, known: Known): readonly SaidLaunch[] {
  return [...text.matchAll(comments)].flatMap(([comment]) => {
    const said = comment.replace(/\n\s*(?:\/\/+|\*(?!\/))/g, "\n").replace(/^\/[/*]+|\*\/$/g, "");
    const written = [...said.matchAll(configured)]
      .filter(([, name]) => name === undefined || name === known.kernel || !/kernel|_k$/i.test(name))
      .flatMap(([, , inside = ""]) => launchOf(partsOf(inside), said, known));
    if (written.length > 0) return written;
    const block = listBehind("block|blockDim|threads", said) ?? inWords(said);
    return block === undefined ? [] : launchOf([gridIn(said), block], said, known);
  });
}

function launchOf(
  [grid = "", block = ""]: readonly string[],
  said: string,
  known: Known,
): readonly SaidLaunch[] {
  const threads = extentsIn(block, said).map((each) => constantValue(each, known.constants) ?? Number.NaN);
  const [x = 1, y = 1, z = 1] = threads;
  const isBlock = threads.length > 0 && [x, y, z].every((each) => Number.isInteger(each) && each > 0);
  if (!isBlock || x * y * z > mostThreads) return [];
  const extents = [x, y, z] as const;
  return [{ block: extents, grid: extentsIn(grid, said).map((each) => sizeIn(each, extents, known)) }];
}

/** The extents that a text stands for: a list, `dim3(…)`, or the name of one of both that the comment has. */
function extentsIn(text: string, said: string): readonly string[] {
  const plain = text.trim();
  const [, listed] = new RegExp(String.raw`^(?:dim3\s*)?[({](${inner})[)}]$`).exec(plain) ?? [];
  if (listed !== undefined && (plain.startsWith("dim3") || partsOf(listed).length > 1))
    return partsOf(listed);
  if (/^[A-Za-z_]\w*$/.test(plain)) {
    const [, made] =
      new RegExp(String.raw`\b${plain}\s*(?:=\s*(?:dim3\s*)?)?\((${inner})\)`).exec(said) ?? [];
    const [, value] = new RegExp(String.raw`\b${plain}\s*=\s*([^;,\n]+)`).exec(said) ?? [];
    const [meant] = [made, value].flatMap((each) => each ?? []);
    if (meant !== undefined && meant.trim() !== plain) return partsOf(meant);
  }
  return plain === "" ? [] : partsOf(plain);
}

/** What stands between commas that are in no parentheses. */
function partsOf(text: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (/[([]/.test(character)) depth += 1;
    if (/[)\]]/.test(character)) depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] = `${parts.at(-1) ?? ""}${character}`;
  }
  return parts.map((part) => part.trim());
}

/** `block (32,8,1)`, `grid: (ceil(n / 32), m)`, `blockDim = 16 x 16`. */
function listBehind(names: string, said: string): string | undefined {
  const name = String.raw`\b(?:${names})(?:\s?(?:size|dim|dims|shape))?\s*(?:of|is|=|:)?\s*`;
  const [, listed] = new RegExp(`${name}\\((${inner})\\)`, "i").exec(said) ?? [];
  if (listed !== undefined) return `dim3(${listed.replace(/(?<=\d)\s*[x×]\s*(?=\d)/g, ", ")})`;
  const [, product] = new RegExp(String.raw`${name}(\d+(?:\s*[x×]\s*\d+){1,2})\b`, "i").exec(said) ?? [];
  return product === undefined ? undefined : `dim3(${product.replace(/\s*[x×]\s*/g, ", ")})`;
}

/** `grid (ceil(n / 32), m)`, `grid: tokens`. */
function gridIn(said: string): string {
  const listed = listBehind("grid|gridDim|blocks", said);
  const [, plain = ""] =
    /\bgrid(?:Dim)?\s*[:=]\s*([A-Za-z_\d][^,;\n]*?)\s*(?:[,;\n]|\.(?=\s|$)|$)/i.exec(said) ?? [];
  return listed ?? plain;
}

/** `256 threads per block`, `blocks of 128 threads`, `blockDim.x == 64`. */
function inWords(said: string): string | undefined {
  const forms = [
    /\b(\d+)[ -]threads?(?:\s+(?:per|in (?:a|each)|a|each)[ -]?(?:thread[ -]?)?blocks?|[ -]blocks?)\b/i,
    /\bblocks? of (\d+)(?:\s+threads)?\b(?!\s*[x×]|\s*(?:elements|rows|values|columns))/i,
    /\bblock(?:Dim(?:\.x)?| ?size)\s*(?:=|==|:|is|must be|of)\s*(\d+)\b/i,
    /\b(?:launch(?:ed)?|run|start(?:ed)?) with (\d+) threads\b/i,
    /\bblock\s*[:=]?\s*(\d+)(?=\s*(?:[,;.)\n]|threads\b|$))/i,
  ];
  return forms.map((form) => form.exec(said)?.[1]).find((each) => each !== undefined);
}

/** `ceil(n / 32)`, of whole numbers. */
const roundedUp = new RegExp(
  String.raw`\b(?:ceilf?|roundup)\s*\(\s*((?:[^()/]|\([^()]*\))+?)\s*\/\s*(\w+)\s*\)`,
  "gi",
);

/** A number of blocks in the kernel's own numbers, where it has them, and in names of the comment's. */
function sizeIn(text: string, [x, y, z]: Extents, { numbers, constants }: Known): SizeExpression | undefined {
  const plain = text
    .replace(/⌈([^⌈⌉]*)⌉/g, "ceil($1)")
    .replace(/\(\s*(?:float|double|int|unsigned|size_t)\s*\)\s*/g, "")
    .replace(/\b(?:block|blockDim|threads|dimBlock)\s*\.\s*([xyz])\b/g, (_, axis: string) =>
      String({ x, y, z }[axis as "x"]),
    )
    .replace(/\b[A-Za-z_]\w*\b(?!\s*\()/g, (word) => {
      if (numbers.includes(word)) return word;
      const own = numbers.find((each) => each.toLowerCase() === word.toLowerCase());
      return own ?? String(constantValue(word, constants) ?? word);
    })
    .replace(roundedUp, "ceil_div($1, $2)");
  const names = namesInSize(plain);
  // What a size is divided by is the work of a block, which is no size of its own.
  const isDivisor = (name: string): boolean =>
    !numbers.includes(name) && new RegExp(String.raw`[/%]\s*\(?\s*${name}\b`).test(plain);
  if (names === undefined || names.some(isDivisor)) return undefined;
  return /^\d+$/.test(plain) ? Number(plain) : plain;
}

/** Sizes that are whole numbers of parts by what comments tell: `n / 16` blocks are for multiples of 16. */
export function wholeSizes(said: readonly SaidLaunch[]): readonly SizeRelation[] {
  const extents = said
    .flatMap(({ grid }) => grid.map(String))
    .filter((each) => !/ceil|cdiv|div_up/i.test(each));
  const found = extents.flatMap((extent) =>
    [...extent.matchAll(/(?<![-+*]\s*)\b([A-Za-z_]\w*)\s*\/\s*(\d+)\b/g)].map(
      ([, name = "", parts]): SizeRelation => ({ kind: "multiple", name, value: Number(parts) }),
    ),
  );
  return found.filter(({ value }) => Number(value) > 1);
}
