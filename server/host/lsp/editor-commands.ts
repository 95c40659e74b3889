import { show } from "./handshake/user-language";
import { retold } from "../../core/base/localized";
import { t } from "../../core/base/localized";
import {
  MessageType,
  ShowMessageNotification,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { OperationalError, toOperational } from "../../core/base/operational-error";
import { isJsonObject } from "../../core/base/json";
import { hunksOf } from "../../core/review/hunk";
import { applyEdits, type FileEdit, splitLines } from "../../core/review/line-edit";
import { mergeHunks } from "../../core/review/merge";
import type { KernelParams, Requests } from "../../protocol/requests";
import type { ServerContext } from "./context";
import { readSession } from "./handlers/sessions/session-record";
import { router } from "./router";
import { textOnDisk } from "./uris";

type Proposal = NonNullable<Requests["kernelwright/proposal"][1]>;

type Command = (context: ServerContext, params: KernelParams, signal: AbortSignal) => Promise<string>;

/**
 * The lenses of an editor that has no extension of ours: it sends their commands back to the server. What
 * comes of them is said in a message; a proposal is applied only after the user said so, as one edit of the
 * editor's own.
 */
const commands: Readonly<Record<string, Command>> = {
  "kernelwright.check": async (context, params, signal) =>
    (await router["kernelwright/check"](context, params, signal)).summary,
  "kernelwright.profile": async (context, params, signal) =>
    (await router["kernelwright/profile"](context, params, signal)).summary,
  "kernelwright.createSpec": async (context, params, signal) => {
    const made = await router["kernelwright/createSpec"](context, params, signal);
    if (made.exists) return show(() => t`${params.kernel} has a kernel spec already.`);
    const { applied } = await context.connection.workspace.applyEdit(creating([made]));
    return applied
      ? show(() => t`The kernel spec of ${params.kernel} was made; look at the lines marked unknown.`)
      : show(() => t`The editor did not make the kernel spec of ${params.kernel}.`);
  },
  "kernelwright.preview": async (context, { uri }, signal) =>
    (await router["kernelwright/preview"](context, { uri }, signal)).summary,
  "kernelwright.record": async (context, { uri }, signal) => {
    const { summary, specs } = await router["kernelwright/record"](context, { uri }, signal);
    const isNew = specs.filter(({ there }) => there === "nothing");
    if (isNew.length === 0) return summary;
    const { applied } = await context.connection.workspace.applyEdit(creating(isNew));
    return applied ? summary : show(() => t`${summary} The editor did not make the kernel specs.`);
  },
  "kernelwright.optimize": async (context, params, signal) => {
    const { sessionId } = await router["kernelwright/optimize"](context, params, signal);
    await context.sessions.ending(sessionId);
    const proposal = await router["kernelwright/proposal"](context, { sessionId }, signal);
    if (proposal !== null) return offer(context, proposal);
    const { reason } = (await readSession(context, sessionId)).state;
    return `${params.kernel}: ${show(() => retold(reason))}`;
  },
};

export const editorCommands: readonly string[] = Object.keys(commands);

/**
 * Serves `workspace/executeCommand`; our own extension has these commands itself and is never told of them.
 */
export function registerEditorCommands(context: ServerContext): void {
  const { connection } = context;
  connection.onExecuteCommand(async ({ command, arguments: [argument] = [] }) => {
    const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (
      run === undefined ||
      !isJsonObject(argument) ||
      typeof argument["uri"] !== "string" ||
      typeof argument["kernel"] !== "string"
    ) {
      throw new OperationalError("usage", {
        forUser: `${command} needs one argument with "uri" and "kernel".`,
      });
    }
    try {
      await say(
        context,
        MessageType.Info,
        await run(
          context,
          { uri: argument["uri"], kernel: argument["kernel"] },
          new AbortController().signal,
        ),
      );
    } catch (thrown) {
      const { message } = toOperational(thrown, "tool-failed");
      await say(
        context,
        MessageType.Error,
        show(() => retold(message)),
      );
    }
    return null;
  });
}

function say(context: ServerContext, type: MessageType, message: string): Promise<void> {
  return context.connection.sendNotification(ShowMessageNotification.type, { type, message });
}

async function offer(context: ServerContext, proposal: Proposal): Promise<string> {
  const apply = show(() => t`Apply`);
  const choice = await context.connection.window.showInformationMessage(
    `${proposal.hypothesis} — ${proposal.verdict}`,
    { title: apply },
    { title: show(() => t`Leave as it is`) },
  );
  if (choice?.title !== show(() => t`Apply`)) return show(() => t`Nothing was changed.`);
  const texts = await Promise.all(
    proposal.files.map(async (file) => ({
      ...file,
      present: context.documents.get(file.uri)?.text ?? (await textOnDisk(file.uri)) ?? "",
    })),
  );
  const decided = new Set(proposal.hunks.map((hunk) => hunk.id));
  const merges = texts.map((text) => ({
    ...text,
    merge: mergeHunks({ ...text, hunks: hunksOf(proposal.hunks, text.file), decided, to: "proposed" }),
  }));
  for (const { file, merge } of merges)
    if (merge.kind === "conflict")
      return show(
        () =>
          t`Nothing was changed: ${file}:${(merge.conflicts[0]?.line ?? 0) + 1} was edited since the proposal was made. Run Optimize again on the text as it is now.`,
      );
  const edits = merges.flatMap(({ file, merge }) =>
    merge.kind === "merged" ? merge.edits.map((edit): FileEdit => ({ ...edit, file })) : [],
  );
  const { applied } = await context.connection.workspace.applyEdit({ changes: replacements(texts, edits) });
  if (!applied) return show(() => t`The editor did not apply the changes.`);
  await router["kernelwright/decide"](
    context,
    { sessionId: proposal.sessionId, hunks: [...decided], decision: "accepted", edits },
    new AbortController().signal,
  );
  return show(() => t`The changes were applied.`);
}

interface PresentText {
  readonly uri: string;
  readonly file: string;
  readonly present: string;
}

/** Each changed document as one replacement, which keeps line ends and the final newline as they are. */
function replacements(texts: readonly PresentText[], edits: readonly FileEdit[]): Record<string, TextEdit[]> {
  const changes: Record<string, TextEdit[]> = {};
  for (const { uri, file, present } of texts) {
    const own = edits.filter((edit) => edit.file === file);
    if (own.length > 0)
      changes[uri] = [
        {
          range: {
            start: { line: 0, character: 0 },
            end: { line: splitLines(present).length, character: 0 },
          },
          newText: applyEdits(present, own),
        },
      ];
  }
  return changes;
}

/** Files that are made with a text. */
function creating(files: readonly { readonly uri: string; readonly text: string }[]): WorkspaceEdit {
  return {
    documentChanges: files.flatMap(({ uri, text }) => [
      { kind: "create", uri },
      { textDocument: { uri, version: null }, edits: [insertion(text)] },
    ]),
  };
}

function insertion(text: string): TextEdit {
  return { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, newText: text };
}
