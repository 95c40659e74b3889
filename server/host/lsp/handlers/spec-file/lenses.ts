import { plural } from "../../../../core/words/quantities";
import { shown } from "../../handshake/user-language";
import { t } from "../../../../core/base/localized";
import type { CodeLens } from "vscode-languageserver";
import { last } from "../../../../core/base/known";
import type { LensCommand, LensCommands } from "../../../../protocol/commands";
import { type SpecDocument, uriBeside } from "./spec-document";

/** Over a spec: what it is for, and how many of its facts are guesses. */
export const specLenses = shown((document: SpecDocument): CodeLens[] => {
  const { spec } = document;
  if (spec === undefined) return [];
  const at = document.text.indexOf('"kernel"');
  const range = document.rangeOf({ start: at, end: at });
  const lens = <Name extends LensCommand>(
    title: string,
    command: Name,
    argument: LensCommands[Name],
  ): CodeLens => ({
    range,
    command: { title, command, arguments: [argument] },
  });
  const kernel = { uri: uriBeside(document, spec.file), kernel: last(spec.kernel.split("::")) };
  const guesses = document.marks.filter(({ origin }) => origin === "guessed").length;
  const { program } = spec;
  const recorded = program && {
    uri: uriBeside(document, program.file),
    arguments: program.arguments,
    compileOptions: program.compileOptions,
  };
  return [
    lens(t`Preview run`, "kernelwright.preview", { uri: document.uri }),
    lens(t`Check`, "kernelwright.check", kernel),
    lens(t`Optimize`, "kernelwright.optimize", kernel),
    ...(recorded === undefined ? [] : [lens(t`Record again`, "kernelwright.record", recorded)]),
    ...(guesses === 0
      ? []
      : [
          {
            range,
            command: { title: t`${plural(guesses, "guess", "es")} to look at`, command: "" },
          },
        ]),
  ];
});
