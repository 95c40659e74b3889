import { shown } from "../handshake/user-language";
import { t } from "../../../core/base/localized";
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic,
} from "vscode-languageserver";
import type { LensCommands } from "../../../protocol/commands";
import type { KernelParams } from "../../../protocol/requests";
import { lineFaults } from "../../../core/words/line-faults";
import type { ServerContext } from "../context";
import { digestOf } from "../documents";
import { guessCode } from "../views/convert";
import { lintActions } from "./language/lints";
import { specActions } from "./spec-file/code-actions";

/** Quick fixes, for spec files, for classic mistakes and for what checks say. */
export async function codeAction(context: ServerContext, params: CodeActionParams): Promise<CodeAction[]> {
  const { uri } = params.textDocument;
  const ofSpec = await specActions(context, uri, params.range);
  const ofLints = lintActions(context, uri, params.range);
  return [
    ...ofSpec,
    ...ofLints,
    ...setUpActions(context, uri, params.context.diagnostics),
    ...optimizeActions(context, uri, params.range.start.line),
  ];
}

/** For a line on which waste was counted: a run on its kernel, which begins with what costs most. */
const optimizeActions = shown((context: ServerContext, uri: string, line: number): readonly CodeAction[] => {
  const document = context.documents.get(uri);
  const counted = context.lineCounters.get(uri);
  const own = counted?.lines.find((each) => each.line === line + 1);
  if (document === undefined || own === undefined || counted?.digest !== digestOf(document.text)) return [];
  const fault = lineFaults(own)[0];
  const kernel = document
    .findKernels()
    .find(({ range }) => range.start.line <= line && line <= range.end.line);
  if (fault === undefined || kernel === undefined) return [];
  const argument: LensCommands["kernelwright.optimize"] = { uri, kernel: kernel.name };
  const title = t`Optimize ${kernel.name} (${fault.text})`;
  const command = { title, command: "kernelwright.optimize", arguments: [argument] };
  const asked = context.client.ownClient ? [askAction(argument, line, fault.text)] : [];
  return [{ title, kind: CodeActionKind.RefactorRewrite, command }, ...asked];
});

/** The sheet on which a run is made, with what was counted as a hint for a model. */
function askAction(kernel: KernelParams, line: number, fault: string): CodeAction {
  const argument: LensCommands["kernelwright.optimizeWithOptions"] = {
    ...kernel,
    messages: [t`Begin with line ${line + 1}: ${fault}.`],
  };
  const title = t`Ask a model about ${kernel.kernel} (${fault})…`;
  const command = { title, command: "kernelwright.optimizeWithOptions", arguments: [argument] };
  return { title, kind: CodeActionKind.RefactorRewrite, command };
}

/** For what a check says under a guess: the kernel can be set up. */
const setUpActions = shown(
  (context: ServerContext, uri: string, diagnostics: readonly Diagnostic[]): readonly CodeAction[] => {
    const told = diagnostics.find(({ code }) => code === guessCode);
    const kernels = context.documents.get(uri)?.findKernels();
    const kernel = kernels?.find(({ nameRange }) => nameRange.start.line === told?.range.start.line);
    if (told === undefined || kernel === undefined) return [];
    const argument: LensCommands["kernelwright.createSpec"] = { uri, kernel: kernel.name };
    const title = t`Set up ${kernel.name}`;
    const command = { title, command: "kernelwright.createSpec", arguments: [argument] };
    return [{ title, kind: CodeActionKind.QuickFix, diagnostics: [told], isPreferred: true, command }];
  },
);
