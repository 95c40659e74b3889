import { l10n, Uri, window, workspace } from "vscode";
import type { ProgramParams } from "../../../../server/protocol/requests";
import { complain, hasTexts, textsOf } from "../arguments";

/** The program that a lens names, else the file in the editor. */
export function programFrom(argument: unknown): ProgramParams | undefined {
  if (hasTexts(argument, "uri")) {
    const programArguments = textsOf(argument, "arguments");
    return {
      uri: argument.uri,
      ...(hasTexts(argument, "test") && { test: argument.test }),
      ...(programArguments && { arguments: programArguments }),
    };
  }
  const uri = argument instanceof Uri ? argument : window.activeTextEditor?.document.uri;
  if (uri?.scheme === "file") return { uri: uri.toString() };
  return complain(l10n.t("Open the file with the program's main(), a script or a test first."));
}

/** The program as the user would name it: `tests/test_scale.py::test_double`. */
export function programName({ uri, test }: ProgramParams): string {
  const file = workspace.asRelativePath(Uri.parse(uri));
  return test === undefined ? file : `${file}::${test}`;
}

/** Asks for a program's arguments; undefined when the user steps back. */
export async function askForArguments(program: ProgramParams): Promise<readonly string[] | undefined> {
  const text = await window.showInputBox({
    prompt: l10n.t("Arguments of the program, as in a shell; quotes keep blanks together"),
    value: (program.arguments ?? []).join(" "),
  });
  if (text === undefined) return undefined;
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
}
