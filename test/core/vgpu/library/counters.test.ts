import { describe as suite, expect, it } from "vitest";
import { type LineCounters } from "../../../../server/core/timing/counters";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { address, compileText, run } from "../support";
import { snippet } from "../snippets";

/** Counters of one line of a kernel with one pointer to a megabyte. */
function count(
  body: string,
  line: number,
  options: { grid?: number; block?: number; declarations?: string } = {},
): LineCounters {
  const kernel = compileText(snippet(["u64"], body, options.declarations ?? ""), "kernel", {
    counters: true,
  });
  const memory = new DeviceMemory();
  const data = memory.allocate("data", 1 << 20, { initial: new Uint8Array(1 << 20) });
  const { counters } = run(kernel, {
    grid: [options.grid ?? 1, 1, 1],
    block: [options.block ?? 32, 1, 1],
    arguments: [address(data)],
    memory,
  });
  const found = counters?.lines.find((entry) => entry.file === "kernel.cu" && entry.line === line);
  if (!found) throw new Error(`line ${line} has no counters: ${JSON.stringify(counters?.lines)}`);
  return found;
}

/** A load by lane: address = base + lane × stride + offset. */
function globalLoad(stride: number, offset: number, load: string): LineCounters {
  return count(
    `.loc 1 5 1
    ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mad.wide.u32 %rd1, %r0, ${stride}, %rd0;
    .loc 1 7 1
    ${load.replace("ADDRESS", `[%rd1+${offset}]`)}`,
    7,
  );
}

function sectors(counters: LineCounters): readonly number[] {
  return [
    counters.globalLoadRequests,
    counters.globalLoadSectors,
    counters.globalLoadSectorsIdeal,
    counters.globalBytesRequested,
  ];
}

/** A shared load by lane: word offset = lane × stride. */
function sharedLoad(stride: number, load: string): readonly number[] {
  const counters = count(
    `.loc 1 5 1
    mov.u32 %r0, %tid.x; mul.lo.u32 %r1, %r0, ${stride}; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;
    .loc 1 7 1
    ${load.replace("ADDRESS", "[%r1]")}`,
    7,
    { declarations: ".shared .align 16 .b8 tile[16384];" },
  );
  return [counters.sharedWavefronts, counters.sharedWavefrontsIdeal, counters.sharedConflictWays];
}

suite("counters of global memory", () => {
  it.each([
    ["packed words fill 4 sectors", 4, 0, "ld.global.f32 %f0, ADDRESS;", [1, 4, 4, 128]],
    [
      "packed words shifted by 4 bytes touch one sector more",
      4,
      4,
      "ld.global.f32 %f0, ADDRESS;",
      [1, 5, 4, 128],
    ],
    ["every second word touches twice the sectors", 8, 0, "ld.global.f32 %f0, ADDRESS;", [1, 8, 4, 128]],
    ["a stride of 128 bytes touches a sector a lane", 128, 0, "ld.global.f32 %f0, ADDRESS;", [1, 32, 4, 128]],
    ["one word for all lanes is one sector", 0, 0, "ld.global.f32 %f0, ADDRESS;", [1, 1, 1, 128]],
    [
      "packed vectors of 16 bytes fill 16 sectors",
      16,
      0,
      "ld.global.v4.f32 {%f0,%f1,%f2,%f3}, ADDRESS;",
      [1, 16, 16, 512],
    ],
    ["vectors of 16 bytes every 32", 32, 0, "ld.global.v4.f32 {%f0,%f1,%f2,%f3}, ADDRESS;", [1, 32, 16, 512]],
    ["packed bytes fill one sector", 1, 0, "ld.global.u8 %h0, ADDRESS;", [1, 1, 1, 32]],
    ["packed doubles fill 8 sectors", 8, 0, "ld.global.f64 %d0, ADDRESS;", [1, 8, 8, 256]],
  ] as const)("%s", (...row) => {
    const [, stride, offset, load, expected] = row;
    expect(sectors(globalLoad(stride, offset, load))).toEqual(expected);
  });

  it("counts no traffic of memory for parameters that are read by address", () => {
    const counters = count(
      `mov.b64 %rd0, p0; mov.u32 %r0, %tid.x; cvta.param.u64 %rd1, %rd0;
      .loc 1 7 1
      ld.param.u32 %r1, [%rd0]; ld.u32 %r2, [%rd1];`,
      7,
    );
    expect([
      counters.instructions,
      counters.globalLoadRequests,
      counters.localRequests,
      counters.sharedLoadRequests,
    ]).toEqual([3, 0, 0, 0]);
  });

  it("counts active lanes only", () => {
    const counters = count(
      `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mad.wide.u32 %rd1, %r0, 4, %rd0; setp.lt.u32 %p0, %r0, 8;
      .loc 1 7 1
      @%p0 st.global.f32 [%rd1], 0f00000000;`,
      7,
    );
    expect([
      counters.globalStoreRequests,
      counters.globalStoreSectors,
      counters.globalStoreSectorsIdeal,
      counters.globalBytesRequested,
    ]).toEqual([1, 1, 1, 32]);
  });

  it("counts atomics apart from loads and stores", () => {
    const counters = count(
      `ld.param.u64 %rd0, [p0];
      .loc 1 7 1
      red.global.add.u32 [%rd0], 1;`,
      7,
      { grid: 3 },
    );
    expect([counters.atomics, counters.globalLoadRequests, counters.globalStoreRequests]).toEqual([3, 0, 0]);
  });
});

