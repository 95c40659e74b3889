import { describe as suite, expect, it } from "vitest";
import {
  DeviceMemory,
  type LaunchOutcome,
  type LaunchRequest,
  compileKernel,
  launch,
  parsePtx,
} from "../../../../server/core/vgpu/index";
import { address, compileText } from "../support";
import { snippet } from "../snippets";

interface Options extends Partial<LaunchRequest> {
  readonly declarations?: string;
  readonly detectors?: boolean;
}

/** Runs a kernel with one pointer to 256 bytes named "data". */
function outcomeOf(
  body: string,
  { declarations = "", detectors = false, ...request }: Options = {},
): { outcome: LaunchOutcome; memory: DeviceMemory; data: bigint } {
  const memory = request.memory ?? new DeviceMemory();
  const data = memory.allocate("data", 256);
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
    ...request,
    memory,
  });
  return { outcome, memory, data };
}

/** What a fault says, without addresses. */
function faultOf(body: string, options: Options = {}): object {
  const { outcome } = outcomeOf(body, options);
  if (outcome.kind !== "fault") return { kind: outcome.kind };
  const { kind, line, thread, allocation, distance } = outcome.finding;
  return { kind, line, thread, ...(allocation === undefined ? {} : { allocation, distance }) };
}

suite("faults", () => {
  it("names allocation and distance of an access out of bounds", () => {
    expect(faultOf(".loc 1 4 1\nmad.wide.u32 %rd1, %r0, 16, %rd0; st.global.u32 [%rd1], %r0;")).toEqual({
      kind: "out-of-bounds",
      line: 4,
      thread: [16, 0, 0],
      allocation: "data",
      distance: 4,
    });
    expect(faultOf(".loc 1 4 1\nld.global.u32 %r1, [%rd0-4];")).toEqual({
      kind: "out-of-bounds",
      line: 4,
      thread: [0, 0, 0],
      allocation: "data",
      distance: -4,
    });
    expect(faultOf(".loc 1 4 1\nmov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1];")).toEqual({
      kind: "out-of-bounds",
      line: 4,
      thread: [0, 0, 0],
    });
  });

  it("sees the last byte of a packed warp", () => {
    expect(faultOf(".loc 1 4 1\nmad.wide.u32 %rd1, %r0, 8, %rd0; st.global.u64 [%rd1+8], %rd0;")).toEqual({
      kind: "out-of-bounds",
      line: 4,
      thread: [31, 0, 0],
      allocation: "data",
      distance: 8,
    });
    expect(faultOf("mad.wide.u32 %rd1, %r0, 8, %rd0; st.global.u64 [%rd1], %rd0;")).toEqual({
      kind: "completed",
    });
  });

  it("checks shared and local memory by their sizes", () => {
    const shared = { declarations: ".shared .align 4 .b8 tile[128];" };
    expect(
      faultOf(
        ".loc 1 4 1\nmov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; st.shared.u32 [%r1+4], %r0;",
        shared,
      ),
    ).toEqual({
      kind: "out-of-bounds",
      line: 4,
      thread: [31, 0, 0],
      allocation: "shared memory",
      distance: 4,
    });
    expect(
      faultOf(
        ".loc 1 4 1\n.local .align 8 .b8 frame[16]; mov.u64 %rd1, frame; mad.wide.u32 %rd1, %r0, 4, %rd1; st.local.u32 [%rd1], %r0;",
      ),
    ).toEqual({ kind: "out-of-bounds", line: 4, thread: [4, 0, 0], allocation: "local memory", distance: 4 });
  });

  it("knows the addresses before shared and local memory", () => {
    const shared = { declarations: ".shared .align 4 .b8 tile[128];" };
    const before = (allocation: string): object => ({
      kind: "out-of-bounds",
      line: 4,
      thread: [0, 0, 0],
      allocation,
      distance: -8,
    });
    expect(
      faultOf(".loc 1 4 1\nmov.u32 %r1, tile; sub.u32 %r1, %r1, 8; st.shared.u32 [%r1], %r0;", shared),
    ).toEqual(before("shared memory"));
    expect(
      faultOf(".loc 1 4 1\nmov.u64 %rd1, tile; cvta.shared.u64 %rd1, %rd1; st.u32 [%rd1-8], %r0;", shared),
    ).toEqual(before("shared memory"));
    expect(
      faultOf(
        ".loc 1 4 1\n.local .align 8 .b8 frame[16]; mov.u64 %rd1, frame; cvta.local.u64 %rd1, %rd1; st.u32 [%rd1-8], %r0;",
      ),
    ).toEqual(before("local memory"));
  });

  it("finds misaligned accesses", () => {
    expect(faultOf(".loc 1 4 1\nadd.u64 %rd1, %rd0, 4; ld.global.v2.u32 {%r1, %r2}, [%rd1];")).toEqual({
      kind: "misaligned",
      line: 4,
      thread: [0, 0, 0],
    });
    expect(
      faultOf(".loc 1 4 1\nadd.u64 %rd1, %rd0, %rd0; sub.u64 %rd1, %rd1, %rd0; st.global.u32 [%rd1+2], %r0;"),
    ).toEqual({ kind: "misaligned", line: 4, thread: [0, 0, 0] });
  });

  it("checks all elements of a vector that is updated atomically", () => {
    const update = "red.global.add.v4.f32 [%rd1], {0f3F800000, 0f3F800000, 0f3F800000, 0f3F800000};";
    expect(faultOf(`.loc 1 4 1\nadd.u64 %rd1, %rd0, 8; ${update}`)).toEqual({
      kind: "misaligned",
      line: 4,
      thread: [0, 0, 0],
    });
    expect(faultOf(`.loc 1 4 1\nmad.wide.u32 %rd1, %r0, 16, %rd0; ${update}`)).toMatchObject({
      kind: "out-of-bounds",
      line: 4,
      thread: [16, 0, 0],
    });
  });

  it("refuses a vector atomic whose result lies in another element's operand", () => {
    const text = snippet(
      ["u64"],
      "ld.param.u64 %rd0, [p0]; atom.global.add.v2.f32 {%r1, %r2}, [%rd0], {%r2, %r1};",
      "",
    );
    const parsed = parsePtx(text);
    const compiled = parsed.ok
      ? compileKernel(parsed.value, "kernel", { counters: false, detectors: false })
      : parsed;
    expect(compiled).toMatchObject({
      ok: false,
      problem: { reason: expect.stringContaining("a result in the register of another") as string },
    });
  });

  it("refuses to store to read-only memory", () => {
    const memory = new DeviceMemory();
    const fixed = memory.allocate("fixed", 64, { readOnly: true });
    expect(
      faultOf(".loc 1 4 1\nst.global.u32 [%rd0], 1;", { memory, arguments: [address(fixed)] }),
    ).toMatchObject({ kind: "read-only-write", line: 4 });
  });

  it("finds barriers that threads of a warp reach apart or not at all", () => {
    expect(
      faultOf(
        "setp.lt.u32 %p0, %r0, 7;\n.loc 1 4 1\n@%p0 bra $a; bar.sync 0; bra.uni $b; $a: .loc 1 5 1\nbar.sync 0; $b:",
      ),
    ).toMatchObject({ kind: "divergent-barrier" });
    expect(
      faultOf("setp.lt.u32 %p0, %r0, 32; @%p0 bra $a; bar.sync 1; $a: .loc 1 5 1\nbar.sync 0;", {
        block: [64, 1, 1],
      }),
    ).toMatchObject({ kind: "barrier-deadlock" });
    // Threads that have exited do not take part.
    expect(faultOf("setp.lt.u32 %p0, %r0, 32; @%p0 ret; bar.sync 0;", { block: [64, 1, 1] })).toEqual({
      kind: "completed",
    });
  });

  it("finds warp-wide instructions whose lanes never come", () => {
    expect(
      faultOf(
        ".loc 1 4 1\nsetp.lt.u32 %p0, %r0, 7; @%p0 bra $a; shfl.sync.idx.b32 %r1, %r0, 0, 31, -1; bra.uni $b; $a: bar.warp.sync -1; $b:",
      ),
    ).toMatchObject({ kind: "illegal-shuffle-mask" });
  });

  it("reports trap with its line", () => {
    expect(faultOf("setp.eq.u32 %p0, %r0, 9;\n.loc 1 4 1\n@%p0 trap;")).toMatchObject({
      kind: "trap",
      line: 4,
      thread: [9, 0, 0],
    });
  });

  it("refuses launches beyond the limits", () => {
    expect(faultOf("", { block: [2048, 1, 1] })).toMatchObject({ kind: "invalid-launch" });
    expect(faultOf("", { grid: [0, 1, 1] })).toMatchObject({ kind: "invalid-launch" });
    expect(faultOf("", { dynamicSharedBytes: 1 << 20 })).toMatchObject({ kind: "invalid-launch" });
    expect(faultOf("", { arguments: [] })).toMatchObject({ kind: "invalid-launch" });
  });
});

