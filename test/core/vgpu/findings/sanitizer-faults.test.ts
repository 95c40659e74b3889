import { describe as suite, expect, it } from "vitest";
import {
  DeviceMemory,
  type KernelFinding,
  type LaunchRequest,
  launch,
} from "../../../../server/core/vgpu/index";
import { address, compileText } from "../support";
import { snippet } from "../snippets";

interface Case extends Partial<LaunchRequest> {
  readonly body: string;
  readonly declarations?: string;
  readonly detectors?: boolean;
}

/**
 * Runs a kernel on 256 bytes named "data" in report mode and gives its findings and what lies in memory
 * afterwards.
 */
function reported({ body, declarations = "", detectors = false, ...request }: Case): {
  readonly findings: readonly KernelFinding[];
  readonly words: readonly number[];
} {
  const memory = request.memory ?? new DeviceMemory();
  const data = memory.allocate("data", 256, { initial: new Uint8Array(256) });
  const kernel = compileText(
    snippet(["u64"], `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x;\n${body}`, declarations),
    "kernel",
    { detectors },
  );
  const outcome = launch(kernel, {
    grid: [1, 1, 1],
    block: [32, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(data)],
    instructionBudget: 1e6,
    faults: "report",
    ...request,
    memory,
  });
  if (outcome.kind !== "completed") throw new Error(outcome.kind);
  return { findings: outcome.findings, words: [...new Uint32Array(memory.read(data).buffer)] };
}

