import { formOf } from "../../../../language/cuda/body/forms";
import { isAssigned, type LocalValue, localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";

/** What stands for the thread's number and for the turn of a window's loop, where both only come as a sum. */
interface PlaceNames {
  /** The variable of the window's loop. */
  readonly turn: string;
  /** Text for the turn at a place of the block. */
  readonly place: string;
}

/** An expression written for a place of the block. */
export interface PlacedText {
  readonly text: string;
  /** Places go up with the turn (1) or down (-1). */
  readonly direction: 1 | -1;
}

const kept = /^(?:blockIdx|blockDim|gridDim)\.[xyz]$/;

/**
 * An expression for a place, thread and turn replaced: the first thread at the turn `place`. Undefined where
 * it depends on them in any way but by their sum or difference, or on other locals that change.
 */
export function placedText(view: KernelView, node: SyntaxNode, names: PlaceNames): PlacedText | undefined {
  const writer = new PlaceWriter(view, names);
  const text = writer.written(node);
  const [direction, ...others] = writer.directions;
  if (text === undefined || direction === undefined || others.length > 0) return undefined;
  return { text: withoutZeros(text), direction };
}

/** An expression of the first thread of the block; undefined where it has other locals that change. */
export function firstThreadText(view: KernelView, node: SyntaxNode): string | undefined {
  const text = new PlaceWriter(view, { turn: "", place: "" }).replaced(node);
  return text === undefined ? undefined : withoutZeros(text);
}

/** Sums that begin or end with the number of the first thread, which is zero. */
function withoutZeros(text: string): string {
  return text.replace(/\(0 \+ /g, "(").replace(/ \+ 0\)/g, ")");
}

class PlaceWriter {
  readonly #directions = new Set<1 | -1>();
  readonly #locals: ReadonlyMap<string, readonly LocalValue[]>;

  constructor(
    private readonly view: KernelView,
    private readonly names: PlaceNames,
  ) {
    const locals = new Map<string, LocalValue[]>();
    for (const local of localValues(view.body))
      locals.set(local.name, [...(locals.get(local.name) ?? []), local]);
    this.#locals = locals;
  }

  /** Which ways the sums go that were found. */
  get directions(): readonly (1 | -1)[] {
    return [...this.#directions];
  }

  /** The node with its sums of thread and turn replaced. */
  written(node: SyntaxNode): string | undefined {
    const direction = this.#directionOf(node);
    if (direction !== undefined) {
      this.#directions.add(direction);
      return this.replaced(node);
    }
    if (this.#isThread(node) || node.text === this.names.turn) return undefined;
    return this.#rebuilt(node, (child) => this.written(child));
  }

  /** The node with thread and turn replaced wherever they stand. */
  replaced(node: SyntaxNode): string | undefined {
    if (this.#isThread(node)) return "0";
    if (node.type === "identifier" && node.text === this.names.turn) return this.names.place;
    return this.#rebuilt(node, (child) => this.replaced(child));
  }

  #isThread(node: SyntaxNode): boolean {
    return node.type === "field_expression" && compact(node) === "threadIdx.x";
  }

  /** Which way a sum goes; undefined for what is none, and where either has another factor. */
  #directionOf(node: SyntaxNode): 1 | -1 | undefined {
    const inner = unwrapped(node);
    if (!["binary_expression", "identifier"].includes(inner.type)) return undefined;
    const form = formOf(inner, this.view.scope);
    const [thread, turn] = [form.get("threadIdx.x"), form.get(this.names.turn)];
    const isOther = [...form.keys()].some((key) => {
      const factors = key.split("*");
      return factors.length > 1 && (factors.includes("threadIdx.x") || factors.includes(this.names.turn));
    });
    if (thread === undefined || turn === undefined || isOther) return undefined;
    if (Math.abs(thread) !== Math.abs(turn)) return undefined;
    return thread === turn ? 1 : -1;
  }

  /** The text with its parts written by `write`, and locals by their values. */
  #rebuilt(node: SyntaxNode, write: (child: SyntaxNode) => string | undefined): string | undefined {
    if (node.type === "field_expression" && kept.test(compact(node))) return compact(node);
    if (node.type === "identifier") return this.#named(node, write);
    let [text, from] = ["", node.startIndex];
    for (const child of node.namedChildren) {
      const isName = child.type !== "identifier" && child.namedChildren.length === 0;
      const isCallee = node.childForFieldName("function")?.id === child.id;
      const part = isName || isCallee ? child.text : write(child);
      if (part === undefined) return undefined;
      text += this.#between(from, child.startIndex) + part;
      from = child.endIndex;
    }
    return text + this.#between(from, node.endIndex);
  }

  #between(from: number, until: number): string {
    return this.view.source.slice(from, until);
  }

  /** A parameter or constant as it is, a local that never changes as its value. */
  #named(node: SyntaxNode, write: (child: SyntaxNode) => string | undefined): string | undefined {
    const { body, kernel } = this.view;
    const values = this.#locals.get(node.text);
    const isDeclared = body
      .descendantsOfType(["declaration", "parameter_declaration"])
      .some((each) => each.childrenForFieldName("declarator").some((part) => nameIn(part) === node.text));
    if (!isDeclared) return isAssigned(body, node.text) ? undefined : node.text;
    const [value, ...others] = values ?? [];
    const isParameter = kernel.facts.parameters.some(({ name }) => name === node.text);
    if (value === undefined || others.length > 0 || isParameter) return undefined;
    if (isAssigned(body, node.text)) return undefined;
    const text = write(value.value);
    const type = fieldText(value.declaration, "type");
    // What a local keeps of its value is up to its type, as in `int i = blockIdx.x * blockDim.x`.
    const cast = type === "auto" ? "" : `(${type})`;
    return text === undefined ? undefined : `(${cast}(${text}))`;
  }
}

function nameIn(declarator: SyntaxNode): string | undefined {
  return declarator.descendantsOfType("identifier")[0]?.text;
}
