import { colouredNames, type NameColour } from "../../../../core/language/names/coloured-names";
import { colourTypes } from "../../../../protocol/colours";
import type { ServerContext } from "../../context";

/** Each colour as one of the protocol's types, with its modifiers as bits. */
const looks: Readonly<Record<NameColour, readonly [type: (typeof colourTypes)[number], modifiers: number]>> =
  {
    kernel: ["function", 0],
    launch: ["operator", 0],
    constant: ["variable", 1],
  };

/**
 * Semantic tokens of a document as the language server protocol packs them: five numbers for each, places
 * relative to the one before. Undefined for a document without any, whose colours are others' to say.
 */
export function colours(context: ServerContext, uri: string): readonly number[] | undefined {
  const document = context.client.settings.languageHelp ? context.documents.get(uri) : undefined;
  const source = document?.parsed();
  if (document === undefined || source === undefined) return undefined;
  const packed: number[] = [];
  let [line, character] = [0, 0];
  for (const { range, colour } of colouredNames(source, document.findKernels(), document.memory.colours)) {
    const { start, end } = range;
    const [type, modifiers] = looks[colour];
    const column = start.line === line ? start.character - character : start.character;
    packed.push(
      start.line - line,
      column,
      end.character - start.character,
      colourTypes.indexOf(type),
      modifiers,
    );
    [line, character] = [start.line, start.character];
  }
  return packed.length === 0 ? undefined : packed;
}
