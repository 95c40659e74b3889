import { capFaults } from "./cap-faults";
import { edgesOf, exportedNames, type ImportEdge, takenNames } from "./module-names";
import { parseSource } from "./sources";

/** What the tests of this folder ask of a TypeScript source. */
interface SourceFacts {
  /** Its faults against caps.json. */
  readonly faults: readonly string[];
  readonly edges: readonly ImportEdge[];
  /** Names that it takes from other files, as `path#name`. */
  readonly taken: readonly string[];
  readonly exported: readonly string[];
}

const known = new Map<string, SourceFacts>();

/**
 * A source is parsed once, for all tests. Its tree does not stay: the trees of all sources fill a gigabyte,
 * through which each collection of garbage walks.
 */
export function factsOf(path: string): SourceFacts {
  const before = known.get(path);
  if (before !== undefined) return before;
  const source = parseSource(path);
  const facts: SourceFacts = {
    faults: capFaults(path, source),
    edges: edgesOf(path, source),
    taken: takenNames(path, source),
    exported: exportedNames(source),
  };
  known.set(path, facts);
  return facts;
}
