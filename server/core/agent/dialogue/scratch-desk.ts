import type { JsonObject } from "../../base/json";
import { known } from "../../base/known";
import type { Reach } from "../dependencies";
import { Scratch } from "../scratch";
import type { JudgedCandidate, SharedContext, StrategyResume } from "../strategy";

/** The scratch copy that a model works on, and the tree under which the log holds it. */
export class ScratchDesk {
  private copy: Scratch | undefined;
  private savedTree: string | undefined;
  /** What the copy is to be made of, where it was not changed before the session was interrupted. */
  private from: string | undefined;

  /** What a checkpoint must hold so that `restore` finds the same copy. */
  state(): JsonObject {
    return { scratch: this.savedTree ?? null, parent: this.copy?.parent ?? this.from ?? "baseline" };
  }

  async restore({ state, recorder, editable, creatable }: StrategyResume): Promise<void> {
    const { scratch, parent } = state;
    if (typeof parent === "string") this.from = parent;
    if (typeof scratch !== "string") return;
    this.savedTree = scratch;
    const tree = await recorder.loadTree(scratch);
    this.copy = new Scratch(tree, { editable, creatable }, typeof parent === "string" ? parent : "baseline");
  }

  /** The candidate that the copy was made of before the session was interrupted; undefined without one. */
  async startBefore({ judged }: Pick<SharedContext, "judged">): Promise<JudgedCandidate | undefined> {
    return this.from === undefined || this.copy !== undefined ? undefined : judged(this.from);
  }

  /** Makes the copy when there is none: the files of a candidate. */
  open({ candidate }: JudgedCandidate, reach: Reach): void {
    this.copy ??= new Scratch(candidate.tree, reach, candidate.id);
  }

  /** The copy, once it is open. */
  get scratch(): Scratch {
    return known(this.copy, "the scratch copy, which `open` makes");
  }

  /** A candidate whose files are those of the copy becomes its parent. */
  recognise({ candidates }: SharedContext): void {
    const same = candidates.find(({ tree }) => tree === this.savedTree);
    if (same) this.scratch.standOn(same.id);
  }

  /** Puts the copy into the log. */
  async save({ recorder, baseline }: SharedContext): Promise<void> {
    this.savedTree = await recorder.snapshot(this.scratch.tree, this.savedTree ?? baseline.treeId);
  }
}
