import { retold } from "../../../../core/base/localized";
import { shown } from "../../handshake/user-language";
import { t } from "../../../../core/base/localized";
import type { CodeLens } from "vscode-languageserver";
import type { KernelFacts } from "../../../../core/language/facts";
import { findPrograms } from "../../../../core/language/programs";
import type { LensCommand } from "../../../../protocol/commands";
import type { RecordParams } from "../../../../protocol/requests";
import type { OpenDocument } from "../../documents";
import { toRange } from "../../views/convert";

/** Only an editor with our views has a place for a program's output. */
const watched: readonly (readonly [string, LensCommand])[] = [
  ["Run", "kernelwright.runProgram"],
  ["Sanitize", "kernelwright.sanitizeProgram"],
  ["Profile", "kernelwright.profileProgram"],
];

/** Over what can be run by itself: main(), a script, a test. */
export const programLenses = shown(
  (document: OpenDocument, kernels: readonly KernelFacts[], ownClient: boolean): readonly CodeLens[] => {
    const source = document.parsed();
    if (source === undefined) return [];
    const offered: readonly (readonly [string, LensCommand])[] = [
      ...(ownClient ? watched : []),
      [t`Record`, "kernelwright.record"],
    ];
    return findPrograms(source, kernels).flatMap(({ test, position }) => {
      const range = toRange({ start: position, end: position });
      const argument: RecordParams = { uri: document.uri, ...(test === undefined ? {} : { test }) };
      return offered.map(([title, command]) => ({
        range,
        command: { title: retold(title), command, arguments: [argument] },
      }));
    });
  },
);
