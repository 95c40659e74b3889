import type { Location, Position } from "vscode-languageserver";
import { occurrencesOf } from "../../../../core/language/names/occurrences";
import { nameAt } from "../../../../core/reference/call-site";
import type { TextRange } from "../../../../core/base/text";
import type { ServerContext } from "../../context";
import { toRange } from "../../views/convert";
import { helped, inCode, mayBeKernel } from "./known-name";
import { kernelsNamed, meantBy, type Mention, withMentions } from "./kernels-named";

/** The name at a place of code, without what it is a member of. */
export function identifierAt(
  context: ServerContext,
  uri: string,
  position: Position,
): { readonly name: string; readonly start: number; readonly end: number } | undefined {
  const source = helped(context, uri);
  if (source === undefined) return undefined;
  const offset = source.document.offsetAt(position);
  const found = nameAt(source.document.text, offset);
  if (found === undefined || !inCode(source, offset)) return undefined;
  const name = found.name.slice(found.name.lastIndexOf(".") + 1);
  if (!mayBeKernel(source, name)) return undefined;
  return { name, start: found.end - name.length, end: found.end };
}

/** From a launch, an import or a prototype to the kernel. */
export async function definition(
  context: ServerContext,
  uri: string,
  position: Position,
): Promise<Location[]> {
  const name = identifierAt(context, uri, position)?.name;
  if (name === undefined) return [];
  const kernels = await kernelsNamed(context, uri, name);
  return kernels.map((kernel) => ({ uri: kernel.uri, range: toRange(kernel.facts.nameRange) }));
}

/** Every launch, prototype and import of a kernel, and its definition. */
export async function references(
  context: ServerContext,
  uri: string,
  position: Position,
): Promise<Location[]> {
  const name = identifierAt(context, uri, position)?.name;
  const places = name === undefined ? undefined : await placesOf(context, uri, name);
  return (places ?? []).flatMap(({ uri: place, ranges }) =>
    ranges.map((range) => ({ uri: place, range: toRange(range) })),
  );
}

/** Where a kernel's name stands in one document. */
interface NamePlaces {
  readonly uri: string;
  readonly ranges: readonly TextRange[];
}

/**
 * Where the kernel stands that a document means by a name: the document that defines it, and those that mean
 * the same definition. Undefined for a name that is no kernel's.
 */
export async function placesOf(
  context: ServerContext,
  uri: string,
  name: string,
): Promise<readonly NamePlaces[] | undefined> {
  return withMentions(context, { uri, name }, async (mentions) => {
    const definers = mentions.filter((mention) => defines(mention, name));
    if (definers.length === 0) return undefined;
    const own = definers.filter(({ document }) => document.uri === uri);
    const meant = own.length > 0 ? own : await meantBy(context, uri, definers);
    const places: NamePlaces[] = [];
    for (const mention of mentions) {
      const means = defines(mention, name)
        ? [mention]
        : await meantBy(context, mention.document.uri, definers);
      if (!means.some((definer) => meant.includes(definer))) continue;
      const source = mention.document.parsed();
      const ranges = source === undefined ? [] : occurrencesOf(source, name);
      if (ranges.length > 0) places.push({ uri: mention.document.uri, ranges });
    }
    return places;
  });
}

function defines({ document }: Mention, name: string): boolean {
  return document.findKernels().some((kernel) => kernel.name === name);
}
