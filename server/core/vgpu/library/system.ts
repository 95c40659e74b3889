import { at } from "../../base/known";

/**
 * Functions that no module has to define. The driver's own (CUDA C++ Programming Guide, device-side printf,
 * malloc, assert and conditional nodes): bytes of their arguments and result. `packed` ones get their
 * arguments behind each other in words of 8 bytes.
 */
interface SystemFunction {
  readonly sizes: readonly number[];
  readonly result: number;
  readonly packed?: true;
}

/**
 * CUDA's runtime for kernels, by the names that its header gives the functions
 * (cuda_device_runtime_api.h): launches, and what programs do around them.
 */
export const deviceRuntime = "__cudaCDP2";

const ofDeviceRuntime: Readonly<Record<string, SystemFunction>> = {
  GetParameterBufferV2: { sizes: [8, 12, 12, 4], result: 8, packed: true },
  LaunchDeviceV2: { sizes: [8, 8], result: 4 },
  LaunchDeviceV2_ptsz: { sizes: [8, 8], result: 4 },
  GetLastError: { sizes: [], result: 4 },
  PeekAtLastError: { sizes: [], result: 4 },
  GetErrorString: { sizes: [4], result: 8 },
  GetErrorName: { sizes: [4], result: 8 },
  GetDevice: { sizes: [8], result: 4 },
  GetDeviceCount: { sizes: [8], result: 4 },
  StreamCreateWithFlags: { sizes: [8, 4], result: 4 },
  StreamDestroy: { sizes: [8], result: 4 },
  StreamWaitEvent: { sizes: [8, 8, 4], result: 4 },
  StreamWaitEvent_ptsz: { sizes: [8, 8, 4], result: 4 },
  EventCreateWithFlags: { sizes: [8, 4], result: 4 },
  EventRecord: { sizes: [8, 8], result: 4 },
  EventRecord_ptsz: { sizes: [8, 8], result: 4 },
  EventDestroy: { sizes: [8], result: 4 },
  MemcpyAsync: { sizes: [8, 8, 8, 4, 8], result: 4 },
  MemcpyAsync_ptsz: { sizes: [8, 8, 8, 4, 8], result: 4 },
  MemsetAsync: { sizes: [8, 4, 8, 8], result: 4 },
  MemsetAsync_ptsz: { sizes: [8, 4, 8, 8], result: 4 },
  Malloc: { sizes: [8, 8], result: 4 },
  Free: { sizes: [8], result: 4 },
};

export const systemFunctions: ReadonlyMap<string, SystemFunction> = new Map<string, SystemFunction>([
  ["vprintf", { sizes: [8, 8], result: 4 }],
  ["malloc", { sizes: [8], result: 8 }],
  ["free", { sizes: [8], result: 0 }],
  ["__assertfail", { sizes: [8, 8, 4, 8, 8], result: 0 }],
  ["cudaGraphSetConditional", { sizes: [8, 4], result: 0 }],
  ...Object.entries(ofDeviceRuntime).map(([name, known]) => [deviceRuntime + name, known] as const),
]);

/**
 * True for a function of the runtime for kernels. A program may have a body for it that only the toolkit's
 * linker sees.
 */
export function isDeviceRuntime(name: string): boolean {
  return name.startsWith(deviceRuntime);
}

/** Whether a kernel that calls these allocates on the heap of kernels. */
export function usesHeap(called: ReadonlySet<string>): boolean {
  return called.has("malloc") || [...called].some(isDeviceRuntime);
}

/** Whether a kernel that calls these launches others, or has memory copied or filled. */
export function launchesKernels(called: ReadonlySet<string>): boolean {
  return [...called].some((name) => /^(?:Launch|Mem)/.test(name.replace(deviceRuntime, "")));
}

const names = [...systemFunctions.keys()];

/** Numbers by which generated code asks the host for a service; see `launch/units/system-calls.ts`. */
export const systemCodes: Readonly<Record<string, number>> & { readonly badCall: number } = {
  ...Object.fromEntries(names.map((name, code) => [name, code])),
  badCall: names.length,
};

/** The function of a number. */
export function systemName(code: number): string {
  return code === names.length ? "badCall" : at(names, code);
}
