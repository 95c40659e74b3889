import { lane, op } from "./code";
import { ModuleBuilder } from "./module";

/**
 * Whether the engine multiplies and adds with one rounding (`relaxed_madd`): it has the instruction, and the
 * processor does it in one step. Engines may round twice instead, so that it is tried, once.
 */
export function multipliesAndAddsAtOnce(): boolean {
  return (isFused ??= roundsOnce());
}

let isFused: boolean | undefined;

/** Products that lie above 1 by less than half a unit, which is lost where the product is rounded. */
const trials = [
  { shape: "f32x4", unit: 2 ** -23 },
  { shape: "f64x2", unit: 2 ** -52 },
] as const;

function roundsOnce(): boolean {
  const module = new ModuleBuilder([], []);
  for (const { shape } of trials) {
    const type = shape === "f32x4" ? "f32" : "f64";
    const index = module.add(
      { parameters: [type, type, type], results: [type] },
      (_, [a = [], b = [], c = []]) =>
        lane(
          `${shape}.extract_lane`,
          1,
          op(
            `${shape}.relaxed_madd`,
            op(`${shape}.splat`, a),
            op(`${shape}.splat`, b),
            op(`${shape}.splat`, c),
          ),
        ),
    );
    module.export(shape, index);
  }
  const bytes = module.build();
  if (!WebAssembly.validate(bytes)) return false;
  const imports = { host: { memory: new WebAssembly.Memory({ initial: 1 }) } };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
  return trials.every(({ shape, unit }) => {
    const multiplyAdd = exports[shape] as (a: number, b: number, c: number) => number;
    return multiplyAdd(1 + unit, 1 - unit / 2, -1) === (unit / 2) * (1 - unit);
  });
}
