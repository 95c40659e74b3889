import { randomBytes } from "node:crypto";
import { at } from "../../../../core/base/known";
import { patternOf } from "../../evaluation/buffers";
import type { ResolvedShape } from "../../evaluation/case-shapes";
import type { OraclePools } from "../../evaluation/oracle-pools";
import type { Fill } from "../../evaluation/kernel-runner";
import type { TimedContent } from "./timed-messages";
import type { ShapedCall } from "./timed-order";

const seedBytes = 8;
const patternBytes = 8;

/** Seeds for the inputs of one call, in the order of the spec, that no code knows beforehand. */
export function newSeeds({ pools }: OraclePools): readonly bigint[] {
  return pools.map(() => randomBytes(seedBytes).readBigUInt64LE());
}

/** What the buffers of a call hold: inputs that its seeds draw from the pools, outputs a pattern. */
export function drawnContents(
  call: ShapedCall,
  { inputs, outputs }: ResolvedShape,
  by: { readonly pools: OraclePools; readonly seeds: readonly bigint[]; readonly fill: Fill },
): readonly TimedContent[] {
  // A Python entry makes some of its outputs itself.
  return call.contents.map((_, buffer) => {
    const { name } = at(call.buffers, buffer);
    const pool = inputs.findIndex((input) => input.name === name);
    if (pool >= 0)
      return { kind: "drawn", pool, seed: at(by.seeds, pool), mask: at(by.pools.pools, pool).mask };
    const output = outputs.find((each) => each.name === name);
    // All memory that is handed over is an input or an output.
    const pattern = Buffer.alloc(patternBytes, patternOf(output?.dtype ?? "uint8", by.fill));
    return { kind: "repeated", pattern: pattern.readBigUInt64LE() };
  });
}
