import { oneLine } from "../base/text";
import type { MadeUp } from "../judge/verdict";
import type { Distribution } from "../workload/spec";

/** `all -200`, `from -8 to 8, sorted`: how the values of an input are drawn. */
export function describeDistribution(distribution: Distribution): string {
  if (typeof distribution === "string") return distribution;
  switch (distribution.kind) {
    case "constant":
      return `all ${distribution.value}`;
    case "range":
      return `from ${distribution.low} to ${distribution.high}${distribution.sorted === true ? ", sorted" : ""}`;
    case "skewed":
      return `from ${distribution.low} to ${distribution.high}, small ones frequent`;
    case "offsets":
      return `offsets up to ${distribution.total}`;
    case "recorded":
      return "recorded";
  }
}

/** `x all -200, y sorted`; empty where inputs are drawn as the spec says. */
export function describeDrawn(inputs: MadeUp["inputs"] = {}): string {
  return Object.entries(inputs)
    .map(([name, distribution]) => `${name} ${describeDistribution(distribution)}`)
    .join(", ");
}

/** ` in a case of the tester (x all -200; "the maximum begins at 0")`. */
export function describeMadeUp({ why, inputs }: MadeUp): string {
  const told = [describeDrawn(inputs), why === "" ? "" : JSON.stringify(oneLine(why))];
  const words = told.filter((each) => each !== "").join("; ");
  return ` in a case of the tester${words === "" ? "" : ` (${words})`}`;
}