suite("limits", () => {
  it("stops an endless loop with the line where it spins", () => {
    const { outcome } = outcomeOf(".loc 1 8 1\n$again: add.u32 %r1, %r1, 1; bra.uni $again;");
    expect(outcome).toMatchObject({ kind: "budget-exceeded", line: 8 });
  });

  it("tells of a loop in which nothing happens", () => {
    const wait =
      ".loc 1 8 1\nld.global.u32 %r1, [%rd0]; setp.eq.u32 %p0, %r1, 0; @%p0 bra $spin; bra.uni $end;\n.loc 1 9 1\n$spin: bra.uni $spin; $end:";
    expect(faultOf(wait)).toEqual({ kind: "endless-loop", line: 9, thread: [0, 0, 0] });
    expect(faultOf(`st.global.u32 [%rd0], 1; ${wait}`)).toEqual({ kind: "completed" });
  });

  it("stops when asked", () => {
    let asked = 0;
    const { outcome } = outcomeOf("$again: add.u32 %r1, %r1, 1; bra.uni $again;", {
      instructionBudget: 1e12,
      shouldStop: () => (asked += 1) > 3,
    });
    expect(outcome.kind).toBe("stopped");
  });

  it("lets warps of a block wait for each other", () => {
    const body = `setp.ge.u32 %p0, %r0, 32; @%p0 bra $writer;
      $spin: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra $spin; bra.uni $done;
      $writer: st.volatile.global.u32 [%rd0], 1; $done:`;
    expect(outcomeOf(body, { block: [64, 1, 1] }).outcome.kind).toBe("completed");
  });

  it("runs a range of blocks", () => {
    const body = "mov.u32 %r1, %ctaid.x; mad.wide.u32 %rd1, %r1, 4, %rd0; st.global.u32 [%rd1], 1;";
    const { memory, data } = outcomeOf(body, { grid: [10, 1, 1], blocks: { from: 3, to: 6 } });
    expect([...memory.read(data)].filter((_, index) => index % 4 === 0).slice(0, 10)).toEqual([
      0, 0, 0, 1, 1, 1, 0, 0, 0, 0,
    ]);
  });
});

