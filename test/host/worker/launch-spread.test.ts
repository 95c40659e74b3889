import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe as suite, expect, it } from "vitest";
import type { Arithmetic } from "../../../server/core/base/arithmetic";
import {
  DeviceMemory,
  type KernelArgument,
  type LaunchOutcome,
  compileKernel,
  launch,
  parsePtx,
} from "../../../server/core/vgpu/index";
import { type LaunchTeam, launchSpread } from "../../../server/host/spread/launch-spread";
import { HelperTeam, type KernelText } from "../../../server/host/worker/gpu/launch-team";
import type { LaunchJob } from "../../../server/host/worker/gpu/virtual-gpu";
import { VirtualGpuPool } from "../../../server/host/worker/gpu/virtual-gpu-pool";
import { readCase } from "../../core/vgpu/support";
import { bundledThread } from "./vgpu-under-test";

type Team = LaunchTeam<KernelText, Promise<LaunchOutcome>>;

let team: HelperTeam;
let thread = "";
beforeAll(() => {
  thread = bundledThread();
  team = new HelperTeam(thread, 2);
});
afterAll(() => team.close());

const head = ".version 8.0\n.target sm_80\n.address_size 64\n";

/**
 * Each thread mixes its number for `rounds` rounds and folds it into the words of `out` by every kind of
 * reduction.
 */
const folding = `${head}.visible .entry folding(.param .u64 out, .param .u32 rounds)
{
.reg .b32 %r<12>; .reg .b64 %rd<6>; .reg .pred %p<2>;
ld.param.u64 %rd0, [out];
ld.param.u32 %r9, [rounds];
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;
mad.lo.u32 %r3, %r0, %r1, %r2;
mov.u32 %r4, 0;
$again:
mad.lo.u32 %r3, %r3, 1664525, 1013904223;
add.u32 %r4, %r4, 1;
and.b32 %r5, %r3, 24;
cvt.u64.u32 %rd1, %r5;
add.u64 %rd2, %rd0, %rd1;
red.global.add.u32 [%rd2], %r3;
red.global.xor.b32 [%rd0+32], %r3;
red.global.or.b32 [%rd0+36], %r5;
atom.global.and.b32 %r6, [%rd0+40], %r3;
red.global.max.u32 [%rd0+44], %r3;
red.global.min.s32 [%rd0+48], %r3;
cvt.u64.u32 %rd3, %r3;
atom.global.add.u64 %rd4, [%rd0+56], %rd3;
red.global.max.u64 [%rd0+64], %rd3;
red.global.min.s64 [%rd0+72], %rd3;
setp.lt.u32 %p0, %r4, %r9;
@%p0 bra $again;
ret;
}
`;

/** Blocks from `limit` on store far behind the buffer. */
const straying = `${head}.visible .entry straying(.param .u64 out, .param .u32 limit)
{
.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<3>;
ld.param.u64 %rd0, [out];
ld.param.u32 %r1, [limit];
mov.u32 %r0, %ctaid.x;
mov.u32 %r2, 0;
$again:
add.u32 %r2, %r2, 1;
setp.lt.u32 %p0, %r2, 400;
@%p0 bra $again;
setp.lt.u32 %p1, %r0, %r1;
@%p1 bra $done;
st.global.u32 [%rd0+1000000], %r0;
$done:
ret;
}
`;

interface Trial {
  readonly ptx: string;
  readonly entry: string;
  readonly grid: number;
  readonly block: number;
  readonly shared?: number;
  readonly buffers: readonly Uint8Array[];
  readonly scalars?: readonly number[];
  readonly budget?: number;
  readonly arithmetic?: Arithmetic;
}

