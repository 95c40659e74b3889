import { describe as suite, expect, it } from "vitest";
import { DeviceMemory, compileKernel, launch, parsePtx } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, compileText, run } from "../support";

/** Why a kernel of one parameter of 8 bytes with this body is refused. */
function refusalOf(body: string): string {
  const parsed = parsePtx(snippet(["u64"], body));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const compiled = compileKernel(parsed.value, "kernel", { counters: true, detectors: true });
  return compiled.ok ? "compiled" : compiled.problem.reason;
}

const list = (kind: string, from: number, count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `%${kind}${from + index}`).join(", ")}}`;
const wmma = "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32";
const mma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

suite("what would give a wrong result without notice is refused", () => {
  it.each([
    [
      "a parameter behind the last",
      "ld.param.u32 %r1, [p0+8];",
      "ld.param.u32 (an access behind the end of the parameters)",
    ],
    [
      "a vector that ends behind the last parameter",
      "ld.param.v2.u64 {%rd1, %rd2}, [p0];",
      "ld.param.v2.u64 (an access behind the end of the parameters)",
    ],
    [
      "a vector of more registers than the name says",
      "ld.param.u64 %rd0, [p0]; ld.global.v2.u32 {%r1, %r2, %r3, %r4}, [%rd0];",
      "ld.global.v2.u32 (4 elements)",
    ],
    [
      "a vector where the name says none",
      "ld.param.u64 %rd0, [p0]; st.global.u32 [%rd0], {%r1, %r2};",
      "st.global.u32 (2 elements)",
    ],
    [
      "a register where the name says a vector",
      "ld.param.u64 %rd0, [p0]; ld.global.v2.u32 %r1, [%rd0];",
      "ld.global.v2.u32 (1 elements)",
    ],
    [
      "a parameter a terabyte away",
      "ld.param.u8 %r1, [p0+1099511627776];",
      "ld.param.u8 (an access behind the end of the parameters)",
    ],
    [
      "a product in the registers of its accumulator, in another order",
      `${mma} {%f1, %f0, %f2, %f3}, ${list("r", 0, 4)}, ${list("r", 4, 2)}, ${list("f", 0, 4)};`,
      `${mma} (result in the registers of C, in another order)`,
    ],
    [
      "a product of doubles in a register of B",
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%d2}, {%d1}, {%d4, %d5};",
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 (result in the registers of A or B)",
    ],
    [
      "a product of many tiles in the registers of A",
      `${wmma} ${list("r", 0, 8)}, ${list("r", 4, 8)}, ${list("r", 12, 8)}, ${list("r", 20, 8)};`,
      `${wmma} (result in the registers of A or B)`,
    ],
    [
      "a product of many tiles in the registers of C, in another order",
      `${wmma} ${list("r", 1, 8)}, ${list("r", 10, 8)}, ${list("r", 18, 8)}, ${list("r", 0, 8)};`,
      `${wmma} (result in the registers of C, in another order)`,
    ],
    [
      "a product in the registers of its accumulator",
      `${mma} ${list("f", 0, 4)}, ${list("r", 0, 4)}, ${list("r", 4, 2)}, ${list("f", 0, 4)};`,
      undefined,
    ],
  ])("%s", (_, body, reason) => {
    expect(refusalOf(body)).toBe(reason === undefined ? "compiled" : `refused: ${reason}`);
  });
});

suite("barriers", () => {
  it("give results of a reduction to those alone who asked for them (PTX ISA section 9.7.13.1)", () => {
    // All reduce into %r1; then the second warp, which has changed %r1, waits at the barrier of a reduction
    // without taking part in it.
    const body = `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd0, %rd0, %rd1; setp.lt.u32 %p0, %r0, 32; setp.lt.u32 %p1, %r0, 7;
      bar.red.popc.u32 %r1, 0, %p1; @%p0 bra $reduce; add.u32 %r1, %r1, 100; bar.sync 0; bra $end; $reduce: bar.red.popc.u32 %r1, 0, %p0; $end: st.global.u32 [%rd0], %r1;`;
    const memory = new DeviceMemory();
    const output = memory.allocate("out", 256);
    run(compileText(snippet(["u64"], body), "kernel"), {
      grid: [1, 1, 1],
      block: [64, 1, 1],
      arguments: [address(output)],
      memory,
    });
    expect([...new Uint32Array(memory.read(output).buffer)]).toEqual(
      Array.from({ length: 64 }, (_, thread) => (thread < 32 ? 32 : 107)),
    );
  });
});

suite("fragments", () => {
  it("lie where their stride says, however large it is", () => {
    const body = `ld.param.u64 %rd0, [p0]; mov.u32 %r0, 0x20000000; wmma.load.c.sync.aligned.row.m16n16k16.global.f32 ${list("f", 0, 8)}, [%rd0], %r0; st.global.f32 [%rd0], %f0;`;
    const memory = new DeviceMemory();
    const data = memory.allocate("data", 4096);
    const kernel = compileText(snippet(["u64"], body), "kernel");
    const outcome = launch(kernel, {
      grid: [1, 1, 1],
      block: [32, 1, 1],
      dynamicSharedBytes: 0,
      arguments: [address(data)],
      memory,
      instructionBudget: 1000,
    });
    // The fifth lane is the first of the second row, 2^29 elements of 4 bytes further.
    expect(outcome).toMatchObject({
      kind: "fault",
      finding: { kind: "out-of-bounds", thread: [4, 0, 0], address: data + 0x8000_0000n },
    });
  });
});
