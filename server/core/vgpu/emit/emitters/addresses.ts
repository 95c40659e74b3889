import { staticLayout } from "../../layout";
import { globals } from "../../library/library";
import { type Wasm, getGlobal, i32, op } from "../../wasm/code";

/** A place for results that nobody wants. */
export function trash(): Wasm {
  return op("i32.add", getGlobal(globals.static), i32(staticLayout.trash));
}
