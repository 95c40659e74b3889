import type { SyntaxNode } from "../../../../language/tree";

/** A name of a kernel that is given a value at one place. */
export interface Given {
  readonly name: string;
  /** What the value is made of, and what decides whether it is given. */
  readonly from: readonly SyntaxNode[];
  /** Further sources that stand in no expression: the loop that changes the name turn after turn. */
  readonly also: readonly string[];
}

/** How a language says where values come from. */
export interface Sources {
  /** Every place at which a name is given a value. */
  readonly given: readonly Given[];
  /** The source that a node is by itself: an index of the thread, a program's number. */
  own(node: SyntaxNode): string | undefined;
}

/** Tells what a value may differ by: indices of threads and programs, and loops (`loop:ID`). */
export type Influences = (node: SyntaxNode) => ReadonlySet<string>;

/**
 * Follows values through the names of a kernel, whatever the order: a name comes from all that it is ever
 * given.
 */
export function influencesOf({ given, own }: Sources): Influences {
  const names = new Map<string, Set<string>>();
  const of = (node: SyntaxNode, into: Set<string>): void => {
    const source = own(node);
    if (source !== undefined) into.add(source);
    else if (node.type === "identifier") for (const each of names.get(node.text) ?? []) into.add(each);
    else for (const child of node.namedChildren) of(child, into);
  };
  for (let grown = true; grown;) {
    grown = false;
    for (const { name, from, also } of given) {
      const known = names.get(name) ?? new Set();
      const before = known.size;
      for (const each of also) known.add(each);
      for (const node of from) of(node, known);
      names.set(name, known);
      grown ||= known.size > before;
    }
  }
  return (node) => {
    const found = new Set<string>();
    of(node, found);
    return found;
  };
}

/** How the source of what a loop changes is called. */
export function turnOf(loop: SyntaxNode): string {
  return `loop:${loop.id}`;
}
