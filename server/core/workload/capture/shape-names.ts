import { at, last, mustGet } from "../../base/known";
import { itemBytes } from "../item-bytes";
import type { ArgumentSpec, DataType, ShapeCase, SizeExpression } from "../spec";
import { contentOf, contentsOf, type ReadLaunch } from "./read-launch";

export const axes = [0, 1, 2] as const;
type Axis = (typeof axes)[number];
const axisNames = ["x", "y", "z"] as const;

/** A value of each launch, in their order. */
type PerLaunch = readonly number[];

/** Factors of the products that a length may be. */
const mostFactors = 3;

/**
 * What differs from launch to launch, as sizes with names: scalars have their parameter's name, the rest
 * names such as `grid_x` and `x_length`. What is equal in all launches stands in the spec as a number.
 */
export class ShapeNames {
  private readonly sizes = new Map<string, PerLaunch>();
  /** Scalars that are no sizes: fractions and negative numbers. */
  private readonly values = new Map<string, PerLaunch>();

  constructor(private readonly launches: readonly ReadLaunch[]) {
    for (const [index, { name, dtype }] of at(launches, 0).read.scalars.entries()) {
      const passed = launches.map(({ read }) => at(read.scalars, index).value);
      const isSize = /^u?int/.test(dtype) && passed.every((value) => value >= 0);
      (isSize ? this.sizes : this.values).set(this.free(name), passed);
    }
  }

  dimension(what: "grid" | "block", axis: Axis): SizeExpression {
    return this.sized(
      `${what}_${axisNames[axis]}`,
      this.launches.map(({ launch }) => launch[what][axis]),
    );
  }

  sharedBytes(): SizeExpression {
    return this.sized(
      "shared_bytes",
      this.launches.map(({ launch }) => launch.dynamicSharedBytes),
    );
  }

  length(name: string, dtype: DataType): SizeExpression {
    const lengths = this.launches.map((each) => contentOf(each, name).before.byteLength / itemBytes[dtype]);
    return this.productOf(lengths) ?? this.sized(`${name}_length`, lengths);
  }

  /** A scalar by the name that its values have here. */
  argument(argument: ArgumentSpec): ArgumentSpec {
    if (typeof argument === "string" || !("value" in argument) || typeof argument.value === "number")
      return argument;
    return { ...argument, value: this.nameOf(argument.value) };
  }

  /** Sizes and values of a launch. */
  shape(launch: number): Pick<ShapeCase, "sizes" | "values"> {
    const pick = (all: ReadonlyMap<string, PerLaunch>): Readonly<Record<string, number>> =>
      Object.fromEntries([...all].map(([name, values]) => [name, at(values, launch)]));
    return { sizes: pick(this.sizes), ...(this.values.size > 0 ? { values: pick(this.values) } : {}) };
  }

  /** Names of tensors are taken. */
  private free(name: string): string {
    return contentsOf(at(this.launches, 0)).some((each) => each.name === name) ? `${name}_value` : name;
  }

  private nameOf(scalar: string): string {
    const name = this.free(scalar);
    return this.sizes.has(name) || this.values.has(name) ? name : scalar;
  }

  private sized(name: string, values: PerLaunch): SizeExpression {
    const first = at(values, 0);
    if (values.every((value) => value === first)) return first;
    this.sizes.set(name, values);
    return name;
  }

  /** The shortest product of scalars that has these values in every launch. */
  private productOf(values: PerLaunch): SizeExpression | undefined {
    const names = at(this.launches, 0)
      .read.scalars.map(({ name }) => this.nameOf(name))
      .filter((name) => this.sizes.has(name));
    const factor = (name: string, launch: number): number => at(mustGet(this.sizes, name), launch);
    const found = productsOf(names).find((factors) =>
      values.every(
        (value, launch) =>
          value > 1 && value === factors.reduce((product, name) => product * factor(name, launch), 1),
      ),
    );
    return found?.join(" * ");
  }
}

/** Every product of up to `mostFactors` names, the shortest first: a, b, a * a, a * b, b * b, … */
function productsOf(names: readonly string[]): readonly (readonly string[])[] {
  const byLength = [names.map((name) => [name])];
  while (byLength.length < mostFactors)
    byLength.push(
      last(byLength).flatMap((factors) =>
        names.slice(names.indexOf(last(factors))).map((name) => [...factors, name]),
      ),
    );
  return byLength.flat();
}
