import type { ListingView } from "../../../server/protocol/views";

/** The lines of a source that a line of its listing comes from; one-based. */
export function sourcesOf({ links }: ListingView, line: number): ReadonlySet<number> {
  return new Set(links.filter(([listed]) => listed === line).map(([, source]) => source));
}

/** The lines of a listing that come from lines of its source; one-based, ascending. */
export function linesFrom({ links }: ListingView, sources: ReadonlySet<number>): readonly number[] {
  return ascending(links.filter(([, source]) => sources.has(source)).map(([listed]) => listed));
}

/**
 * Lines of a source and of its listing by colour: neighbours in the source differ, and a line of the listing
 * has the colour of the first line that it comes from.
 */
export function linesByColour(
  { links }: ListingView,
  colours: number,
): readonly { readonly listed: readonly number[]; readonly sources: readonly number[] }[] {
  const sources = ascending(links.map(([, source]) => source));
  const colourOf = new Map(sources.map((source, index) => [source, index % colours]));
  const first = new Map<number, number>();
  for (const [listed, source] of links) if (!first.has(listed)) first.set(listed, source);
  return Array.from({ length: colours }, (_, colour) => ({
    sources: sources.filter((source) => colourOf.get(source) === colour),
    listed: ascending(
      [...first].flatMap(([listed, source]) => (colourOf.get(source) === colour ? [listed] : [])),
    ),
  }));
}

function ascending(lines: readonly number[]): readonly number[] {
  return [...new Set(lines)].sort((a, b) => a - b);
}
