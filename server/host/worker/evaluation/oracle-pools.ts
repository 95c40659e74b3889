import { at } from "../../../core/base/known";
import type { Json } from "../../../core/base/json";
import { itemBytes } from "../../../core/workload/item-bytes";
import type { KernelSpec } from "../../../core/workload/spec";
import { replyObject } from "../compile/compiled-module";
import { countIn, objectIn } from "../transport/read-json";
import type { ResolvedShape } from "./case-shapes";
import { describedShape, type OracleCase, type OracleSession, readCase } from "./oracle-session";

/** What the inputs of one shape are drawn from, in the order of the spec. */
export interface OraclePools {
  readonly id: number;
  readonly pools: readonly {
    readonly name: string;
    /** Which of an element's lowest bits a seed clears. */
    readonly mask: number;
    /** Its elements have so many bytes each. */
    readonly pool: { readonly width: number; readonly content: Uint8Array };
  }[];
}

/**
 * What the inputs of timed calls are drawn from; undefined where an input cannot be drawn element by element.
 */
export async function poolsFor(
  { oracle, spec }: { readonly oracle: OracleSession; readonly spec: KernelSpec },
  shape: ResolvedShape,
  signal: AbortSignal,
): Promise<OraclePools | undefined> {
  const reply = await oracle.ask("pool", describedShape(spec, shape), [], signal);
  const result = replyObject(reply);
  const id = countIn(result, "pools");
  if (id === 0) return undefined;
  const masks = objectIn(result["masks"], "masks");
  const pools = shape.inputs.map(({ name, dtype }, place) => ({
    ...{ name, mask: countIn(masks, name) },
    pool: { width: itemBytes[dtype], content: at(reply.frames, place) },
  }));
  return { id, pools };
}

/** The inputs that seeds of 64 bits draw, in the order of the spec, as a case; their bytes are not sent. */
export async function drawCase(
  oracle: OracleSession,
  { of, seeds }: { readonly of: OraclePools; readonly seeds: readonly bigint[] },
  signal: AbortSignal,
): Promise<OracleCase> {
  const halves = of.pools.map(({ name }, place): [string, Json] => {
    const seed = at(seeds, place);
    return [name, [Number(seed & 0xffff_ffffn), Number(seed >> 32n)]];
  });
  const params = { pools: of.id, seeds: Object.fromEntries(halves) };
  return readCase(await oracle.ask("draw", params, [], signal));
}
