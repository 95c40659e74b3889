import { posix } from "node:path";
import {
  type CancellationToken,
  chat,
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  Disposable,
  l10n,
  MarkdownString,
  Uri,
  workspace,
} from "vscode";
import type { KernelParams } from "../../../server/protocol/requests";
import type { Parts } from "../commands/command";
import { escapeMarkdown } from "../markdown";
import { isRunning } from "../sessions/session-store";
import { type Answer, type FollowUp, plainAnswer } from "./answer";
import { kernelAtHand, lineAtHand } from "./at-hand";
import { addressOfLine, goToLine } from "./go-to-line";
import { type Asked, replies } from "./replies";
import { wishOf } from "./request";

const participantId = "kernelwright.kernel";

interface Answered extends ChatResult {
  readonly metadata: { readonly followUps: readonly FollowUp[] };
}

/** `@kernelwright` in the editor's chat; nothing in an editor without chat. */
export function serveChat(parts: Parts): Disposable {
  // Editors that are built without chat leave the namespace out, whatever its type says.
  const editorChat = chat as typeof chat | undefined;
  if (typeof editorChat?.createChatParticipant !== "function") return Disposable.from();
  const participant = editorChat.createChatParticipant(participantId, (request, _context, stream, token) =>
    answer(parts, request, { stream, token }),
  );
  participant.followupProvider = {
    provideFollowups: (result) =>
      (result as Answered).metadata.followUps.map(({ command, label }) => ({ prompt: "", command, label })),
  };
  return participant;
}

async function answer(
  parts: Parts,
  request: ChatRequest,
  { stream, token }: { readonly stream: ChatResponseStream; readonly token: CancellationToken },
): Promise<Answered> {
  const wish = wishOf(request.command, request.prompt);
  const reply = replies[wish];
  if (reply.runsCode && !workspace.isTrusted) return show(untrusted(), stream, undefined);
  try {
    const kernel = await kernelAtHand(parts, request);
    const asked: Asked = {
      prompt: request.prompt.trim(),
      kernel,
      line: lineAtHand(request),
      run: runOf(parts, kernel),
      token,
      progress: (text) => stream.progress(text),
    };
    return show(await reply.make(parts, asked), stream, kernel);
  } catch (error) {
    parts.log.error(
      `@kernelwright ${wish}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return show(plainAnswer(error instanceof Error ? error.message : String(error)), stream, undefined);
  }
}

/** The run on the kernel, else the only one that there is. */
function runOf(parts: Parts, kernel: KernelParams | undefined): Asked["run"] {
  const running = parts.sessions.all().filter(isRunning);
  const path = kernel && workspace.asRelativePath(Uri.parse(kernel.uri));
  const own = running.find((run) => run.kernel === kernel?.kernel && run.file === path);
  return own ?? (running.length === 1 ? running[0] : undefined);
}

function untrusted(): Answer {
  return plainAnswer(
    l10n.t(
      "Kernelwright compiles and runs code of this folder only when you trust it: *Workspaces: Manage Workspace Trust*. Questions about what was counted and sessions work without.",
    ),
  );
}

function show(answer: Answer, stream: ChatResponseStream, kernel: KernelParams | undefined): Answered {
  // One piece of Markdown up to each button: pieces apart would be paragraphs apart.
  let text = "";
  const tell = (): void => {
    const told = new MarkdownString(text);
    told.isTrusted = { enabledCommands: [goToLine.id] };
    if (text !== "") stream.markdown(told);
    text = "";
  };
  for (const part of answer.parts) {
    if ("markdown" in part) text += part.markdown;
    else if ("line" in part) text += lineLink(part.line, kernel);
    else {
      tell();
      stream.button({ title: part.title, command: part.command, arguments: [part.argument] });
    }
  }
  tell();
  return { metadata: { followUps: answer.followUps } };
}

/** `racing.cu:5`; an anchor of the editor's own would read `racing.cu#5-5`. */
function lineLink(line: number, kernel: KernelParams | undefined): string {
  if (kernel === undefined) return l10n.t("line {0}", line);
  const name = posix.basename(Uri.parse(kernel.uri).path);
  return `[${escapeMarkdown(`${name}:${line}`)}](${addressOfLine(kernel.uri, line)})`;
}
