import { l10n, window } from "vscode";
import type { StepLabel } from "../../../server/protocol/timeline-views";

/**
 * Asks for a tag and a note. Undefined when the user thinks better of it; both empty when the label is to go.
 */
export async function askForLabel(
  before: StepLabel | undefined,
): Promise<Pick<StepLabel, "tag" | "note"> | undefined> {
  const title = l10n.t("Note on an event");
  const tag = await window.showInputBox({
    title,
    prompt: l10n.t("A word to filter by, as in: mistake. May stay empty."),
    value: before?.tag ?? "",
    ignoreFocusOut: true,
    validateInput: (text) => (text.length > 64 ? l10n.t("At most 64 characters.") : undefined),
  });
  if (tag === undefined) return undefined;
  const note = await window.showInputBox({
    title,
    prompt: l10n.t("The note. Tag and note both empty remove it."),
    value: before?.note ?? "",
    ignoreFocusOut: true,
    validateInput: (text) => (text.length > 4_000 ? l10n.t("At most 4,000 characters.") : undefined),
  });
  return note === undefined ? undefined : { tag: tag.trim(), note: note.trim() };
}
