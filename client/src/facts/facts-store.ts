import {
  Disposable,
  EventEmitter,
  type TextDocument,
  type TextDocumentChangeEvent,
  Uri,
  workspace,
} from "vscode";
import type { FactsView, LineFactsView } from "../../../server/protocol/views";
import { isBoundTo } from "../documents/bound-text";
import type { ServerConnection } from "../server/connection";
import { lineChange, movedLine } from "./moved-lines";

/** What is known of the lines of a document as it reads now. */
export interface PresentFacts {
  readonly facts: FactsView;
  /** On their present lines; those of lines that were edited are gone. */
  readonly lines: readonly LineFactsView[];
  /** The text is another than the one that was counted. */
  readonly isStale: boolean;
}

/**
 * The newest facts of each file. They are bound to the text that was counted: after an edit they move with
 * their lines and are stale, until that text is back or is counted anew.
 */
export class FactsStore implements Disposable {
  private readonly present = new Map<string, PresentFacts>();
  private readonly changed = new EventEmitter<string>();
  private readonly subscriptions: Disposable;
  /** The address of a file whose facts have changed. */
  readonly onDidChange = this.changed.event;

  constructor(connection: ServerConnection) {
    this.subscriptions = Disposable.from(
      this.changed,
      connection.onNotification("kernelwright/facts", (facts) => this.put(facts)),
      workspace.onDidChangeTextDocument((event) => this.follow(event)),
      workspace.onDidOpenTextDocument((document) => this.look(document)),
    );
  }

  of(uri: Uri): PresentFacts | undefined {
    return this.present.get(uri.toString());
  }

  /** Takes all facts off the screen until something is profiled again. */
  clear(): void {
    const addresses = [...this.present.keys()];
    this.present.clear();
    addresses.forEach((address) => this.changed.fire(address));
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** The newest facts of a file replace those before. */
  private put(facts: FactsView): void {
    const address = Uri.parse(facts.uri).toString();
    const open = workspace.textDocuments.find(({ uri }) => uri.toString() === address);
    const isStale = open !== undefined && !isBoundTo(facts, open);
    // Where lines stand in a text that was edited before it was counted is not known.
    this.set(address, { facts, lines: isStale ? [] : facts.lines, isStale });
  }

  private follow({ document, contentChanges }: TextDocumentChangeEvent): void {
    const address = document.uri.toString();
    const known = this.present.get(address);
    if (known === undefined || contentChanges.length === 0) return;
    if (isBoundTo(known.facts, document)) return this.set(address, fresh(known.facts));
    const changes = contentChanges.map(lineChange);
    const lines = known.lines.flatMap((each) => {
      const line = movedLine(each.line, changes);
      return line === undefined ? [] : [{ ...each, line }];
    });
    this.set(address, { facts: known.facts, lines, isStale: true });
  }

  /** A file that was closed may be opened with another text, whose lines are not known. */
  private look(document: TextDocument): void {
    const known = this.of(document.uri);
    if (known === undefined) return;
    const bound = isBoundTo(known.facts, document);
    this.set(document.uri.toString(), bound ? fresh(known.facts) : { ...known, lines: [], isStale: true });
  }

  private set(address: string, facts: PresentFacts): void {
    this.present.set(address, facts);
    this.changed.fire(address);
  }
}

function fresh(facts: FactsView): PresentFacts {
  return { facts, lines: facts.lines, isStale: false };
}
