import { prepareText } from "./cuda/prepare";
import { findKernels as findCudaKernels, type KernelMemory } from "./cuda/kernels";
import { findLaunchSites as findCudaLaunchSites } from "./cuda/model";
import { findSymbols as findCudaSymbols, type SymbolMemory } from "./cuda/symbols";
import { findKernels as findTritonKernels } from "./triton/kernels";
import { findLaunchSites as findTritonLaunchSites } from "./triton/launches";
import { findSymbols as findTritonSymbols } from "./triton/symbols";
import type { KernelFacts, LaunchSite, SourceSymbol } from "./facts";
import { PartMemory } from "./part-memory";
import type { GrammarName, Grammars, SyntaxNode, SyntaxTree } from "./tree";
import { type Dialect, dialectOf } from "../workload/spec";

/** Everything that the rest of the product asks of a dialect. */
interface DialectSupport {
  readonly dialect: Dialect;
  readonly grammar: GrammarName;
  /** Blanks what the grammar cannot read, at equal length. */
  prepareText(text: string): string;
  findKernels(root: SyntaxNode, memory?: SourceMemory["kernels"]): readonly KernelFacts[];
  findLaunchSites(root: SyntaxNode): readonly LaunchSite[];
  findSymbols(
    root: SyntaxNode,
    kernels: readonly KernelFacts[],
    memory?: SourceMemory["symbols"],
  ): readonly SourceSymbol[];
}

/** What was found in the last version of a text, part by part. */
export interface SourceMemory {
  readonly kernels: KernelMemory<KernelFacts>;
  readonly symbols: SymbolMemory;
}

/** For a text of which nothing is known yet. */
export function sourceMemory(): SourceMemory {
  return { kernels: new PartMemory(), symbols: new PartMemory() };
}

/** The registry: a new dialect is one folder and one entry; its endings stand in `workload/spec.ts`. */
const supports: readonly DialectSupport[] = [
  {
    dialect: "cuda",
    grammar: "cuda",
    prepareText,
    findKernels: findCudaKernels,
    findLaunchSites: findCudaLaunchSites,
    findSymbols: findCudaSymbols,
  },
  {
    dialect: "triton",
    grammar: "python",
    prepareText: (text) => text,
    findKernels: findTritonKernels,
    findLaunchSites: findTritonLaunchSites,
    findSymbols: findTritonSymbols,
  },
];

function supportOf(dialect: Dialect): DialectSupport {
  const found = supports.find((support) => support.dialect === dialect);
  if (found === undefined) throw new RangeError(`no support for the dialect ${dialect}`);
  return found;
}

/** A text with its tree. `dispose` frees the tree. */
export interface SourceFile {
  readonly dialect: Dialect;
  readonly text: string;
  readonly tree: SyntaxTree;
}

/** Parses a text in a dialect. `previous` (of the same dialect) makes it incremental and is used up. */
export function parseSource(
  grammars: Grammars,
  dialect: Dialect,
  text: string,
  previous?: SourceFile,
): SourceFile {
  const support = supportOf(dialect);
  return { dialect, text, tree: grammars[support.grammar].parse(support.prepareText(text), previous?.tree) };
}

/** Parses, asks, and frees the tree whatever happens. */
export function withSource<Result>(
  grammars: Grammars,
  path: string,
  text: string,
  ask: (source: SourceFile) => Result,
): Result | undefined {
  const dialect = dialectOf(path);
  if (dialect === undefined) return undefined;
  const source = parseSource(grammars, dialect, text);
  try {
    return ask(source);
  } finally {
    source.tree.dispose();
  }
}

/** Kernels in source order. `memory`: of the text's last version. */
export function findKernels(source: SourceFile, memory?: SourceMemory): readonly KernelFacts[] {
  return supportOf(source.dialect).findKernels(source.tree.root, memory?.kernels);
}

/** Launch sites in source order, of any kernel. */
export function findLaunchSites(source: SourceFile): readonly LaunchSite[] {
  return supportOf(source.dialect).findLaunchSites(source.tree.root);
}

/** The outline, kernels first among equals. */
export function findSymbols(
  source: SourceFile,
  kernels: readonly KernelFacts[] = findKernels(source),
  memory?: SourceMemory,
): readonly SourceSymbol[] {
  return supportOf(source.dialect).findSymbols(source.tree.root, kernels, memory?.symbols);
}
