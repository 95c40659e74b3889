import type { Tree } from "web-tree-sitter";
import type { SyntaxNode } from "../../core/language/tree";

/** A node of the library, which asks WebAssembly anew for all but its beginning. */
type LibraryNode = Tree["rootNode"];

type Point = SyntaxNode["startPosition"];

/** The nodes of one tree that were asked for, each of them once: what is found of one stays with it. */
class KeptNodes {
  private readonly known = new Map<number, KeptNode>();

  constructor(readonly text: string) {}

  of(node: LibraryNode): KeptNode {
    const before = this.known.get(node.id);
    // The library promises a number of its own to each node; what lies elsewhere is another one all the same.
    if (before?.startIndex === node.startIndex) return before;
    const kept = new KeptNode(node, this);
    if (before === undefined) this.known.set(node.id, kept);
    return kept;
  }

  all(nodes: readonly LibraryNode[]): readonly KeptNode[] {
    return nodes.map((node) => this.of(node));
  }

  orNull(node: LibraryNode | null): KeptNode | null {
    return node && this.of(node);
  }
}

/** What a node is by itself, asked of the library once. */
class NodeFacts {
  readonly id: number;
  readonly startIndex: number;
  readonly startPosition: Point;
  private kind: string | undefined;
  private end: number | undefined;
  private endPoint: Point | undefined;

  constructor(
    protected readonly node: LibraryNode,
    protected readonly nodes: KeptNodes,
  ) {
    this.id = node.id;
    this.startIndex = node.startIndex;
    this.startPosition = node.startPosition;
  }

  get type(): string {
    return (this.kind ??= this.node.type);
  }

  get text(): string {
    return this.nodes.text.slice(this.startIndex, this.endIndex);
  }

  get endIndex(): number {
    return (this.end ??= this.node.endIndex);
  }

  get endPosition(): Point {
    return (this.endPoint ??= this.node.endPosition);
  }

  get hasError(): boolean {
    return this.node.hasError;
  }

  get isError(): boolean {
    return this.node.isError;
  }

  get isMissing(): boolean {
    return this.node.isMissing;
  }

  get isNamed(): boolean {
    return this.node.isNamed;
  }
}

/**
 * A node that keeps what was once asked about it: rules ask the same of the same node again and again, and
 * each question to the library takes a call of WebAssembly and new objects.
 */
class KeptNode extends NodeFacts implements SyntaxNode {
  private above: KeptNode | null | undefined;
  private within: readonly KeptNode[] | undefined;
  private named: readonly KeptNode[] | undefined;
  private fields: Map<string, KeptNode | null> | undefined;
  private found: Map<string, readonly KeptNode[]> | undefined;

  get parent(): KeptNode | null {
    if (this.above === undefined) this.above = this.nodes.orNull(this.node.parent);
    return this.above;
  }

  get children(): readonly KeptNode[] {
    return (this.within ??= this.nodes.all(this.node.children));
  }

  get namedChildren(): readonly KeptNode[] {
    return (this.named ??= this.nodes.all(this.node.namedChildren));
  }

  get previousNamedSibling(): KeptNode | null {
    return this.nodes.orNull(this.node.previousNamedSibling);
  }

  get nextNamedSibling(): KeptNode | null {
    return this.nodes.orNull(this.node.nextNamedSibling);
  }

  childForFieldName(name: string): KeptNode | null {
    const before = this.fields?.get(name);
    if (before !== undefined) return before;
    const child = this.nodes.orNull(this.node.childForFieldName(name));
    (this.fields ??= new Map()).set(name, child);
    return child;
  }

  childrenForFieldName(name: string): readonly KeptNode[] {
    return this.nodes.all(this.node.childrenForFieldName(name));
  }

  descendantsOfType(types: string | string[], start?: Point, end?: Point): readonly KeptNode[] {
    if (start !== undefined) return this.nodes.all(this.node.descendantsOfType(types, start, end));
    const key = typeof types === "string" ? types : types.join("\n");
    const before = this.found?.get(key);
    if (before !== undefined) return before;
    const found = this.nodes.all(this.node.descendantsOfType(types));
    (this.found ??= new Map()).set(key, found);
    return found;
  }

  namedDescendantForPosition(start: Point, end?: Point): KeptNode | null {
    return this.nodes.orNull(this.node.namedDescendantForPosition(start, end));
  }
}

/** The root of a tree of the library, over the text that it was made from. */
export function keptRoot(tree: Tree, text: string): SyntaxNode {
  return new KeptNodes(text).of(tree.rootNode);
}
