import { type ChatRequest, Location, Uri, window } from "vscode";
import type { KernelParams } from "../../../server/protocol/requests";
import { kernelAt } from "../commands/arguments";
import type { Parts } from "../commands/command";
import { isInView, lineIn, namedIn } from "./request";

/**
 * The kernel that a message is about: one that it names, else the one at a place that is attached to it, else
 * the one at the cursor. Undefined where that is none or not one alone.
 */
export async function kernelAtHand(parts: Parts, request: ChatRequest): Promise<KernelParams | undefined> {
  const place = attached(request) ?? cursor();
  if (place !== undefined) {
    const kernels = await parts.connection
      .request("kernelwright/kernels", { uri: place.uri.toString() })
      // A file that is no file of ours: an output, a setting.
      .catch(() => []);
    const kernel = namedIn(request.prompt, kernels) ?? kernelAt(kernels, place.line);
    if (kernel !== undefined) return { uri: kernel.uri, kernel: kernel.name };
  }
  const named = namedIn(request.prompt, await parts.kernels.all());
  return named && { uri: named.uri, kernel: named.name };
}

/** The one-based line that a message names or has attached. */
export function lineAtHand(request: ChatRequest): number | undefined {
  const line = attached(request)?.line;
  return lineIn(request.prompt) ?? (line === undefined ? undefined : line + 1);
}

interface Place {
  readonly uri: Uri;
  /** Zero-based. */
  readonly line: number | undefined;
}

function attached({ references }: ChatRequest): Place | undefined {
  for (const { id, value } of references) {
    if (isInView(id)) continue;
    if (value instanceof Location) return { uri: value.uri, line: value.range.start.line };
    if (value instanceof Uri) return { uri: value, line: undefined };
  }
  return undefined;
}

function cursor(): Place | undefined {
  const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
  return editor && { uri: editor.document.uri, line: editor.selection.active.line };
}
