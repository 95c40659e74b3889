import * as z from "zod/mini";
import { InvariantError } from "../base/assert";
import { readShape } from "../base/shape";
import table from "./tool-refusals.json";

/** Why one of NVIDIA's tools did not do its work, and what to do. */
export interface ToolRefusal {
  /** The tool's own words, by which it is known. */
  readonly says: string;
  readonly means: string;
  readonly remedy: string;
}

const refusals: readonly ToolRefusal[] = readTable();

function readTable(): readonly ToolRefusal[] {
  const row = z.strictObject({ says: z.string(), means: z.string(), remedy: z.string() });
  const read = readShape(z.strictObject({ refusals: z.array(row) }), table);
  if (!read.ok) throw new InvariantError(`tool-refusals.json: ${read.problem}`);
  return read.value.refusals;
}

/** The refusals that the output of a tool names, in the order of the table. */
export function refusalsIn(output: string): readonly ToolRefusal[] {
  return refusals.filter(({ says }) => output.includes(says));
}
