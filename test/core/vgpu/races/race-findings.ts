import {
  DeviceMemory,
  type KernelFinding,
  type LaunchRequest,
  launch,
} from "../../../../server/core/vgpu/index";
import { address, compileText } from "../support";
import { snippet } from "../snippets";

const tile = ".shared .align 16 .b8 tile[1024];";
/** %r4: address of the thread's word in the tile; %r5: of the next word; %rd1: of its word in "data". */
const start = `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
mov.u32 %r4, tile; mad.lo.u32 %r4, %r0, 4, %r4; add.u32 %r5, %r4, 4; mul.wide.u32 %rd1, %r3, 4; add.u64 %rd1, %rd0, %rd1;`;

export interface Case extends Partial<LaunchRequest> {
  readonly body: string;
}

/** Findings of a kernel on 1,024 zeroes named "data"; by default one block of 64 threads. */
export function findings({ body, ...request }: Case): readonly KernelFinding[] {
  const memory = request.memory ?? new DeviceMemory();
  const data = memory.allocate("data", 1024, { initial: new Uint8Array(1024) });
  const kernel = compileText(snippet(["u64"], `${start}\n${body}`, tile), "kernel", { detectors: true });
  const outcome = launch(kernel, {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(data)],
    instructionBudget: 1e6,
    faults: "report",
    ...request,
    memory,
  });
  if (outcome.kind !== "completed") throw new Error(outcome.kind);
  return outcome.findings;
}

/** The messages of its findings. */
export const messages = (each: Case): readonly string[] => findings(each).map(({ message }) => message);
