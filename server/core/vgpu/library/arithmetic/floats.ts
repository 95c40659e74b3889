import { at as element } from "../../../base/known";
import { type Wasm, call, i32, lane, op, splat32 } from "../../wasm/code";
import type { LibraryFunction, LibraryTable } from "../library";
import { approximationLibrary } from "./approximations";
import { fmaLibrary } from "./fma";

/**
 * Replaces each NaN by the canonical one that instructions return (PTX ISA section 9.7.3). The operand is
 * evaluated three times.
 */
export function withOneNaN(singles: Wasm): Wasm {
  return op("v128.bitselect", splat32(0x7fff_ffff), singles, op("f32x4.ne", singles, singles));
}

/** Operations that the host computes exactly; their position is their code: see `exact-arithmetic.ts`. */
export const exactOperations = ["add", "sub", "mul", "fma", "div", "sqrt"] as const;
export const exactRoundings = ["rn", "rz", "rm", "rp"] as const;

/** Exact arithmetic with any rounding, by a call to the host for each lane. Slow, and rarely needed. */
function throughHost(
  operation: number,
  rounding: number,
  wide: boolean,
  operandCount: number,
): LibraryFunction {
  return {
    signature: { parameters: Array.from({ length: operandCount }, () => "v128" as const), results: ["v128"] },
    build: ({ imported, parameters }) => {
      const kind = wide ? "f64x2" : "f32x4";
      let result: Wasm = splat32(0);
      for (let index = 0; index < (wide ? 2 : 4); index += 1) {
        const values = [0, 1, 2].map((at) => {
          const value = lane(
            `${kind}.extract_lane`,
            index,
            element(parameters, Math.min(at, operandCount - 1)),
          );
          return wide ? value : op("f64.promote_f32", value);
        });
        const exact = call(imported("exact"), i32(operation), i32(rounding), i32(wide ? 64 : 32), ...values);
        result = lane(`${kind}.replace_lane`, index, result, wide ? exact : op("f32.demote_f64", exact));
      }
      return result;
    },
  };
}

const operandCounts: Readonly<Record<(typeof exactOperations)[number], number>> = {
  add: 2,
  sub: 2,
  mul: 2,
  fma: 3,
  div: 2,
  sqrt: 1,
};

const exactTable: LibraryTable = Object.fromEntries(
  exactOperations.flatMap((name, operation) =>
    exactRoundings.flatMap((rounding, mode) =>
      [false, true].map(
        (wide) =>
          [
            `${name}_${wide ? "f64" : "f32"}_${rounding}`,
            throughHost(operation, mode, wide, operandCounts[name]),
          ] as const,
      ),
    ),
  ),
);

export const floatLibrary: LibraryTable = {
  ...exactTable,
  ...fmaLibrary,
  ...approximationLibrary,
};
