import type { KernelView } from "../../kernel";
import { helperInlined, type Inlined } from "./helpers";
import { methodInlined } from "./methods";

export { statementsInlined } from "./statements";
export { objectsApart, objectsBraced } from "./objects";

export { countsAdded } from "./counts";
export { sinesApart } from "./sines";
export { macrosExpanded } from "./macros";

/** A call of a function of the file, or of a structure's, as the expression that it returns. */
export function callInlined(view: KernelView): Inlined | undefined {
  return helperInlined(view) ?? methodInlined(view);
}
