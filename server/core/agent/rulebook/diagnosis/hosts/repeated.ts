import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { enclosing, lineOf } from "../../../../language/query";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Started, startedBeside } from "./launches-beside";
import { type Finding, fraction, type Measured, shareOn, sumOf } from "../measured";

/**
 * Kernels that a function launches one after the other and that all load the same array, which none of them
 * changes: one pass over it could do. Launches of which only one is done (in branches) are none.
 */
export function repeatedInput(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, totals } = measured;
  if (view === undefined) return [];
  const started = startedBeside(view);
  const changed = new Set(started.flatMap((each) => arraysOf(each, "stores").map(({ array }) => array)));
  const found = [...readersOf(started)].flatMap(([array, readers]): readonly Finding[] => {
    const [first] = readers;
    const isOwn = readers.some(({ of }) => of.kernel.facts.name === view.kernel.facts.name);
    if (first === undefined || !isOwn || changed.has(array)) return [];
    if (readers.length < limitIn(entry, "readers")) return [];
    const lines = new Set(readers.flatMap((each) => each.lines));
    const { globalLoadSectors } = sumOf(measured.lines.filter(({ line }) => lines.has(line)));
    const spared = (globalLoadSectors * (readers.length - 1)) / readers.length;
    const part = fraction(spared, totals.globalLoadSectors + totals.globalStoreSectors);
    return [
      {
        line: lineOf(first.of.launch.call),
        share: shareOn(measured, ["dram", "l2", "latency"], part),
        blanks: { array, value: readers.length },
      },
    ];
  });
  return found.sort((a, b) => b.share - a.share).slice(0, 1);
}

/** Launches so short that the gaps between them are what costs. */
export function manyLaunches({ view, input }: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { nanoseconds, terms } = input.bound;
  const share = fraction(terms["launch"] ?? 0, nanoseconds);
  const value = (input.launches ?? []).reduce((sum, { times }) => sum + times, 0);
  if (value < limitIn(entry, "launches") || share < limitIn(entry, "share")) return [];
  const call = view?.launches[0]?.call;
  return call === undefined ? [] : [{ line: lineOf(call), share, blanks: { value } }];
}

/** A launch that reads an array, and the lines of its kernel that do. */
interface Reader {
  readonly of: Started;
  readonly lines: readonly number[];
}

/** Launches by the array that they load, as long as one block of the host's code does all of them. */
function readersOf(started: readonly Started[]): ReadonlyMap<string, readonly Reader[]> {
  const readers = new Map<string, Reader[]>();
  for (const of of started)
    for (const { array, lines } of arraysOf(of, "loads")) {
      const known = readers.get(array) ?? [];
      const isBeside = known[0] === undefined || blockOf(known[0].of) === blockOf(of);
      if (isBeside) readers.set(array, [...known, { of, lines }]);
    }
  return readers;
}

function blockOf({ launch }: Started): number | undefined {
  return enclosing(launch.call, "compound_statement")?.id;
}

/** What the host passes for parameters whose elements the kernel loads, or stores. */
function arraysOf(
  { kernel, passed }: Started,
  does: "loads" | "stores",
): readonly { readonly array: string; readonly lines: readonly number[] }[] {
  const { accesses } = cudaAccesses(kernel);
  return [...passed].flatMap(([parameter, array]) => {
    const own = accesses.filter((access) => access.parameter === parameter && access[does]);
    return own.length === 0 ? [] : [{ array, lines: own.map(({ node }) => lineOf(node)) }];
  });
}
