import type { TritonModel } from "../../language/triton/model";
import type { LintFinding } from "../lint";
import { arangeSizes } from "./arange-size";
import { lateWidenings } from "./late-widening";
import { missingMasks } from "./missing-mask";

/** A further lint is one more line here, with an entry in lints.json. */
const lints: readonly ((model: TritonModel) => readonly LintFinding[])[] = [
  arangeSizes,
  missingMasks,
  lateWidenings,
];

/** Every finding in a Triton source. */
export function tritonFindings(model: TritonModel): readonly LintFinding[] {
  return lints.flatMap((look) => look(model));
}
