import { type Outcome, fail, succeed } from "../base/outcome";
import type { SourceTree } from "../judge/candidate";
import { faultOfPath, type Reach } from "./dependencies";

/**
 * The copy of the sources that a model edits. It writes nothing but its own memory, and only paths that may
 * be edited or made.
 */
export class Scratch {
  private files: SourceTree;
  private basedOn: string;
  private edits = 0;

  constructor(
    tree: SourceTree,
    private readonly reach: Reach,
    parent = "baseline",
  ) {
    this.files = tree;
    this.basedOn = parent;
  }

  /** Paths that may be edited; where new files may be made, those that were made among them. */
  get editable(): readonly string[] {
    const { editable, creatable } = this.reach;
    return creatable.length === 0 ? editable : [...new Set([...editable, ...Object.keys(this.files)])];
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

  /** Why a path may not be written, as a text for the model; undefined where it may. */
  refuses(path: string): string | undefined {
    const { editable, creatable } = this.reach;
    const fault = faultOfPath(path, this.files, this.reach);
    if (fault === undefined || creatable.length > 0) return fault && `${fault}.`;
    return `${path} may not be edited. Editable: ${editable.join(", ")}.`;
  }

  /** The problem is a text for the model. */
  write(path: string, text: string): Outcome<undefined, string> {
    const refused = this.refuses(path);
    if (refused !== undefined) return fail(refused);
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
