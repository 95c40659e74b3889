import { shown } from "../handshake/user-language";
import { t } from "../../../core/base/localized";
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic,
} from "vscode-languageserver";
import type { LensCommands } from "../../../protocol/commands";
import type { ServerContext } from "../context";
import { guessCode } from "../views/convert";
import { optimizeActions } from "./code/optimize-actions";
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
