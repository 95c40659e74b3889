import { shown } from "../handshake/user-language";
import { retold, t } from "../../../core/base/localized";
import type { CompletionItemKind, SignatureInformation } from "vscode-languageserver";
import { CompletionItemKind as Kind } from "vscode-languageserver";
import type { ReferenceEntry, ReferenceLanguage } from "../../../core/reference/entry";

/** An entry in Markdown: its signatures, what it does, its parameters, what one has to know. */
export const entryMarkdown = shown((entry: ReferenceEntry, language: ReferenceLanguage): string => {
  const code = language === "cuda" ? "cpp" : "python";
  const signatures =
    entry.signatures === undefined ? [] : [`\`\`\`${code}\n${entry.signatures.join("\n")}\n\`\`\``];
  return [...signatures, bodyMarkdown(entry)].join("\n\n");
});

/** All but the signatures. */
export const bodyMarkdown = shown((entry: ReferenceEntry): string => {
  const parameters = Object.entries(entry.parameters ?? {}).map(
    ([name, text]) => `- \`${name}\`: ${retold(text)}`,
  );
  const where = [
    ...(entry.header === undefined ? [] : [`\`#include <${entry.header}>\``]),
    ...(entry.since === undefined ? [] : [t`From ${entry.since} on.`]),
  ];
  return [retold(entry.about), parameters.join("\n"), ...(entry.notes ?? []).map(retold), where.join(" · ")]
    .filter((part) => part !== "")
    .join("\n\n");
});

/** The signatures of a call, their parameters by their place in the label. */
export const signaturesOf = shown((entry: ReferenceEntry): readonly SignatureInformation[] => {
  return (entry.signatures ?? []).map((label) => ({
    label,
    documentation: {
      kind: "markdown",
      value: [entry.about, ...(entry.notes ?? [])].map(retold).join("\n\n"),
    },
    parameters: parametersIn(label).map(({ name, span }) => {
      const text = entry.parameters?.[name];
      return text === undefined
        ? { label: span }
        : { label: span, documentation: { kind: "markdown", value: retold(text) } };
    }),
  }));
});

/** A parameter of a signature. */
interface LabelledParameter {
  readonly name: string;
  readonly span: [number, number];
}

/** The parameters of a signature as it is written, C++ or Python. A Python `*` alone is none. */
export function parametersIn(label: string): readonly LabelledParameter[] {
  const found: LabelledParameter[] = [];
  const from = label.indexOf("(") + 1;
  let depth = 0;
  let start = from;
  for (let index = from; index < label.length; index += 1) {
    const character = label.charAt(index);
    if ("([{".includes(character)) depth += 1;
    const ends = depth === 0 && (character === "," || character === ")");
    if (ends) {
      const parameter = parameterOf(label, start, index);
      if (parameter !== undefined) found.push(parameter);
      start = index + 1;
    }
    if (")]}".includes(character)) depth -= 1;
  }
  return found;
}

function parameterOf(label: string, start: number, end: number): LabelledParameter | undefined {
  const written = label.slice(start, end);
  const text = written.trim();
  if (text === "" || text === "*") return undefined;
  const declared = text.replace(/\s*=.*$/s, "").replace(/:.*$/s, "");
  const pointed = /\(\*\s*(\w+)\)/.exec(declared)?.[1];
  const name = pointed ?? /([A-Za-z_]\w*)\W*$/.exec(declared)?.[1] ?? declared;
  const from = start + written.indexOf(text);
  return { name, span: [from, from + text.length] };
}

const kinds: Readonly<Record<ReferenceEntry["kind"], CompletionItemKind>> = {
  function: Kind.Function,
  variable: Kind.Variable,
  type: Kind.Class,
  keyword: Kind.Keyword,
  constant: Kind.Constant,
};

/** The symbol that lists of completions show. */
export function completionKind(entry: ReferenceEntry): CompletionItemKind {
  return kinds[entry.kind];
}
