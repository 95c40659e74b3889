import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { lineOf } from "../../../../language/query";
import type { LineCounters } from "../../../../timing/counters";
import { isNot, type RuleInput } from "../../rule";
import { cudaKernel } from "../kernel";
import { readsApart } from "./constant-reads";

/**
 * The input without the sectors of constant memory: the virtual GPU counts them among the global ones, and
 * lanes that read a table at different places are no lanes that walk along columns. Only lines that touch no
 * other memory are changed.
 */
export function constantsApart(input: RuleInput): RuleInput {
  const view = input.dialect === "cuda" ? cudaKernel(input) : undefined;
  if (view === undefined || isNot(view)) return input;
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const others = new Set([...accesses, ...atomics].map(({ node }) => lineOf(node)));
  const apart = new Set(readsApart(view).map(lineOf));
  const isOnly = ({ file, line }: LineCounters): boolean =>
    file === input.file && apart.has(line) && !others.has(line);
  const { counters } = input;
  const more = counters.lines
    .filter(isOnly)
    .reduce(
      (sum, { globalLoadSectors, globalLoadSectorsIdeal }) =>
        sum + globalLoadSectors - globalLoadSectorsIdeal,
      0,
    );
  if (more === 0) return input;
  const lines = counters.lines.map((line) =>
    isOnly(line) ? { ...line, globalLoadSectors: line.globalLoadSectorsIdeal } : line,
  );
  const totals = { ...counters.totals, globalLoadSectors: counters.totals.globalLoadSectors - more };
  return { ...input, counters: { ...counters, lines, totals } };
}
