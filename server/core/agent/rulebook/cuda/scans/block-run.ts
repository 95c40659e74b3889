import { arraysOf, elementOf } from "../../../../language/cuda/body/arrays";
import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { callOf, numberFor, operations } from "../../../../language/cuda/body/number-operations";
import {
  followed,
  type Meaning,
  NotFollowed,
  NumberReader,
  type Place,
  type Reading,
} from "../../../../language/cuda/body/number-runs";
import { localValues } from "../../../../language/cuda/body/scope";
import { compact } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";

/** One thread of a block while a loop is run on numbers. */
export interface Thread {
  readonly number: number;
  /** What the names hold that the loop declares or changes. */
  readonly locals: Map<string, number>;
  /** Elements of shared arrays by `name[i][j]`; those that nobody has stored yet are made up. */
  readonly shared: Map<string, number>;
}

/** What code means for the threads of a block of one dimension. */
export interface BlockReader {
  value(node: SyntaxNode, thread: Thread): number | undefined;
  /** The name under which an element of a shared array is kept. */
  element(node: SyntaxNode, thread: Thread): string | undefined;
  /** Runs all threads through the loop, from barrier to barrier; false where its code cannot be read. */
  run(loop: CountedLoop, threads: readonly Thread[]): boolean;
}

/** Turns of a thread's loops, and barriers, after which a run is given up. */
const most = 4096;

/** Reads code of a kernel whose blocks have `size` threads. */
export function blockReader(view: KernelView, size: number): BlockReader {
  const meaning = new BlockMeaning(view, size);
  const reader = new NumberReader(meaning);
  return {
    value: (node, thread) => followed(() => reader.value(node)(thread)),
    element: (node, thread) => followed(() => meaning.element(node, reader)(thread)),
    run: ({ loop }, threads) => followed(() => runThreads(reader, loop, threads)) ?? false,
  };
}

/** What names hold in front of a loop, as far as that is plain: each with its only value. */
export function localsBefore(
  view: KernelView,
  loop: SyntaxNode,
  reader: BlockReader,
  number: number,
): Thread {
  const thread: Thread = { number, locals: new Map(), shared: new Map() };
  for (const { name, value, declaration } of localValues(view.body)) {
    if (declaration.endIndex > loop.startIndex || view.scope.meaning(name) !== undefined) continue;
    const held = reader.value(value, thread);
    if (held !== undefined) thread.locals.set(name, held);
  }
  return thread;
}

function runThreads(reader: NumberReader<Thread>, loop: SyntaxNode, threads: readonly Thread[]): boolean {
  const act = reader.act(loop);
  const going = threads.map((thread) => act(thread));
  for (let phase = 0; phase < most; phase += 1) {
    const left = going.filter((each) => each.next().done !== true);
    if (left.length === 0) return true;
    if (left.length < going.length) return false;
  }
  return false;
}

class BlockMeaning implements Meaning<Thread> {
  readonly operations = operations;
  readonly call = callOf;
  private readonly view: KernelView;
  private readonly size: number;
  private readonly dimensions: ReadonlyMap<string, number>;
  private turns = 0;

  constructor(view: KernelView, size: number) {
    this.view = view;
    this.size = size;
    const shared = arraysOf(view.body).filter(({ storage }) => storage !== "local");
    this.dimensions = new Map(shared.map(({ name, sizes }) => [name, Math.max(1, sizes.length)]));
  }

  whole(node: SyntaxNode): Reading<Thread> | undefined {
    const constant = this.view.scope.value(node);
    if (constant !== undefined) return () => constant;
    if (node.type !== "field_expression") return undefined;
    const text = compact(node);
    if (text === "threadIdx.x") return ({ number }) => number;
    if (text === "blockDim.x") return () => this.size;
    throw new NotFollowed(text);
  }

  place(node: SyntaxNode, reader: NumberReader<Thread>): (thread: Thread) => Place {
    if (node.type === "identifier") return this.variable(node.text, reader);
    const element = this.element(node, reader);
    return (thread) => {
      const place = element(thread);
      return {
        get: () => elementAt(thread, place),
        set: (value) => void thread.shared.set(place, value),
      };
    };
  }

  other({ type }: SyntaxNode): never {
    throw new NotFollowed(type);
  }

  turn(): void {
    this.turns += 1;
    if (this.turns > most * this.size) throw new NotFollowed("too many turns");
  }

  /** The name under which an element of a shared array is kept. */
  element(node: SyntaxNode, reader: NumberReader<Thread>): (thread: Thread) => string {
    const [base] = node.descendantsOfType("identifier");
    const dimensions = this.dimensions.get(base?.text ?? "");
    const access = base && dimensions !== undefined ? elementOf(base, dimensions) : undefined;
    if (access === undefined || access.node.id !== node.id) throw new NotFollowed(node.type);
    const indices = access.indices.map((index) => reader.value(index));
    return (thread) => `${base?.text}[${indices.map((index) => index(thread)).join("][")}]`;
  }

  private variable(name: string, reader: NumberReader<Thread>): (thread: Thread) => Place {
    const meaning = this.view.scope.meaning(name);
    const read =
      meaning === undefined || typeof meaning === "string"
        ? undefined
        : followed(() => reader.value(meaning));
    return (thread) => ({
      get: () => {
        // What a turn of the loop has set holds the value of then.
        const held = thread.locals.get(name) ?? read?.(thread);
        if (held === undefined) throw new NotFollowed(name);
        return held;
      },
      set: (value) => void thread.locals.set(name, value),
    });
  }
}

/** What an element holds; where nobody has stored it, a number of its own. */
export function elementAt({ shared }: Pick<Thread, "shared">, place: string): number {
  const held = shared.get(place);
  if (held !== undefined) return held;
  const made = ((numberFor(place) * 7919) % 4093) - 2000;
  shared.set(place, made);
  return made;
}
