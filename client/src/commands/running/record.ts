import { l10n, Uri, window, workspace, WorkspaceEdit } from "vscode";
import type { RecordedSpec, RecordParams, RecordResult } from "../../../../server/protocol/requests";
import { hasTexts, textsOf } from "../arguments";
import type { Command, Parts } from "../command";
import { askForArguments, programFrom, programName } from "./program-argument";
import { settleUnsaved } from "./unsaved";

/** Runs a program once and keeps how it launches its kernels as their kernel specs. */
export const record: Command = {
  id: "kernelwright.record",
  runsCode: true,
  async run(parts, argument) {
    const program = recordedFrom(argument);
    if (program === undefined || !(await settleUnsaved(program.uri))) return;
    await recordProgram(parts, program);
  },
};

/** The program that a lens names, with what it was compiled with, else the file in the editor. */
function recordedFrom(argument: unknown): RecordParams | undefined {
  const program = programFrom(argument);
  const compileOptions = hasTexts(argument, "uri") ? textsOf(argument, "compileOptions") : undefined;
  return program && { ...program, ...(compileOptions && { compileOptions }) };
}

async function recordProgram(parts: Parts, program: RecordParams): Promise<void> {
  const name = programName(program);
  const result = await parts.tasks.run(
    l10n.t("Recording {0}", name),
    (token) => parts.connection.request("kernelwright/record", program, token),
    "notification",
  );
  if (result === undefined) return;
  const written = await writeSpecs(result.specs);
  // The message stays until the user has read it; the command has done its work.
  void tell(parts, program, { result, written });
}

interface Recorded {
  readonly result: RecordResult;
  readonly written: readonly Uri[];
}

async function tell(parts: Parts, program: RecordParams, { result, written }: Recorded): Promise<void> {
  const [open, details, give] = [l10n.t("Open Spec"), l10n.t("Details"), l10n.t("Give Arguments…")];
  const first = written[0];
  const choices = [...(first ? [open] : []), ...(result.launches === 0 ? [give] : []), details];
  const chosen =
    result.specs.length > 0
      ? await window.showInformationMessage(result.summary, ...choices)
      : await window.showWarningMessage(result.summary, ...choices);
  if (chosen === open && first) await window.showTextDocument(first);
  if (chosen === details)
    await parts.reports.showPage(
      l10n.t("Recording of {0}", programName(program).replaceAll("/", " ")),
      result.detail,
    );
  if (chosen === give) await recordWith(parts, program);
}

/** Asks for the program's arguments, and records it anew. */
async function recordWith(parts: Parts, program: RecordParams): Promise<void> {
  const words = await askForArguments(program);
  if (words === undefined) return;
  await recordProgram(parts, { ...program, arguments: words });
}

/** Writes the specs, those that would replace another text only when the user says so. */
async function writeSpecs(specs: readonly RecordedSpec[]): Promise<readonly Uri[]> {
  const others = specs.filter(({ there }) => there === "other");
  const replaces = others.length > 0 && (await mayReplace(others));
  const due = specs.filter(({ there }) => there === "nothing" || (there === "other" && replaces));
  const edit = new WorkspaceEdit();
  for (const { uri, text, there } of due)
    edit.createFile(Uri.parse(uri), {
      overwrite: there === "other",
      contents: new TextEncoder().encode(text),
    });
  if (due.length > 0 && !(await workspace.applyEdit(edit)))
    throw new Error(l10n.t("The kernel specs could not be written."));
  return specs.map(({ uri }) => Uri.parse(uri));
}

async function mayReplace(others: readonly RecordedSpec[]): Promise<boolean> {
  const replace = l10n.t("Replace");
  const names = others.map(({ uri }) => workspace.asRelativePath(Uri.parse(uri))).join(", ");
  const question = l10n.t("{0}: another text is there. Replace it by what was recorded?", names);
  return (await window.showWarningMessage(question, { modal: true }, replace)) === replace;
}