suite("report mode", () => {
  it("drops bad stores, reads zeroes and counts each cause once", () => {
    const { findings, words } = reported({
      body: `mad.wide.u32 %rd1, %r0, 16, %rd0;
      .loc 1 4 1
      ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, 7;
      .loc 1 5 1
      st.global.u32 [%rd1], %r1;`,
    });
    expect(words.filter((_, index) => index % 4 === 0)).toEqual(Array.from({ length: 16 }, () => 7));
    const common = {
      kind: "out-of-bounds",
      file: "kernel.cu",
      block: [0, 0, 0],
      thread: [16, 0, 0],
      allocation: "data",
      distance: 4,
    };
    const place = `0x${(findings[0]?.address ?? 0n).toString(16)}, 4 bytes behind the end of "data" (256 bytes); 16 times`;
    expect(findings.map(({ address: _, ...rest }) => rest)).toEqual([
      {
        ...common,
        line: 4,
        count: 16,
        message: `out of bounds: thread (16,0,0) of block (0,0,0) reads 4 bytes at ${place}`,
      },
      {
        ...common,
        line: 5,
        count: 16,
        message: `out of bounds: thread (16,0,0) of block (0,0,0) writes 4 bytes at ${place}`,
      },
    ]);
  });

  it("names freed memory and keeps it out of use", () => {
    const memory = new DeviceMemory();
    const old = memory.allocate("old", 64, { initial: new Uint8Array(64).fill(9) });
    expect([memory.free(old), memory.free(old), memory.free(old + 4n)]).toEqual([
      "freed",
      "freed-before",
      "unknown",
    ]);
    const data = memory.allocate("next", 64);
    expect(data).not.toBe(old);
    const { findings } = reported({
      memory,
      arguments: [address(old)],
      body: ".loc 1 4 1\nld.global.u32 %r1, [%rd0+8];",
    });
    expect(findings).toEqual([
      {
        kind: "use-after-free",
        count: 32,
        file: "kernel.cu",
        line: 4,
        block: [0, 0, 0],
        thread: [0, 0, 0],
        address: old + 8n,
        allocation: "old",
        message: `use after free: thread (0,0,0) of block (0,0,0) reads 4 bytes at 0x${(old + 8n).toString(16)}, 8 bytes into "old" (64 bytes), which was freed; 32 times`,
      },
    ]);
  });

  it("suppresses misaligned accesses, stores to read-only memory and bad shared and local addresses", () => {
    const kinds = (each: Case): unknown =>
      reported(each).findings.map(({ kind, line, count }) => [kind, line, count]);
    expect(kinds({ body: ".loc 1 4 1\nadd.u64 %rd1, %rd0, 2; st.global.u32 [%rd1], %r0;" })).toEqual([
      ["misaligned", 4, 32],
    ]);
    const memory = new DeviceMemory();
    const fixed = memory.allocate("fixed", 64, { readOnly: true });
    expect(
      kinds({ memory, arguments: [address(fixed)], body: ".loc 1 4 1\nst.global.u32 [%rd0], 1;" }),
    ).toEqual([["read-only-write", 4, 32]]);
    expect([...memory.read(fixed)]).toEqual(Array.from({ length: 64 }, () => 0));
    expect(
      kinds({
        declarations: ".shared .align 4 .b8 tile[64];",
        body: ".loc 1 4 1\nmov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; st.shared.u32 [%r1], %r0;",
      }),
    ).toEqual([["out-of-bounds", 4, 16]]);
    expect(
      kinds({
        body: ".loc 1 4 1\n.local .align 8 .b8 frame[16]; mov.u64 %rd1, frame; mad.wide.u32 %rd1, %r0, 4, %rd1; st.local.u32 [%rd1], %r0;",
      }),
    ).toEqual([["out-of-bounds", 4, 28]]);
  });

  it("knows the parameters of a kernel by address", () => {
    const through = (access: string): unknown =>
      reported({
        detectors: true,
        body: `.loc 1 4 1
      mov.b64 %rd1, p0; cvta.param.u64 %rd2, %rd1; mad.wide.u32 %rd1, %r0, 8, %rd1; ${access}`,
      }).findings.map(({ kind, count, message }) => [kind, count, message.replace(/0x\w+/, "ADDRESS")]);
    expect(
      through(
        "ld.param.u64 %rd3, [%rd2]; ld.u64 %rd4, [%rd2]; setp.ne.u64 %p0, %rd3, %rd0; setp.ne.or.u64 %p0, %rd4, %rd0, %p0; @%p0 trap;",
      ),
    ).toEqual([]);
    const behind =
      "thread (1,0,0) of block (0,0,0) reads 8 bytes at ADDRESS, 8 bytes behind the end of parameter memory (8 bytes); 31 times";
    expect(through("ld.param.u64 %rd3, [%rd1];")).toEqual([
      ["out-of-bounds", 31, `out of bounds: ${behind}`],
    ]);
    expect(through("ld.u64 %rd3, [%rd1];")).toEqual([["out-of-bounds", 31, `out of bounds: ${behind}`]]);
    expect(through("st.u64 [%rd2], %rd1;")).toEqual([
      [
        "read-only-write",
        32,
        "write to read-only memory: thread (0,0,0) of block (0,0,0) writes 8 bytes at ADDRESS, which is a parameter of the kernel and may only be read; 32 times",
      ],
    ]);
  });

  it("does not look at suppressed bytes with the detectors", () => {
    const { findings } = reported({
      detectors: true,
      body: ".loc 1 4 1\nld.global.u32 %r1, [%rd0+256]; atom.global.add.u32 %r2, [%rd0+256], 1;",
    });
    expect(findings.map(({ kind, count }) => [kind, count])).toEqual([
      ["out-of-bounds", 32],
      ["out-of-bounds", 32],
    ]);
  });
});

suite("freed memory", () => {
  it("is used again when the memory is used up", () => {
    const memory = new DeviceMemory();
    const megabyte = 1 << 20;
    const addresses = Array.from({ length: 6 }, (_, index) => {
      const each = memory.allocate(`buffer ${index}`, 100 * megabyte);
      memory.free(each);
      return each;
    });
    expect(addresses[3]).toBe(addresses[0]);
    expect(memory.allocations()).toEqual([]);
  });
});
