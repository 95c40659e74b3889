import { setFlagsFromString } from "node:v8";

/**
 * The V8 of Node 20 has the instructions of WebAssembly that multiply and add with one rounding only when it
 * is asked for them; later versions always do. Has to be called before the first kernel is compiled.
 */
export function allowFusedArithmetic(): void {
  if (process.versions.v8.startsWith("11.")) setFlagsFromString("--experimental-wasm-relaxed-simd");
}
