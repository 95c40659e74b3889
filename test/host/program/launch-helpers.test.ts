import { expect, it } from "vitest";
import { known } from "../../../server/core/base/known";
import { DeviceMemory, type LaunchOutcome, launch } from "../../../server/core/vgpu/index";
import { LoadedModule } from "../../../server/host/program/device/loaded-module";
import { LaunchHelpers } from "../../../server/host/program/service/launch-helpers";
import { launchSpreadHere } from "../../../server/host/spread/launch-spread";
import { bundledDeviceThread } from "../worker/vgpu-under-test";

/**
 * Each thread adds its number to a word that all share and stores it in one of its own, which lies far
 * behind the end for blocks from `limit` on.
 */
const ptx = `.version 8.0
.target sm_80
.address_size 64
.visible .entry sums(.param .u64 out, .param .u32 limit)
{
.reg .b32 %r<8>; .reg .b64 %rd<5>; .reg .pred %p<2>;
ld.param.u64 %rd0, [out];
ld.param.u32 %r4, [limit];
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;
mad.lo.u32 %r3, %r0, %r1, %r2;
red.global.add.u32 [%rd0], %r3;
setp.lt.u32 %p0, %r0, %r4;
@%p0 bra $inside;
add.u64 %rd0, %rd0, 1000000;
$inside:
mul.wide.u32 %rd1, %r3, 4;
add.u64 %rd2, %rd0, %rd1;
st.global.u32 [%rd2+4], %r3;
ret;
}
`;

const [blocks, threads] = [100, 64];

function load(text: string): LoadedModule {
  const loaded = LoadedModule.load(text, new Uint8Array());
  if (!loaded.ok) throw new Error(loaded.problem.message);
  return loaded.value;
}

const options = { counters: false, detectors: false, spread: true, sharedMemory: true };

/** Runs the kernel alone or with helpers; gives how it ended and what is in memory then. */
function run(
  limit: number,
  helpers?: LaunchHelpers,
  module = load(ptx),
): { readonly end: string; readonly bytes: Uint8Array } {
  const compiled = module.compile("sums", options);
  if (!compiled.ok) throw new Error(compiled.problem.reason);
  const memory = new DeviceMemory({ shared: true });
  const address = memory.allocate("out", 4 * blocks * threads + 4);
  const values = new Uint8Array(12);
  const view = new DataView(values.buffer);
  view.setBigUint64(0, address, true);
  view.setUint32(8, limit, true);
  const request = {
    grid: [blocks, 1, 1] as const,
    block: [threads, 1, 1] as const,
    dynamicSharedBytes: 0,
    memory,
    instructionBudget: 1e9,
    arguments: [
      { kind: "bytes" as const, value: values.subarray(0, 8) },
      { kind: "bytes" as const, value: values.subarray(8) },
    ],
  };
  const code = { module: module.number, source: module.source, kernel: "sums", options };
  const spread = { kernel: compiled.value, code, request, worthwhile: 0 };
  const outcome = helpers ? launchSpreadHere(spread, helpers) : launch(compiled.value, request);
  return { end: endOf(outcome), bytes: memory.read(address) };
}

function endOf(outcome: LaunchOutcome): string {
  return outcome.kind === "fault"
    ? `fault in block ${known(outcome.finding.block, "the block of a fault")[0]}`
    : outcome.kind;
}

it("runs a program's launch with helping threads as with one", () => {
  const helpers = new LaunchHelpers(bundledDeviceThread(), 2);
  const alone = run(blocks);
  expect(alone.end).toBe("completed");
  // The second time the helpers know the module.
  const known = load(ptx);
  expect([run(blocks, helpers, known), run(blocks, helpers, known)]).toEqual([alone, alone]);
  expect([run(90).end, run(90, helpers).end]).toEqual(["fault in block 90", "fault in block 90"]);
});

it("runs the module of a launch, and not that of a device before it", () => {
  const helpers = new LaunchHelpers(bundledDeviceThread(), 2);
  // Another kernel of the same name.
  const other = ptx.replace("st.global.u32 [%rd2+4], %r3;", "st.global.u32 [%rd2+4], %r4;");
  const alone = [run(blocks), run(blocks, undefined, load(other))];
  expect(alone[0]).not.toEqual(alone[1]);
  expect([run(blocks, helpers), run(blocks, helpers, load(other))]).toEqual(alone);
  helpers.forget();
  expect([run(blocks, helpers, load(other)), run(blocks, helpers)]).toEqual(alone.toReversed());
});
