import { l10n, window } from "vscode";

/** Characters of a message without buttons that are seen: the editor cuts it after one line. */
const seenCharacters = 55;

/**
 * The buttons of a message: its own, else one that only closes it where the sentence is longer than the one
 * line that is shown of a message without buttons.
 */
export function buttonsFor(sentence: string, own: readonly string[] = []): readonly string[] {
  return own.length > 0 || sentence.length <= seenCharacters ? own : [l10n.t("OK")];
}

/** Says what could not be done, where nobody knows what would mend it. */
export function tellFailure(sentence: string): void {
  void window.showErrorMessage(sentence, ...buttonsFor(sentence));
}
