/**
 * The virtual GPU: PTX text in, executed on the CPU by generated WebAssembly. `parsePtx`, then
 * `compileKernel` for one entry, then `launch` on a `DeviceMemory`. See `layout.ts` for how a warp lies in
 * memory and `opcodes/table.json` for what is implemented.
 */
export { parsePtx } from "./ptx/parser";
export type { PtxModule, Parameter } from "./ptx/module";
export { linkPtx, type LinkSource } from "./link/link";
export { compileKernel, type CompiledKernel, type CompileOptions } from "./compile-kernel";
export type { Refusal } from "./opcodes/table";
export { DeviceMemory, linearAddress, noteStored, type Allocation } from "./memory/device-memory";
export { isOneValue } from "./memory/one-value";
export { SpareMemory } from "./memory/spare-memory";
export { forgottenBytes } from "./store-widths";
export { LentMemory, type MemoryLoan } from "./memory/lent-memory";
export { AccessLedger, type AllocationAccess } from "./memory/access-ledger";
export { launch, launchBytes, laneInstructions } from "./launch/launch";
export { countRepresentative, type SampleBudget } from "./launch/representative";
export {
  sampledLaunch,
  sampleOnly,
  type SampledOutcome,
  type SampleLimits,
  wholeLimit,
} from "./launch/sampled-launch";
export type {
  BlockShare,
  ChildWork,
  KernelArgument,
  KernelFinding,
  LaunchOutcome,
  LaunchAccesses,
  LastStore,
  LaunchRequest,
  Triple,
} from "./launch/state/types";
export { allTouched, type TouchedAllocations } from "./launch/state/touched";
export { addressWindow } from "./layout";
export { bytesText, orderLostText } from "./launch/findings/findings";
export {
  addressModes,
  channelFormats,
  imageBytes,
  imageGeometries,
  texelBytes,
  type Image,
  type Sampler,
} from "./memory/images";
