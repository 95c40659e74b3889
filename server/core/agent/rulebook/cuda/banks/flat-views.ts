import { elementOf } from "../../../../language/cuda/body/arrays";
import { changes } from "../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { type KernelView, scalarBytes } from "../kernel";

/** A pointer to elements that sees an array of structures as it lies: `reinterpret_cast<float*>(window)`. */
export interface FlatView {
  readonly name: string;
  /** `words = reinterpret_cast<float*>(window)`. */
  readonly declarator: SyntaxNode;
  /** Of an element. */
  readonly bytes: number;
  /** Indices of its elements, wherever they are used. */
  readonly indices: readonly SyntaxNode[];
  /** Where it is used other than element by element. */
  readonly escape: SyntaxNode | undefined;
}

/** The pointer that a use of an array starts; undefined where it starts none, or one that walks. */
export function flatViewOf(view: KernelView, use: SyntaxNode, declaration: SyntaxNode): FlatView | undefined {
  const declarator = enclosing(use, "init_declarator");
  if (declarator === undefined || isInside(use, declaration)) return undefined;
  const value = compact(declarator.childForFieldName("value"));
  const escaped = use.text.replace(/\W/g, "");
  const cast = new RegExp(
    `^(?:reinterpret_cast<([\\w:]+)\\*>\\(&?${escaped}(?:\\[0\\])?\\)|\\(([\\w:]+)\\*\\)${escaped})$`,
  );
  const found = cast.exec(value);
  const type = found?.[1] ?? found?.[2];
  const bytes = type === undefined ? undefined : scalarBytes(view, type);
  const pointer = declarator.childForFieldName("declarator");
  const name = pointer?.descendantsOfType("identifier")[0]?.text;
  const changed = changes(view.body).some(({ target }) => compact(target) === name);
  if (bytes === undefined || name === undefined || changed) return undefined;
  const accesses = usesOf(view.body, name)
    .filter((each) => !isInside(each, declarator))
    .map((each) => ({ each, access: elementOf(each, 1) }));
  return {
    ...{ name, declarator, bytes },
    indices: accesses.flatMap(({ access }) => access?.indices ?? []),
    escape: accesses.find(
      ({ access }) => access === undefined || access.node.parent?.type === "pointer_expression",
    )?.each,
  };
}