suite("detectors", () => {
  it("know which bytes were written", () => {
    const { memory, data } = outcomeOf("mad.wide.u32 %rd1, %r0, 8, %rd0; st.global.u16 [%rd1+2], 7;", {
      detectors: true,
    });
    const written = [...memory.writtenBytes(data)];
    expect(written).toEqual(
      Array.from({ length: 256 }, (_, index) => (index % 8 === 2 || index % 8 === 3 ? 1 : 0)),
    );
  });

  it("find reads of memory that nothing was written to", () => {
    const found = (body: string, declarations = ""): unknown[] => {
      const { outcome } = outcomeOf(body, { detectors: true, declarations });
      return outcome.kind === "completed"
        ? outcome.findings.map(({ kind, line, allocation }) => [kind, line, allocation])
        : [outcome.kind];
    };
    expect(found(".loc 1 4 1\nld.global.u32 %r1, [%rd0];")).toEqual([["uninitialized-read", 4, "data"]]);
    expect(found("st.global.u32 [%rd0], 5;\n.loc 1 4 1\nld.global.u32 %r1, [%rd0];")).toEqual([]);
    const [use, told] = [
      "add.u32 %r1, %r1, %r1; st.global.u32 [%rd0+16], %r1;",
      [["uninitialized-read", 4, "data"]],
    ];
    // Padding is copied and not used; what holds nothing at all is no padding.
    expect(
      found(".loc 1 4 1\nst.global.u8 [%rd0], 5; ld.global.u32 %r1, [%rd0]; st.global.u32 [%rd0+16], %r1;"),
    ).toEqual([]);
    expect(found(`.loc 1 4 1\nst.global.u8 [%rd0], 5; ld.global.u32 %r1, [%rd0]; ${use}`)).toEqual(told);
    expect(
      found(
        ".loc 1 4 1\nst.global.u32 [%rd0+4], 5; ld.global.u32 %r1, [%rd0]; st.global.u32 [%rd0+16], %r1;",
      ),
    ).toEqual(told);
    expect(
      found(
        ".loc 1 4 1\nst.global.u32 [%rd0], 5; ld.global.v2.u32 {%r1, %r2}, [%rd0]; st.global.v2.u32 [%rd0+16], {%r1, %r2};",
      ),
    ).toEqual([]);
    // Elements that nobody uses.
    expect(found(`.loc 1 4 1\nst.global.u32 [%rd0], 5; ld.global.v2.u32 {%r1, %r2}, [%rd0]; ${use}`)).toEqual(
      [],
    );
    expect(
      found(`.loc 1 4 1\nst.global.u32 [%rd0+4], 5; ld.global.v2.u32 {%r1, %r2}, [%rd0]; ${use}`),
    ).toEqual(told);
    const tile = ".shared .align 4 .b8 tile[256];";
    expect(
      found(
        "mov.u32 %r1, tile; mad.lo.u32 %r2, %r0, 4, %r1; st.shared.u32 [%r2], 1;\n.loc 1 4 1\nld.shared.u32 %r3, [%r2+64];",
        tile,
      ),
    ).toEqual([
      ["uninitialized-read", 4, undefined],
      ["shared-race", 4, undefined],
    ]);
  });
});

