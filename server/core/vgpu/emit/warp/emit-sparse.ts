import { types } from "../../ptx/types";
import { faultCodes } from "../../library/memory/async";
import { sparseProduct } from "../../library/matrix/matrix-sparse";
import { call, i32, op, when } from "../../wasm/code";
import { elementsOf, refuseOverwriting, requireWholeWarp } from "./emit-matrix";
import type { WarpFamily, WarpFamilies } from "./emit-memory";
import { refuse } from "../../flatten/refusal";

/**
 * mma.sp and mma.sp::ordered_metadata (PTX ISA section 9.7.15.6.3). Indices that the manual leaves undefined
 * end the launch.
 */
const multiplySparse: WarpFamily = (warp, instruction, mask) => {
  const product = sparseProduct(instruction.matched) ?? refuse(instruction);
  const [first, second, third, fourth, metadata, selector] = instruction.operands;
  const [d = [], a = [], b = [], c = []] = [first, second, third, fourth].map(elementsOf);
  refuseOverwriting(instruction, { d, a, b, c }, false);
  if ([d, a, b, c].some((list, index) => list.length !== product.counts[index]))
    return refuse(instruction, "a fragment of another size");
  if (selector?.kind !== "integer") return refuse(instruction, "a sparsity selector that is no number");
  if (selector.value < 0n || selector.value >= BigInt(product.selectors))
    return refuse(instruction, `a sparsity selector of ${selector.value}, which is undefined`);
  requireWholeWarp(warp, instruction, mask);
  const undefinedLanes = warp.keep(
    warp.call(
      product.name,
      ...d.map((element) => warp.target(instruction, element)),
      ...[...a, ...b, ...c, metadata].map((element) => warp.source(instruction, element, types.b32)),
      i32(product.step * Number(selector.value)),
    ),
  );
  const site = warp.kernel.addSite({ instruction, space: "generic", access: "load", bytes: 0 });
  warp.push(
    when(
      undefinedLanes,
      call(
        warp.kernel.importOf("fault"),
        i32(faultCodes.badMetadata),
        warp.warp,
        i32(site),
        op("i32.ctz", undefinedLanes),
      ),
    ),
  );
};

export const sparseFamilies = {
  "matrix-multiply-sparse": multiplySparse,
} as const satisfies WarpFamilies;
