import { Selection, TextEditorRevealType, window } from "vscode";
import type { Command } from "../command";
import { openHunksHere } from "./hunk-argument";

/** Moves the cursor to the next or previous open hunk of the active editor, going round at the ends. */
function stepHunk(id: Command["id"], direction: 1 | -1): Command {
  return {
    id,
    async run(parts) {
      const editor = window.activeTextEditor;
      if (editor === undefined) return;
      const last = editor.document.lineCount - 1;
      const lines = openHunksHere(parts).map(({ placement }) => Math.min(placement.start, last));
      const here = editor.selection.active.line;
      const next =
        direction === 1
          ? (lines.find((line) => line > here) ?? lines[0])
          : (lines.filter((line) => line < here).pop() ?? lines[lines.length - 1]);
      if (next === undefined) return;
      editor.selection = new Selection(next, 0, next, 0);
      editor.revealRange(editor.selection, TextEditorRevealType.InCenterIfOutsideViewport);
    },
  };
}

export const nextHunk = stepHunk("kernelwright.nextHunk", 1);
export const previousHunk = stepHunk("kernelwright.previousHunk", -1);
