import { type CodeAction, CodeActionKind } from "vscode-languageserver";
import { retold, t } from "../../../../core/base/localized";
import type { LineRewrite } from "../../../../core/words/rule-text";
import type { KernelFacts } from "../../../../core/language/facts";
import type { LineCounters } from "../../../../core/timing/counters";
import { type LineFault, lineFaults } from "../../../../core/words/line-faults";
import type { LensCommands } from "../../../../protocol/commands";
import type { KernelParams } from "../../../../protocol/requests";
import type { ServerContext } from "../../context";
import { digestOf } from "../../documents";
import { shown } from "../../handshake/user-language";
import type { CountedLines } from "./counted-lines";

/** For a line on which waste was counted: a run on its kernel, which begins with what costs most. */
export const optimizeActions = shown(
  (context: ServerContext, uri: string, line: number): readonly CodeAction[] => {
    const document = context.documents.get(uri);
    const counted = context.lineCounters.get(uri);
    if (document === undefined || counted?.digest !== digestOf(document.text)) return [];
    const kernel = document
      .findKernels()
      .find(({ range }) => range.start.line <= line && line <= range.end.line);
    if (kernel === undefined) return [];
    const argument = { uri, kernel: kernel.name };
    return [
      ...ruleActions(counted, kernel, line).map((action) => ruleAction(argument, action)),
      ...wasteActions(
        context,
        argument,
        counted.lines.find((each) => each.line === line + 1),
      ),
    ];
  },
);

/** On a line, the rules that would write it anew; on the line of the kernel's name, all of them. */
function ruleActions(
  { rewrites }: CountedLines,
  { name, nameRange }: KernelFacts,
  line: number,
): readonly LineRewrite[] {
  if (rewrites?.kernel !== name) return [];
  return nameRange.start.line === line ? rewrites.of : rewrites.of.filter((each) => each.line === line + 1);
}

/** A run that tries what one rule would write, and nothing else. */
function ruleAction(kernel: KernelParams, { title: does, strategy }: LineRewrite): CodeAction {
  const argument: LensCommands["kernelwright.optimize"] = { ...kernel, strategy };
  const title = t`Apply a rule to ${kernel.kernel}: ${retold(does)}`;
  const command = { title, command: "kernelwright.optimize", arguments: [argument] };
  return { title, kind: CodeActionKind.RefactorRewrite, command };
}

function wasteActions(
  context: ServerContext,
  argument: KernelParams,
  counted: LineCounters | undefined,
): readonly CodeAction[] {
  const fault = counted && lineFaults(counted)[0];
  if (fault === undefined) return [];
  const title = t`Optimize ${argument.kernel} (${fault.text})`;
  const command = { title, command: "kernelwright.optimize", arguments: [argument] };
  const asked = context.client.ownClient ? [askAction(argument, fault)] : [];
  return [{ title, kind: CodeActionKind.RefactorRewrite, command }, ...asked];
}

/** The sheet on which a run is made, with what was counted as a hint for a model. */
function askAction(kernel: KernelParams, { line, text: fault }: LineFault): CodeAction {
  const argument: LensCommands["kernelwright.optimizeWithOptions"] = {
    ...kernel,
    messages: [t`Begin with line ${line.line}: ${fault}.`],
  };
  const title = t`Ask a model about ${kernel.kernel} (${fault})…`;
  const command = { title, command: "kernelwright.optimizeWithOptions", arguments: [argument] };
  return { title, kind: CodeActionKind.RefactorRewrite, command };
}