/** Runs a kernel on one thread, or spread over the team from the start. */
async function run(
  { ptx, entry, grid, block, shared = 0, buffers, scalars = [], budget = 1e9, arithmetic }: Trial,
  helpers: Team | undefined,
): Promise<{ readonly outcome: LaunchOutcome; readonly digests: readonly string[] }> {
  const parsed = parsePtx(ptx);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const kernel = compileKernel(parsed.value, entry, {
    counters: false,
    detectors: false,
    spread: helpers !== undefined,
    ...(arithmetic && { arithmetic }),
  });
  if (!kernel.ok) throw new Error(kernel.problem.reason);
  expect(kernel.value.code.spread).toBe(helpers !== undefined);
  const memory = new DeviceMemory({ shared: kernel.value.code.spread });
  const addresses = buffers.map((initial, index) =>
    memory.allocate(`buffer ${index}`, initial.length, { initial }),
  );
  const request = {
    grid: [grid, 1, 1] as const,
    block: [block, 1, 1] as const,
    dynamicSharedBytes: shared,
    memory,
    instructionBudget: budget,
    arguments: [
      ...addresses.map((value): KernelArgument => ({ kind: "address", value })),
      ...scalars.map((value): KernelArgument => ({ kind: "integer", value })),
      ...kernel.value.parameters
        .slice(addresses.length + scalars.length)
        .map((): KernelArgument => ({ kind: "address", value: 0n })),
    ],
  };
  const outcome = helpers
    ? await launchSpread(
        {
          kernel: kernel.value,
          code: { ptx, entry, triton: false, ...(arithmetic && { arithmetic }) },
          request,
          worthwhile: 0,
        },
        helpers,
      )
    : launch(kernel.value, request);
  return {
    outcome,
    digests: addresses.map((address) => createHash("sha256").update(memory.read(address)).digest("hex")),
  };
}

const words = (...values: number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);
const floats = (count: number): Uint8Array =>
  new Uint8Array(Float32Array.from({ length: count }, (_, index) => Math.sin(index)).buffer);

const softmax: Trial = {
  ptx: readCase("triton", "captured", "softmax_f32.ptx"),
  entry: "softmax_kernel",
  grid: 300,
  block: 128,
  shared: 32,
  buffers: [new Uint8Array(300 * 1000 * 4), floats(300 * 1000)],
  scalars: [1000, 1000, 1000],
};

suite("a launch spread over threads", () => {
  it.each<[string, Trial]>([
    [
      "integer reductions",
      {
        ptx: folding,
        entry: "folding",
        grid: 700,
        block: 96,
        buffers: [words(...Array.from({ length: 20 }, () => -1))],
        scalars: [40],
      },
    ],
    ["rows of a softmax", softmax],
    ["the same, rounded up", { ...softmax, arithmetic: "rounded-up" }],
  ])("gives the bytes and the instructions of one thread: %s", async (_, trial) => {
    expect(await run(trial, team)).toEqual(await run(trial, undefined));
  });

  it("tells the fault of the lowest block", async () => {
    const trial: Trial = {
      ptx: straying,
      entry: "straying",
      grid: 900,
      block: 32,
      buffers: [words(0)],
      scalars: [611],
    };
    const [spread, alone] = [await run(trial, team), await run(trial, undefined)];
    expect(alone.outcome).toMatchObject({
      kind: "fault",
      finding: { kind: "out-of-bounds", block: [611, 0, 0] },
    });
    expect({ ...spread.outcome, warpInstructions: 0 }).toEqual({ ...alone.outcome, warpInstructions: 0 });
  });

  it("has one budget", async () => {
    const trial: Trial = {
      ptx: folding,
      entry: "folding",
      grid: 500,
      block: 64,
      buffers: [words(...Array.from({ length: 20 }, () => 0))],
      scalars: [100_000],
      budget: 3_000_000,
    };
    const { outcome } = await run(trial, team);
    expect(outcome.kind).toBe("budget-exceeded");
    // Each of the three threads may be on its last slice when the budget ends.
    expect(outcome.kind === "budget-exceeded" && outcome.warpInstructions < 3_300_000).toBe(true);
  });

  it("is told when a helper crashes", async () => {
    const crashing: Team = { size: 1, help: () => Promise.reject(new Error("the helper is gone")) };
    const trial: Trial = {
      ptx: folding,
      entry: "folding",
      grid: 50,
      block: 64,
      buffers: [words(...Array.from({ length: 20 }, () => 0))],
      scalars: [4],
    };
    await expect(run(trial, crashing)).rejects.toThrow("the helper is gone");
  });

  it("ends when time is up, and its threads go on with the next one", async () => {
    let started = 0;
    const count = (): void => void (started += 1);
    process.on("worker", count);
    const pool = new VirtualGpuPool(thread, 1);
    const folded = (rounds: number): LaunchJob => ({
      ptx: folding,
      entry: "folding",
      grid: [rounds === 1 ? 16 : 60_000, 1, 1],
      block: [256, 1, 1],
      dynamicSharedBytes: 0,
      counters: false,
      detectors: false,
      arguments: [
        { kind: "pointer", buffer: 0, offset: 0 },
        { kind: "scalar", bytes: words(rounds) },
      ],
      buffers: [{ name: "out", bytes: new Uint8Array(80), readOnly: false }],
    });
    const options = { signal: new AbortController().signal, limitSeconds: 2 };
    const endless = await pool.launch(folded(1_000_000), options);
    expect(endless).toEqual({ kind: "timed-out", limitSeconds: 2 });
    const cancelling = new AbortController();
    setTimeout(() => cancelling.abort(), 100);
    const cancelled = pool.launch(folded(1_000_000), { ...options, signal: cancelling.signal });
    await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
    expect(await pool.launch(folded(1), { ...options, limitSeconds: 60 })).toMatchObject({ kind: "done" });
    await pool.close();
    process.off("worker", count);
    expect(started).toBe(1);
  });
});

