/** What compiles and runs code to see what it touches: kernels by themselves, and host functions. */
export { openProbe, type ProbeSource } from "./probe-runs";
export { openTritonProbe } from "./triton-probe";
export { openEntryProbe } from "../entry/entry-probing";
export type { EntryProbeSource } from "../../../core/ports/entry-prober";
export type { TritonProbeSource } from "../../../core/ports/prober";
