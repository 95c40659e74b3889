import {
  type Wasm,
  atomicUpdate,
  block,
  branch,
  branchIf,
  get,
  i32,
  load,
  loop,
  op,
  set,
  tee,
} from "../../wasm/code";
import { isSigned, isWide, types } from "../../ptx/types";
import { type LibraryFunction, type LibraryTable, addressVector } from "../library";
import { forEachLane, laneAt } from "../lanes";

/**
 * reduction_OPERATION_TYPE(value, mask): red at the addresses of the last translation (PTX ISA section
 * 9.7.13.6), by WebAssembly's atomic instructions, so that no update by another host thread is lost.
 */
function reduction(
  operation: "add" | "and" | "or" | "xor" | "min" | "max",
  type: "i32" | "i64",
  signed: boolean,
): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32"], results: [] },
    build: ({ builder, parameters: [values = [], mask = []] }) => {
      const [rest, lane, address] = [builder.local("i32"), builder.local("i32"), builder.local("i32")];
      const [value, old, seen] = [builder.local(type), builder.local(type), builder.local(type)];
      const isBetter = op(
        `${type}.${operation === "min" ? "lt" : "gt"}_${signed ? "s" : "u"}`,
        get(value),
        get(old),
      );
      const exchange: Wasm = [
        set(old, load(`${type}.load`, get(address))),
        block(
          loop(
            branchIf(1, op("i32.eqz", isBetter)),
            branchIf(
              1,
              op(
                `${type}.eq`,
                tee(seen, atomicUpdate("cmpxchg", type, get(address), get(old), get(value))),
                get(old),
              ),
            ),
            set(old, get(seen)),
            branch(0),
          ),
        ),
      ];
      return [
        set(rest, mask),
        forEachLane(rest, lane, [
          set(address, load("i32.load", laneAt(addressVector, get(lane)))),
          set(
            value,
            load(
              `${type}.load`,
              op("i32.add", values, op("i32.shl", get(lane), i32(type === "i64" ? 3 : 2))),
            ),
          ),
          operation === "min" || operation === "max"
            ? exchange
            : op("drop", atomicUpdate(operation, type, get(address), get(value))),
        ]),
      ];
    },
  };
}

export const reductionLibrary: LibraryTable = Object.fromEntries([
  ...(["and", "or", "xor"] as const).flatMap((name) =>
    (["b32", "b64"] as const).map((type): [string, LibraryFunction] => [
      `reduction_${name}_${type}`,
      reduction(name, type === "b64" ? "i64" : "i32", false),
    ]),
  ),
  ...(["add", "min", "max"] as const).flatMap((name) =>
    [types.u32, types.s32, types.u64, types.s64].map((type): [string, LibraryFunction] => [
      `reduction_${name}_${type.name}`,
      reduction(name, isWide(type) ? "i64" : "i32", isSigned(type)),
    ]),
  ),
]);
