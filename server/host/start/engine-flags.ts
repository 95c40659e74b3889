import { cachedDataVersionTag, setFlagsFromString } from "node:v8";

/** Node 20. */
const isOldEngine = process.versions.v8.startsWith("11.");

/** What V8 puts off, as its own flags say by default, and as we have it. */
const putOff = [
  // It begins to optimize so early that most commands end before it pays: a check takes an eighth less
  // processor time, and the kernels of 20,000 files a fifth, where functions run nine times as often first.
  { flag: "interrupt-budget", usual: 67_584, ours: 600_000 },
  // It looks for garbage whenever so much has come that the heap would be a third larger, and counts buffers
  // with it: inputs and outputs of kernels come by megabytes, and looking through everything else each time
  // took a third of a check. Up to four times the heap is what it takes by itself where its clock says so.
  { flag: "heap-growing-percent", usual: 0, ours: 300 },
] as const;

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
 * Has the V8 of Node 20 put off what rarely pays in programs like ours. Later versions gain nothing by a
 * later optimization; what they would gain by later collections is not known.
 */
export function putOffEngineWork(): void {
  if (isOldEngine) for (const { flag, ours } of putOff) setFlagsFromString(`--${flag}=${ours}`);
}

/**
 * What `make` gives under the flags that a tag was made under (`cachedDataVersionTag`); undefined where a
 * thread has set one of the process since that is needed on.
 */
export function underFlagsOf<Made>(tag: number, make: () => Made): Made | undefined {
  if (cachedDataVersionTag() === tag) return make();
  if (!isOldEngine) return undefined;
  for (const { flag, usual } of putOff) setFlagsFromString(`--${flag}=${usual}`);
  try {
    return cachedDataVersionTag() === tag ? make() : undefined;
  } finally {
    putOffEngineWork();
  }
}
