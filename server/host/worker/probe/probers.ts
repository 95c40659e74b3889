/** What compiles and runs code to see what it touches: kernels by themselves, and host functions. */
export { openProbe, type ProbeSource } from "./probe-runs";
export { openEntryProbe } from "../entry/entry-probing";
export type { EntryProbeSource } from "../../../core/ports/entry-prober";
