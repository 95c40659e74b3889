import { l10n, type QuickPickItem, Uri, window, workspace } from "vscode";
import type { KernelParams } from "../../../server/protocol/requests";
import type { KernelView, SessionView } from "../../../server/protocol/views";
import { kernelDescription } from "../kernels/kernel-words";
import { buttonsFor } from "../messages";
import { sessionWord } from "../sessions/session-words";
import type { Parts } from "./command";

/**
 * Whether an argument has these fields, each a text: lenses, menus and key bindings of the user's pass
 * anything.
 */
export function hasTexts<Key extends string>(
  value: unknown,
  ...keys: readonly Key[]
): value is Readonly<Record<Key, string>> {
  return (
    typeof value === "object" &&
    value !== null &&
    keys.every((key) => typeof (value as Readonly<Record<string, unknown>>)[key] === "string")
  );
}

/** A field of an argument that is a list of texts; undefined for anything else. */
export function textsOf(argument: object, field: string): readonly string[] | undefined {
  const value: unknown = Reflect.get(argument, field);
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

/**
 * The kernel that a lens names, else the one at the cursor, else one that the user picks. Undefined when
 * there is none or none was picked.
 */
export async function kernelFrom(parts: Parts, argument: unknown): Promise<KernelParams | undefined> {
  if (hasTexts(argument, "uri", "kernel")) return { uri: argument.uri, kernel: argument.kernel };
  const editor = window.activeTextEditor;
  const uri = argument instanceof Uri ? argument : editor?.document.uri;
  if (uri === undefined) return workspaceKernel(parts);
  const kernels = await parts.connection.request("kernelwright/kernels", { uri: uri.toString() });
  if (kernels.length === 0)
    return complain(
      l10n.t(
        "{0} holds no kernel: neither a __global__ function nor one with @triton.jit was found.",
        workspace.asRelativePath(uri),
      ),
    );
  const cursor =
    editor !== undefined && editor.document.uri.toString() === uri.toString()
      ? editor.selection.active.line
      : undefined;
  const kernel = kernelAt(kernels, cursor) ?? (await pickKernel(kernels));
  return kernel === undefined ? undefined : { uri: kernel.uri, kernel: kernel.name };
}

/** Without a file at hand: one of all kernels of the workspace, what is worth optimizing first. */
async function workspaceKernel(parts: Parts): Promise<KernelParams | undefined> {
  const kernels = await parts.kernels.all();
  if (kernels.length === 0)
    return complain(
      l10n.t("There is no kernel in this workspace: neither a __global__ function nor one with @triton.jit."),
    );
  const items = kernels.map((kernel) => ({
    label: kernel.name,
    description: kernelDescription(kernel),
    kernel,
  }));
  const options = { placeHolder: l10n.t("Which kernel?"), matchOnDescription: true };
  const chosen = await window.showQuickPick(items, options);
  return chosen && { uri: chosen.kernel.uri, kernel: chosen.kernel.name };
}

/** The only kernel, or the last one that begins at or above the cursor's line. */
export function kernelAt(kernels: readonly KernelView[], line: number | undefined): KernelView | undefined {
  if (kernels.length === 1) return kernels[0];
  return line === undefined
    ? undefined
    : [...kernels].sort((a, b) => b.line - a.line).find((kernel) => kernel.line <= line);
}

async function pickKernel(kernels: readonly KernelView[]): Promise<KernelView | undefined> {
  const items = kernels.map((kernel) => ({
    label: kernel.name,
    description: l10n.t("line {0} · {1}", kernel.line + 1, kernel.dialect),
    kernel,
  }));
  return (await window.showQuickPick(items, { placeHolder: l10n.t("Which kernel?") }))?.kernel;
}

interface SessionQuestion {
  readonly placeHolder: string;
  readonly none: string;
  readonly fits: (session: SessionView) => boolean;
}

/**
 * The session of a tree's row or of an argument, else the only one that fits, else one that the user picks.
 */
export async function sessionFrom(
  parts: Parts,
  argument: unknown,
  question: SessionQuestion,
): Promise<string | undefined> {
  if (hasTexts(argument, "sessionId")) return argument.sessionId;
  if (parts.sessions.all().length === 0) await parts.feed.reload();
  const fitting = parts.sessions.all().filter(question.fits);
  if (fitting.length === 0) return complain(question.none);
  if (fitting.length === 1) return fitting[0]?.sessionId;
  const items = fitting.map((session): QuickPickItem & { readonly session: SessionView } => ({
    label: session.kernel,
    description: `${sessionWord(session)} · ${session.file}`,
    detail: `${new Date(session.started).toLocaleString()} · ${session.target} · ${session.reason}`,
    session,
  }));
  return (await window.showQuickPick(items, { placeHolder: question.placeHolder }))?.session.sessionId;
}

/** A hunk as lenses name it. */
export interface HunkTarget {
  readonly sessionId: string;
  readonly hunk: string;
}

export function hunkTarget(argument: unknown): HunkTarget | undefined {
  return hasTexts(argument, "sessionId", "hunk")
    ? { sessionId: argument.sessionId, hunk: argument.hunk }
    : undefined;
}

/** Says why a command does nothing. */
export function complain(sentence: string): undefined {
  void window.showInformationMessage(sentence, ...buttonsFor(sentence));
  return undefined;
}
