import type { Disposable } from "../base/disposable";

/** Zero-based row and UTF-16 column, as tree-sitter counts. */
interface SyntaxPoint {
  readonly row: number;
  readonly column: number;
}

/**
 * The part of a syntax node that the core needs. Within one tree the same node is the same object.
 */
export interface SyntaxNode {
  readonly id: number;
  readonly type: string;
  /** The node's text after blanking (see `prepareText` of a dialect): what was blanked reads as spaces. */
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: SyntaxPoint;
  readonly endPosition: SyntaxPoint;
  readonly hasError: boolean;
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly isNamed: boolean;
  readonly parent: SyntaxNode | null;
  readonly children: readonly SyntaxNode[];
  readonly namedChildren: readonly SyntaxNode[];
  readonly previousNamedSibling: SyntaxNode | null;
  readonly nextNamedSibling: SyntaxNode | null;
  childForFieldName(name: string): SyntaxNode | null;
  childrenForFieldName(name: string): readonly SyntaxNode[];
  /**
   * Descendants (the node itself included) of the given types in source order; anonymous types such as
   * `__global__` count.
   */
  descendantsOfType(types: string | string[], start?: SyntaxPoint, end?: SyntaxPoint): readonly SyntaxNode[];
  namedDescendantForPosition(start: SyntaxPoint, end?: SyntaxPoint): SyntaxNode | null;
}

/** A parsed text. It holds memory outside the garbage collector's reach: whoever parsed it disposes it. */
export interface SyntaxTree extends Disposable {
  readonly root: SyntaxNode;
  /** The text as parsed (blanked, equal in length to the source). */
  readonly text: string;
}

/** One grammar. Never throws for bad text: a text that does not parse gives a tree with error nodes. */
export interface Parser {
  /** Parses a text. `previous` makes it incremental and is used up by it: the parser disposes that tree. */
  parse(text: string, previous?: SyntaxTree): SyntaxTree;
}

export type GrammarName = "cuda" | "python";

/** All grammars of the product; loading them is I/O and happens outside the core. */
export type Grammars = Readonly<Record<GrammarName, Parser>>;