suite("kernels that stay on one thread", () => {
  const body = (code: string): string => `${head}.visible .entry k(.param .u64 out)
{
.reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<4>; .reg .pred %p<2>; .shared .b32 s[4];
ld.param.u64 %rd0, [out]; mov.u32 %r0, 1; mov.f32 %f0, 0f3F800000;
${code}
ret;
}
`;
  it.each([
    ["nothing special", "st.global.u32 [%rd0], %r0;", true],
    ["an integer reduction", "red.global.add.u32 [%rd0], %r0;", true],
    ["an atomic whose result nothing reads", "atom.global.add.u32 %r1, [%rd0], %r0;", true],
    [
      "an atomic of the block's own memory",
      "mov.u32 %r2, s; atom.shared.add.u32 %r1, [%r2], %r0; st.global.u32 [%rd0], %r1;",
      true,
    ],
    [
      "an atomic whose result is read",
      "atom.global.add.u32 %r1, [%rd0], %r0; st.global.u32 [%rd0+4], %r1;",
      false,
    ],
    ["a float reduction", "red.global.add.f32 [%rd0], %f0;", false],
    ["an exchange", "atom.global.exch.b32 %r1, [%rd0], %r0;", false],
    ["a clock", "mov.u32 %r1, %clock; st.global.u32 [%rd0], %r1;", false],
    [
      "a loop that waits",
      "$l: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra $l;",
      false,
    ],
  ])("%s: may be spread %s", (_, code, expected) => {
    const parsed = parsePtx(body(code));
    const kernel = parsed.ok
      ? compileKernel(parsed.value, "k", { counters: false, detectors: false, spread: true })
      : undefined;
    expect(kernel?.ok && kernel.value.code.spread).toBe(expected);
  });

  it("counters and detectors", () => {
    const parsed = parsePtx(body(""));
    for (const [counters, detectors] of [
      [true, false],
      [false, true],
    ] as const) {
      const kernel = parsed.ok
        ? compileKernel(parsed.value, "k", { counters, detectors, spread: true })
        : undefined;
      expect(kernel?.ok && kernel.value.code.spread).toBe(false);
    }
  });
});