suite("counters of shared memory", () => {
  it.each([
    ["neighbouring words are free of conflicts", 4, "ld.shared.f32 %f0, ADDRESS;", [1, 1, 1]],
    ["a column of a 32-word tile conflicts 32 ways", 128, "ld.shared.f32 %f0, ADDRESS;", [32, 1, 32]],
    ["a padded column is free of conflicts", 132, "ld.shared.f32 %f0, ADDRESS;", [1, 1, 1]],
    ["a stride of two words conflicts two ways", 8, "ld.shared.f32 %f0, ADDRESS;", [2, 1, 2]],
    ["one word for all lanes is broadcast", 0, "ld.shared.f32 %f0, ADDRESS;", [1, 1, 1]],
    ["packed doubles go by half warps", 8, "ld.shared.f64 %d0, ADDRESS;", [2, 2, 1]],
    ["doubles with a gap conflict two ways in each half", 16, "ld.shared.f64 %d0, ADDRESS;", [4, 2, 2]],
    [
      "packed vectors of 16 bytes go by quarters",
      16,
      "ld.shared.v4.f32 {%f0,%f1,%f2,%f3}, ADDRESS;",
      [4, 4, 1],
    ],
    [
      "vectors of 16 bytes every 128 conflict 8 ways",
      128,
      "ld.shared.v4.f32 {%f0,%f1,%f2,%f3}, ADDRESS;",
      [32, 4, 8],
    ],
    ["bytes of one word share it", 1, "ld.shared.u8 %h0, ADDRESS;", [1, 1, 1]],
  ])("%s", (_, stride, load, expected) => {
    expect(sharedLoad(stride, load)).toEqual(expected);
  });
});

suite("counters of execution", () => {
  it("counts warps, lanes, branches and their divergence", () => {
    const body = `.loc 1 3 1
      mov.u32 %r0, %tid.x;
      setp.lt.u32 %p0, %r0, 40;
      .loc 1 4 1
      @%p0 bra $then;
      .loc 1 5 1
      mov.u32 %r1, 1;
      bra.uni $join;
      $then:
      .loc 1 6 1
      mov.u32 %r1, 2;
      $join:
      .loc 1 7 1
      bar.sync 0;`;
    const at = (line: number): readonly number[] => {
      const { instructions, threadInstructions, branches, divergentBranches, barriers } = count(body, line, {
        block: 96,
      });
      return [instructions, threadInstructions, branches, divergentBranches, barriers];
    };
    expect(at(3)).toEqual([6, 192, 0, 0, 0]);
    expect(at(4)).toEqual([3, 96, 3, 1, 0]);
    // Warps 1 (24 lanes) and 2 take the else path, 0 and 1 (8 lanes) the other.
    expect(at(5)).toEqual([4, 112, 2, 0, 0]);
    expect(at(6)).toEqual([2, 40, 0, 0, 0]);
    // All lanes have met again; the line also holds ret.
    expect(at(7)).toEqual([6, 192, 0, 0, 3]);
  });

  it("tells branches that the machine code has not from others", () => {
    const divergence = (skipped: string): readonly number[] => {
      const { divergentBranches, predicatedBranches } = count(
        `mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 7;
        .loc 1 4 1
        @%p0 bra $join; ${skipped}
        $join: bar.sync 0;`,
        4,
      );
      return [divergentBranches, predicatedBranches];
    };
    const add = "add.u32 %r1, %r1, %r0;";
    expect(divergence(`${add.repeat(8)} mov.u32 %r2, 1;`)).toEqual([1, 1]);
    expect(divergence(add.repeat(9))).toEqual([1, 0]);
    expect(divergence("div.rn.f32 %f0, %f1, %f2;")).toEqual([1, 0]);
    expect(divergence("div.approx.f32 %f0, %f1, %f2;")).toEqual([1, 1]);
  });

  it("gives code of no line to the line that reads its result", () => {
    const body = `.loc 1 3 1
      mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 99;
      @%p0 bra $end;
      .loc 1 0 1
      div.u64 %rd2, %rd0, %rd1; add.u32 %r2, %r0, 1;
      .loc 1 7 1
      add.u32 %r3, %r2, %r2;
      .loc 1 6 1
      add.u64 %rd3, %rd2, %rd2;
      $end:
      .loc 1 8 1`;
    const at = (line: number): number => count(body, line, { block: 32 }).instructions;
    expect([3, 6, 7].map(at)).toEqual([3, 2, 2]);
  });

  it("gives inlined code of a header to the line that called it", () => {
    const counters = count(
      `.loc 1 9 1
      mov.u32 %r0, 1;
      .loc 2 70 1, function_name $x, inlined_at 1 9 1
      add.u32 %r0, %r0, 1;
      add.u32 %r0, %r0, 1;
      .loc 1 12 1`,
      9,
    );
    expect(counters.instructions).toBe(3);
  });
});

it("a called function without lines counts for the line of the call", () => {
  const declarations = `.func (.param .b32 result) twice(.param .b32 given) {
    .reg .b32 %r<2>;
    ld.param.b32 %r0, [given]; add.s32 %r1, %r0, %r0; st.param.b32 [result], %r1; ret;
  }`;
  const called = `.loc 1 7 1
    { .param .b32 a; .param .b32 r; st.param.b32 [a], %r0; call.uni (r), twice, (a); ld.param.b32 %r1, [r]; }
    .loc 1 9 1
    mov.u32 %r2, 0;`;
  const inside = `.loc 1 7 1
    add.s32 %r1, %r0, %r0;`;
  const [with_, without] = [called, inside].map(
    (body) => count(body, 7, { declarations }).integerInstructions,
  );
  expect([with_, without]).toEqual([1, 1]);
});
