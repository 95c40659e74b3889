import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import type { RuleEvidence, RuleInput } from "../rule";
import type { RuleEntry } from "../rule-table";
import { threshold } from "../rule-table";
import { lineOf } from "../syntax";
import type { CudaKernel } from "./kernel-source";
import { scalarBytes } from "./kernel-source";
import { blockShape } from "./launch-site";
import type { RowWalks } from "./row-walks";
import { rowWalks } from "./row-walks";

/** A row that a block loads more than once, with what that costs. */
export interface RowReuse {
  readonly walks: RowWalks;
  /** Bytes of an element. */
  readonly bytes: number;
  /** Elements of the longest row on the visible shapes. */
  readonly longest: number;
  /** Threads of the one-dimensional block. */
  readonly threads: number;
  readonly evidence: RuleEvidence;
  readonly gain: number;
}

/**
 * Rows whose later walks make up at least the rule's share of all sectors loaded. The worst of the later
 * loads is the evidence.
 */
export function rowReuses(input: RuleInput, kernel: CudaKernel, entry: RuleEntry): readonly RowReuse[] {
  const block = blockShape(input, kernel);
  if (block === undefined || block.sizes[1] !== 1 || block.sizes[2] !== 1) return [];
  return rowWalks(kernel).flatMap((walks) => {
    const bytes = scalarBytes(kernel.template.types.get(walks.elementType) ?? walks.elementType);
    const longest = longestRow(input, kernel, walks.end);
    if (bytes === undefined || longest === undefined) return [];
    const { totals } = input.counters;
    const again = walks.loops.slice(1).map(({ loop, reads }) => ({
      line: lineOf(reads[0] ?? loop),
      sectors: countsOf(input, loop).globalLoadSectors,
    }));
    const saved = again.reduce((sum, { sectors }) => sum + sectors, 0);
    const [worst] = [...again].sort((a, b) => b.sectors - a.sectors);
    if (
      worst === undefined ||
      saved === 0 ||
      shareSaved(saved, totals.globalLoadSectors) < threshold(entry, "shareLeast")
    )
      return [];
    const facts = {
      file: input.file,
      line: worst.line,
      counter: "globalLoadSectors" as const,
      value: worst.sectors,
      ideal: 0,
    };
    const evidence = evidenceFor(entry, facts, { array: walks.array, times: walks.loops.length });
    return [
      {
        walks,
        bytes,
        longest,
        threads: block.sizes[0],
        evidence,
        gain: gainOn(
          input,
          ["dram", "l2"],
          shareSaved(saved, totals.globalLoadSectors + totals.globalStoreSectors),
        ),
      },
    ];
  });
}

/**
 * The greatest value that the loop's end takes on the visible shapes: it must be a kernel parameter that the
 * spec passes as a plain size.
 */
function longestRow(input: RuleInput, kernel: CudaKernel, end: string): number | undefined {
  const position = kernel.parameters.findIndex((parameter) => parameter.name === end);
  const { run } = input.spec;
  const argument = run.kind === "launch" && position >= 0 ? run.launch.arguments[position] : undefined;
  if (argument === undefined || typeof argument === "string") return undefined;
  const values = input.spec.shapes.map((shape) =>
    typeof argument.value === "number" ? argument.value : shape.sizes[argument.value],
  );
  return values.every((value) => value !== undefined) && values.length > 0 ? Math.max(...values) : undefined;
}
