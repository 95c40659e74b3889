import { type Outcome, fail, succeed } from "../base/outcome";
import type { SourceTree } from "../judge/candidate";

/**
 * The copy of the sources that a model edits. It writes nothing but its own memory, and only paths that may
 * be edited.
 */
export class Scratch {
  private files: SourceTree;
  private basedOn: string;
  private edits = 0;

  constructor(
    tree: SourceTree,
    readonly editable: readonly string[],
    parent = "baseline",
  ) {
    this.files = tree;
    this.basedOn = parent;
  }

  get tree(): SourceTree {
    return this.files;
  }

  /** The candidate that the edits build on. */
  get parent(): string {
    return this.basedOn;
  }

  /** Grows with each change: what was asked before may be asked again after it. */
  get version(): number {
    return this.edits;
  }

  read(path: string): string | undefined {
    return Object.hasOwn(this.files, path) ? this.files[path] : undefined;
  }

  /** The problem is a text for the model. */
  write(path: string, text: string): Outcome<undefined, string> {
    if (!this.editable.includes(path))
      return fail(`${path} may not be edited. Editable: ${this.editable.join(", ")}.`);
    this.files = { ...this.files, [path]: text };
    this.edits += 1;
    return succeed(undefined);
  }

  /** The current files were judged as this candidate: later edits build on it. */
  standOn(candidate: string): void {
    this.basedOn = candidate;
  }

  /** Takes the files of a candidate; later edits build on it. */
  reset(tree: SourceTree, parent: string): void {
    this.files = tree;
    this.basedOn = parent;
    this.edits += 1;
  }
}
