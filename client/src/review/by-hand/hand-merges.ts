import {
  commands,
  Disposable,
  l10n,
  type Tab,
  type TextDocument,
  TextDocumentChangeReason,
  Uri,
  window,
  workspace,
} from "vscode";
import { acceptedWith } from "../../../../server/core/review/taken-together";
import type { ServerConnection } from "../../server/connection";
import { ordinalsOf } from "../change-words";
import type { Decider } from "../deciding/decider";
import { locateHunks } from "../locate";
import { addressOf, openHunks, type Review, type ReviewStore } from "../review-store";
import { type MergedFile, MergeSides } from "./merge-sides";

/** How long the editor is given to open its merge editor, in milliseconds. */
const openingMilliseconds = 10_000;

/** A merge that was begun in this window. */
interface HandMerge extends MergedFile {
  readonly document: TextDocument;
  /** The user's text before it. */
  readonly before: string;
}

/**
 * Merges of changes that conflict with the user's edits, in VS Code's merge editor: the proposal, the user's
 * text and the file. What came of one is recorded when its tab is closed, and again when it is undone.
 */
export class HandMerges implements Disposable {
  private readonly sides: MergeSides;
  private readonly subscriptions: Disposable;
  /** Those whose tabs are open, by the address of the file. */
  private readonly open = new Map<string, HandMerge>();
  /** Those that were recorded as accepted. */
  private readonly done: HandMerge[] = [];

  constructor(
    connection: ServerConnection,
    private readonly store: ReviewStore,
    private readonly decider: Decider,
  ) {
    this.sides = new MergeSides(connection, store);
    this.subscriptions = Disposable.from(
      this.sides,
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) void this.close(tab);
      }),
      workspace.onDidChangeTextDocument(({ document, reason }) => {
        if (reason === TextDocumentChangeReason.Undo) void this.undo(document);
      }),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Opens the merge editor for a change with what it needs; false where the editor has none. */
  async begin({ proposal: known }: Review, hunk: string, document: TextDocument): Promise<boolean> {
    // A decision may have been taken back since its lens was drawn.
    const review = this.store.get(known.sessionId) ?? { proposal: known };
    const { proposal } = review;
    const address = addressOf(document.uri);
    const file = proposal.files.find(({ uri }) => addressOf(uri) === address)?.file;
    const hunks = acceptedWith(proposal.hunks, hunk)
      .filter((each) => each.file === file && (each.id === hunk || each.decision === "open"))
      .map(({ id }) => id);
    const merged: MergedFile = { sessionId: proposal.sessionId, file: address, hunks };
    const before = document.getText();
    const { base, theirs, yours } = this.sides.addresses(merged, before);
    this.open.set(address, { ...merged, document, before });
    const description = changeWords(review, hunks);
    const isOpen = await openMergeEditor({
      base,
      input1: { uri: theirs, title: l10n.t("Proposal"), description },
      input2: { uri: yours, title: l10n.t("Yours") },
      output: document.uri,
    });
    if (!isOpen) this.open.delete(address);
    return isOpen;
  }

  private async close(tab: Tab): Promise<void> {
    const address = mergedIn(tab);
    const merge = address === undefined ? undefined : this.open.get(address);
    if (merge === undefined || address === undefined) return;
    this.open.delete(address);
    const review = this.store.get(merge.sessionId);
    if (review === undefined || merge.document.getText() === merge.before) return;
    const located = locateHunks(this.store, merge.document).filter(
      ({ hunk, review: { proposal } }) =>
        proposal.sessionId === merge.sessionId && merge.hunks.includes(hunk.id) && hunk.decision === "open",
    );
    const states = new Set(located.map(({ placement }) => placement.state));
    // With the old lines back, the changes can be accepted or rejected as any other.
    if (located.length === 0 || (states.size === 1 && states.has("base"))) return;
    const isTaken = states.size === 1 && states.has("proposed");
    if (isTaken || (await this.isWanted(review, merge))) await this.accept(merge);
  }

  private async isWanted(review: Review, { sessionId, hunks }: HandMerge): Promise<boolean> {
    const [accept, reject] = [l10n.t("Accepted"), l10n.t("Rejected")];
    const words = changeWords(review, hunks);
    const question = l10n.t(
      "{0}: merged by hand. Does it count as accepted? The text stays as it is.",
      words,
    );
    const answer = await window.showInformationMessage(question, accept, reject);
    if (answer === reject) await this.decider.decide(sessionId, hunks, "rejected");
    return answer === accept;
  }

  private async accept(merge: HandMerge): Promise<void> {
    this.done.push(merge);
    await this.decider.record(merge.sessionId, merge.hunks, "accepted");
    const review = this.store.get(merge.sessionId);
    // What they need of other files is taken there.
    const open = new Set(review === undefined ? [] : openHunks(review).map(({ id }) => id));
    const others = merge.hunks
      .flatMap((hunk) => acceptedWith(review?.proposal.hunks ?? [], hunk))
      .filter(({ id }) => open.has(id))
      .map(({ id }) => id);
    if (others.length > 0) await this.decider.decide(merge.sessionId, [...new Set(others)], "accepted");
  }

  /** With the text from before, the changes are open again. */
  private async undo(document: TextDocument): Promise<void> {
    const at = this.done.findIndex(
      (merge) => merge.document === document && merge.before === document.getText(),
    );
    const [merge] = at < 0 ? [] : this.done.splice(at, 1);
    if (merge !== undefined) await this.decider.record(merge.sessionId, merge.hunks, "undone");
  }
}

/** `change 1`, `changes 1, 3`. */
function changeWords({ proposal }: Review, hunks: readonly string[]): string {
  const ordinals = ordinalsOf(
    proposal,
    hunks.map((id) => ({ id })),
  );
  return hunks.length === 1 ? l10n.t("Change {0}", ordinals) : l10n.t("Changes {0}", ordinals);
}

interface MergeInput {
  readonly uri: Uri;
  readonly title: string;
  readonly description?: string;
}

interface MergeInputs {
  readonly base: Uri;
  readonly input1: MergeInput;
  readonly input2: MergeInput;
  readonly output: Uri;
}

/**
 * The command is that of VS Code's own Git extension. It is no documented one: where it is missing, or opens
 * nothing, that is said.
 */
async function openMergeEditor(inputs: MergeInputs): Promise<boolean> {
  const address = addressOf(inputs.output);
  const opened = new Promise<boolean>((resolve) => {
    const listener = window.tabGroups.onDidChangeTabs(({ opened: tabs, changed }) => {
      if ([...tabs, ...changed].some((tab) => mergedIn(tab) === address)) end(true);
    });
    const limit = setTimeout(() => end(false), openingMilliseconds);
    const end = (isOpen: boolean): void => {
      clearTimeout(limit);
      listener.dispose();
      resolve(isOpen);
    };
  });
  try {
    await commands.executeCommand("_open.mergeEditor", inputs);
  } catch {
    return false;
  }
  const isThere = window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => mergedIn(tab) === address));
  return isThere || (await opened);
}

/** Address of the file that a tab merges; undefined for any other tab. */
function mergedIn({ input }: Tab): string | undefined {
  if (typeof input !== "object" || input === null || !("result" in input)) return undefined;
  return input.result instanceof Uri ? addressOf(input.result) : undefined;
}
