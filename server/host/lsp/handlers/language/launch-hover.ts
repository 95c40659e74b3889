import type { Hover, Position } from "vscode-languageserver";
import { oneLine } from "../../../../core/base/text";
import { describeVerdict } from "../../../../core/words/describe";
import type { ServerContext } from "../../context";
import type { OpenDocument } from "../../documents";
import { show, t } from "../../handshake/user-language";
import { toRange } from "../../views/convert";
import { kernelsNamed, type NamedKernel } from "./kernels-named";
import { identifierAt } from "./navigation";
import { kernelLabel } from "./signature";

/** What makes of a name that stands before it a launch. */
const launchBehind = { cuda: /\s*(?:<(?!<<)[^;{}]*?>\s*)?<<</y, triton: /\s*\[/y } as const;

/** Over a kernel's name where it is launched: what it takes, where it stands, what the last check said. */
export async function launchHover(
  context: ServerContext,
  uri: string,
  position: Position,
): Promise<Hover | null> {
  const document = context.documents.get(uri);
  const found = identifierAt(context, uri, position);
  if (document === undefined || found === undefined || !isLaunched(document, found.end)) return null;
  const kernels = await kernelsNamed(context, uri, found.name);
  if (kernels.length === 0) return null;
  const parts = show(() => kernels.map((kernel) => kernelMarkdown(context, kernel)));
  const range = toRange({ start: document.positionAt(found.start), end: document.positionAt(found.end) });
  return { contents: { kind: "markdown", value: parts.join("\n\n---\n\n") }, range };
}

function isLaunched({ dialect, text }: OpenDocument, end: number): boolean {
  if (dialect !== "cuda" && dialect !== "triton") return false;
  const behind = launchBehind[dialect];
  behind.lastIndex = end;
  return behind.test(text);
}

function kernelMarkdown(context: ServerContext, { uri, facts, digest }: NamedKernel): string {
  const line = facts.nameRange.start.line + 1;
  const place = `[${context.workspaces.locate(uri)?.file ?? uri}:${line}](${uri}#L${line})`;
  return [
    `\`\`\`${facts.dialect === "cuda" ? "cuda-cpp" : "python"}\n${kernelLabel(facts)}\n\`\`\``,
    t`Kernel in ${place}`,
    lastCheck(context, { uri, facts, digest }),
  ].join("\n\n");
}

function lastCheck(context: ServerContext, { uri, facts, digest }: NamedKernel): string {
  const checked = context.kernels.verdicts.get({ uri, kernel: facts.name });
  if (checked === undefined) return t`Not checked in this window yet.`;
  const said = asPlainText(oneLine(describeVerdict(checked.verdict)));
  if (checked.isGuess) return t`Last check, which rests on guesses: ${said}`;
  return checked.digest === digest ? t`Last check: ${said}` : t`Last check, before its last edits: ${said}`;
}

/** What a kernel or a compiler said is text here, whatever it looks like. */
function asPlainText(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~]/g, "\\$&");
}
