import type { Choice } from "../../base/choice";
import type { SourceTree } from "../../judge/candidate";
import type { Annotation } from "../timeline/annotation";
import type { SessionEvent, StoredText } from "../events";

/** What an exporter may read: the events, the content behind them, and nothing of the machine. */
export interface ExportInput {
  readonly sessionId: string;
  readonly events: readonly SessionEvent[];
  /** A sentence, when the log was found changed. */
  readonly damaged?: string;
  /** Hash that the next event would carry: fixes every event of the log. */
  readonly head: string;
  readonly productVersion: string;
  /** Labels of readers, in the order of the events. */
  readonly annotations: readonly Annotation[];
  readonly loadText: (stored: StoredText) => Promise<string>;
  readonly loadTree: (treeId: string) => Promise<SourceTree>;
  /** Second redaction; also turns absolute paths and user names into placeholders. */
  readonly clean: (text: string) => string;
  /** sha256 of UTF-8 text, 64 hex digits. */
  readonly sha256: (text: string) => string;
}

/** One format. Adding a format is a file with one of these, and a line in the registry. */
export interface Exporter extends Choice {
  /** Ending of the file's name, without the first dot: `atif.json`. */
  readonly extension: string;
  /**
   * Deterministic: the same input gives the same bytes. Throws OperationalError `session-damaged` for a
   * session with nothing to export.
   */
  readonly write: (input: ExportInput) => Promise<string>;
  /** What our validator says about a written text; empty when it is valid. */
  readonly check: (text: string) => readonly string[];
}

/** What stands beside an export, so that another can tell where it came from. */
export interface ExportManifest {
  readonly format: string;
  readonly product: { readonly name: "kernelwright"; readonly version: string };
  readonly session: string;
  readonly events: number;
  /** Hash that the next event would carry: fixes every event of the log. */
  readonly chain_head: string;
  readonly damaged: string | null;
  readonly file: string;
  readonly sha256: string;
  /** What our validator says. */
  readonly problems: readonly string[];
}