suite("refusals", () => {
  const reason = (body: string): string => {
    const parsed = parsePtx(snippet([], body));
    if (!parsed.ok) return parsed.problem.message;
    const compiled = compileKernel(parsed.value, "kernel", { counters: false, detectors: false });
    return compiled.ok
      ? "compiled"
      : `${compiled.problem.reason} at ${compiled.problem.file ?? ""}:${compiled.problem.line ?? 0}`;
  };

  it.each([
    [".loc 1 3 1\nadd.rn.sat.f64 %d0, %d1, %d2;", "refused: add.rn.sat.f64 at kernel.cu:3"],
    [".loc 1 3 1\nadd.f16x4 %r0, %r1, %r2;", "refused: add.f16x4 at kernel.cu:3"],
    [".loc 1 3 1\ntcgen05.wait::ld.sync.aligned;", "refused: tcgen05.wait::ld.sync.aligned at kernel.cu:3"],
    [".loc 1 3 1\nadd.u32 %r0, %r1;", "refused: add.u32 (an operand is missing) at kernel.cu:3"],
    [
      ".loc 1 3 1\nmov.f32 %f0, 1;",
      "refused: mov.f32 (the integer 1 where a floating-point literal belongs) at kernel.cu:3",
    ],
    [
      ".loc 1 3 1\nsetp.lt.f64 %p0, %d0, -2;",
      "refused: setp.lt.f64 (the integer -2 where a floating-point literal belongs) at kernel.cu:3",
    ],
    [
      ".loc 1 3 1\nadd.f16x2 %r0, %r1, 1;",
      "refused: add.f16x2 (the integer 1 where a floating-point literal belongs) at kernel.cu:3",
    ],
    [
      ".loc 1 3 1\nst.global.f32 [%rd0], 1;",
      "refused: st.global.f32 (the integer 1 where a floating-point literal belongs) at kernel.cu:3",
    ],
    [
      ".loc 1 3 1\natom.global.add.f32 %f0, [%rd0], 1;",
      "refused: atom.global.add.f32 (the integer 1 where a floating-point literal belongs) at kernel.cu:3",
    ],
    [
      ".loc 1 3 1\nmov.u32 %r0, %reserved_smem_offset_2;",
      "refused: mov.u32 (%reserved_smem_offset_2) at kernel.cu:3",
    ],
  ])("name what is not implemented: %s", (body, expected) => {
    expect(reason(body)).toBe(expected);
  });
});
