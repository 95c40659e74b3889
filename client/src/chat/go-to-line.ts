import { Range, Uri, window } from "vscode";
import { hasTexts } from "../commands/arguments";
import type { Command } from "../commands/command";

/** What links in answers of the chat lead to: a line of a file, from 1. No command of the palette. */
export const goToLine: Command = {
  id: "kernelwright.goToLine",
  async run(_parts, argument) {
    if (!hasTexts(argument, "uri", "line")) return;
    const line = Math.max(1, Math.trunc(Number(argument.line)) || 1);
    await window.showTextDocument(Uri.parse(argument.uri), {
      selection: new Range(line - 1, 0, line - 1, 0),
    });
  },
};

/** The address of such a link. */
export function addressOfLine(uri: string, line: number): string {
  const argument = encodeURIComponent(JSON.stringify([{ uri, line: String(line) }]));
  return `command:${goToLine.id}?${argument}`;
}
