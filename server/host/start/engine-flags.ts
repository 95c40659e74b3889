import { cachedDataVersionTag, setFlagsFromString } from "node:v8";

/** Node 20. */
const isOldEngine = process.versions.v8.startsWith("11.");
const usualBudget = 67_584;
const laterBudget = 600_000;

/**
 * The V8 of Node 20 has the instructions of WebAssembly that multiply and add with one rounding only when it
 * is asked for them; later versions always do. Has to be called before the first kernel is compiled, and no
 * sooner: a flag holds for the whole process, and Node compiles each of its own modules anew from then on (30
 * ms of processor time for every thread that starts).
 */
export function allowFusedArithmetic(): void {
  if (isOldEngine) setFlagsFromString("--experimental-wasm-relaxed-simd");
}

/**
 * The V8 of Node 20 begins to optimize so early that most commands end before it pays: a check takes an
 * eighth less processor time, and the kernels of 20,000 files a fifth, where functions run nine times as
 * often first. Later versions gain nothing.
 */
export function optimizeLater(): void {
  if (isOldEngine) setFlagsFromString(`--interrupt-budget=${laterBudget}`);
}

/**
 * What `make` gives under the flags that a tag was made under (`cachedDataVersionTag`); undefined where a
 * thread has set one of the process since that is needed on.
 */
export function underFlagsOf<Made>(tag: number, make: () => Made): Made | undefined {
  if (cachedDataVersionTag() === tag) return make();
  if (!isOldEngine) return undefined;
  setFlagsFromString(`--interrupt-budget=${usualBudget}`);
  try {
    return cachedDataVersionTag() === tag ? make() : undefined;
  } finally {
    optimizeLater();
  }
}
