import { describe as suite, expect, it } from "vitest";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { type Case, messages } from "./race-findings";

suite("races in global memory", () => {
  /** A block waits, by volatile reads, for the flag that another one sets behind its fence, and goes on. */
  const waits = (then: string, read = "ld.global.u32"): string =>
    `setp.eq.u32 %p0, %r1, 1; @%p0 bra $wait;\n.loc 1 4 1\nst.global.u32 [%rd0+64], 9; membar.gl; st.volatile.global.u32 [%rd0], 1; bra.uni $end;
      $wait: ld.volatile.global.u32 %r6, [%rd0]; setp.eq.u32 %p1, %r6, 0; @%p1 bra $wait; ${then}\n.loc 1 8 1\n${read} %r7, [%rd0+64]; $end:`;
  const two = { grid: [2, 1, 1], block: [1, 1, 1] } as const;
  const cachedRead =
    'race in global memory: thread (0,0,0) of block (1,0,0) reads 4 bytes at "data"+0x40 that thread (0,0,0) of block (0,0,0) wrote on line 4, with no fence (__threadfence) behind the volatile read that waited for it: the first-level cache may still hold what was there before';

  /** The first thread of each block leaves its word behind; the last block to come adds all. */
  const last = (
    fence: string,
  ): string => `add.u64 %rd2, %rd0, 512; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd0, %rd3;
    .loc 1 4 1
    st.global.u32 [%rd3], 5; ${fence} atom.global.inc.u32 %r6, [%rd2], 3; setp.ne.u32 %p0, %r6, 3; @%p0 ret;
    .loc 1 8 1
    ld.global.u32 %r7, [%rd0]; ld.global.u32 %r7, [%rd0+4];`;

  it.each<[string, Case, readonly string[]]>([
    [
      "launches are ordered, blocks on their own words too",
      {
        grid: [2, 1, 1],
        body: "ld.global.u32 %r6, [%rd1]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1], %r6; ld.global.u32 %r6, [%rd1];",
      },
      [],
    ],
    [
      "the read-only path does not see what its own thread wrote in the same launch",
      {
        block: [32, 1, 1],
        body: ".loc 1 4 1\nst.global.u32 [%rd1], 5; .loc 1 5 1\nld.global.nc.u32 %r6, [%rd1];",
      },
      [
        'race in global memory: thread (0,0,0) of block (0,0,0) reads 4 bytes at "data"+0x0 that thread (0,0,0) wrote on line 4, by the read-only path (__ldg, const __restrict__), which need not see what the same launch writes; 32 times',
      ],
    ],
    [
      "nor what others of its block wrote before a barrier",
      {
        body: "xor.b32 %r8, %r0, 32; mul.wide.u32 %rd2, %r8, 4; add.u64 %rd2, %rd0, %rd2;\n.loc 1 4 1\nst.global.u32 [%rd1], 5; bar.sync 0; .loc 1 5 1\nld.global.nc.u32 %r6, [%rd2];",
      },
      [
        'race in global memory: thread (0,0,0) of block (0,0,0) reads 4 bytes at "data"+0x80 that thread (32,0,0) wrote on line 4, by the read-only path (__ldg, const __restrict__), which need not see what the same launch writes; 64 times',
      ],
    ],
    [
      "it may read what is written only behind it",
      { body: "ld.global.nc.u32 %r6, [%rd1]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1], %r6;" },
      [],
    ],
    [
      "it may read the bytes beside what the launch writes",
      { body: "st.global.u8 [%rd1], 5; ld.global.nc.u8 %r6, [%rd1+1];" },
      [],
    ],
    [
      "two blocks write a word",
      {
        grid: [2, 1, 1],
        block: [1, 1, 1],
        body: ".loc 1 4 1\nst.global.u32 [%rd0], %r1; add.u32 %r6, %r1, 1; st.global.u32 [%rd0+4], %r6;",
      },
      [
        'race in global memory: thread (0,0,0) of block (1,0,0) writes 4 bytes at "data"+0x0 that thread (0,0,0) of block (0,0,0) wrote on line 4, with nothing that orders the two blocks; 2 times',
      ],
    ],
    [
      "blocks read one word",
      { grid: [4, 1, 1], body: "ld.global.u32 %r6, [%rd0]; ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd0];" },
      [],
    ],
    [
      "a barrier orders the warps of a block",
      {
        body: "st.global.u32 [%rd1], %r0; bar.sync 0; xor.b32 %r6, %r0, 32; mul.wide.u32 %rd2, %r6, 4; add.u64 %rd2, %rd0, %rd2; ld.global.u32 %r7, [%rd2];",
      },
      [],
    ],
    [
      "warps of a block without one",
      {
        body: ".loc 1 4 1\nst.global.u32 [%rd1], 3; xor.b32 %r6, %r0, 32; mul.wide.u32 %rd2, %r6, 4; add.u64 %rd2, %rd0, %rd2;\n.loc 1 5 1\nld.global.u32 %r7, [%rd2];",
      },
      [
        'race in global memory: thread (32,0,0) of block (0,0,0) writes 4 bytes at "data"+0x80 that thread (0,0,0) read on line 5, with no __syncthreads between; 64 times',
      ],
    ],
    [
      "the last block may read what all fenced",
      { grid: [4, 1, 1], block: [1, 1, 1], body: last("membar.gl;") },
      [],
    ],
    [
      "and not without a fence",
      { grid: [4, 1, 1], block: [1, 1, 1], body: last("") },
      [
        'race in global memory: thread (0,0,0) of block (3,0,0) reads 4 bytes at "data"+0x0 that thread (0,0,0) of block (0,0,0) wrote on line 4, with nothing that orders the two blocks; 2 times',
      ],
    ],
    [
      "nor with a fence for its own block, whose line is told",
      { grid: [4, 1, 1], block: [1, 1, 1], body: last(".loc 1 5 1\nmembar.cta;") },
      [
        'race in global memory: thread (0,0,0) of block (3,0,0) reads 4 bytes at "data"+0x0 that thread (0,0,0) of block (0,0,0) wrote on line 4, with nothing that orders the two blocks: what is released on line 5 reaches its own block only (scope cta); use scope gpu; 2 times',
      ],
    ],
    [
      "of many that fenced for themselves each is found",
      {
        grid: [300, 1, 1],
        block: [1, 1, 1],
        body: `add.u64 %rd2, %rd0, 508;
      setp.lt.u32 %p0, %r1, 100; @!%p0 bra $count; mul.wide.u32 %rd3, %r1, 4;
      add.u64 %rd3, %rd0, %rd3;\n.loc 1 4 1\nst.global.u32 [%rd3], 5;
      .loc 1 5 1\n$count: fence.acq_rel.cta; atom.global.add.u32 %r6, [%rd2], 1; setp.ne.u32 %p0, %r6, 299;
      @%p0 ret;
      .loc 1 8 1\nld.global.u32 %r7, [%rd0+392];`,
      },
      [
        'race in global memory: thread (0,0,0) of block (299,0,0) reads 4 bytes at "data"+0x188 that thread (0,0,0) of block (98,0,0) wrote on line 4, with nothing that orders the two blocks: what is released on line 5 reaches its own block only (scope cta); use scope gpu',
      ],
    ],
    [
      "a flag released to its own block",
      {
        grid: [2, 1, 1],
        block: [1, 1, 1],
        body: `setp.eq.u32 %p0, %r1, 1; @%p0 bra $wait;\n.loc 1 4 1\nst.global.u32 [%rd0+64], 9;\n.loc 1 5 1\nfence.acq_rel.cta; st.relaxed.gpu.global.u32 [%rd0], 1; bra.uni $end;
      $wait: ld.acquire.gpu.global.u32 %r6, [%rd0]; setp.eq.u32 %p1, %r6, 0; @%p1 bra $wait;\n.loc 1 8 1\nld.global.u32 %r7, [%rd0+64]; $end:`,
      },
      [
        'race in global memory: thread (0,0,0) of block (1,0,0) reads 4 bytes at "data"+0x40 that thread (0,0,0) of block (0,0,0) wrote on line 4, with nothing that orders the two blocks: what is released on line 5 reaches its own block only (scope cta); use scope gpu',
      ],
    ],
    [
      "a release for its own block that orders nothing of it: the fence comes first",
      {
        grid: [2, 1, 1],
        block: [1, 1, 1],
        body: `setp.eq.u32 %p0, %r1, 1; @%p0 bra $wait;\n.loc 1 5 1\nfence.acq_rel.cta;\n.loc 1 4 1\nst.global.u32 [%rd0+64], 9; st.relaxed.gpu.global.u32 [%rd0], 1; bra.uni $end;
      $wait: ld.acquire.gpu.global.u32 %r6, [%rd0]; setp.eq.u32 %p1, %r6, 0; @%p1 bra $wait;\n.loc 1 8 1\nld.global.u32 %r7, [%rd0+64]; $end:`,
      },
      [
        'race in global memory: thread (0,0,0) of block (1,0,0) reads 4 bytes at "data"+0x40 that thread (0,0,0) of block (0,0,0) wrote on line 4, with nothing that orders the two blocks',
      ],
    ],
    [
      "a fence for its own block beside one for all",
      { grid: [4, 1, 1], block: [1, 1, 1], body: last("membar.gl; membar.cta;") },
      [],
    ],
    [
      "a lock hands over what it guards",
      {
        grid: [4, 1, 1],
        block: [1, 1, 1],
        body: `$spin: atom.global.cas.b32 %r6, [%rd0], 0, 1; setp.ne.u32 %p0, %r6, 0; @%p0 bra $spin; membar.gl;
      ld.global.u32 %r7, [%rd0+64]; add.u32 %r7, %r7, 1; st.global.u32 [%rd0+64], %r7; membar.gl; atom.global.exch.b32 %r6, [%rd0], 0;`,
      },
      [],
    ],
    [
      "release and acquire",
      {
        grid: [2, 1, 1],
        block: [1, 1, 1],
        body: `setp.eq.u32 %p0, %r1, 1; @%p0 bra $wait; st.global.u32 [%rd0+64], 9; st.release.gpu.global.u32 [%rd0], 1; bra.uni $end;
      $wait: ld.acquire.gpu.global.u32 %r6, [%rd0]; setp.eq.u32 %p1, %r6, 0; @%p1 bra $wait; ld.global.u32 %r7, [%rd0+64]; $end:`,
      },
      [],
    ],
    ["a plain read behind a volatile flag, without a fence", { ...two, body: waits("") }, [cachedRead]],
    [
      "and with another volatile read between",
      { ...two, body: waits("ld.volatile.global.u32 %r6, [%rd0];") },
      [cachedRead],
    ],
    ["with a fence", { ...two, body: waits("membar.gl;") }, []],
    ["with a barrier", { ...two, body: waits("bar.sync 0;") }, []],
    [
      "with a barrier, and asked once more",
      { ...two, body: waits("bar.sync 0; ld.volatile.global.u32 %r6, [%rd0];") },
      [],
    ],
    ["with a barrier of the warp", { ...two, body: waits("bar.warp.sync 0xffffffff;") }, []],
    ["a volatile read behind a volatile flag", { ...two, body: waits("", "ld.volatile.global.u32") }, []],
    ["a read past the first-level cache", { ...two, body: waits("", "ld.global.cg.u32") }, []],
    ["a store behind a volatile flag", { ...two, body: waits("st.global.u32 [%rd0+64], 7;") }, []],
    [
      "a chain of flags",
      {
        grid: [4, 1, 1],
        block: [1, 1, 1],
        body: `mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd0, %rd2; setp.eq.u32 %p0, %r1, 0; @%p0 bra $go;
      $wait: ld.volatile.global.u32 %r6, [%rd2]; setp.eq.u32 %p1, %r6, 0; @%p1 bra $wait; membar.gl;
      $go: ld.global.u32 %r7, [%rd0+256]; add.u32 %r7, %r7, 1; st.global.u32 [%rd0+256], %r7; membar.gl; st.volatile.global.u32 [%rd2+4], 1;`,
      },
      [],
    ],
    [
      "the first guess of a compare-and-swap",
      {
        grid: [2, 1, 1],
        block: [1, 1, 1],
        body: "ld.global.u32 %r6, [%rd0]; $again: mov.u32 %r7, %r6; add.u32 %r8, %r7, 1; atom.global.cas.b32 %r6, [%rd0], %r7, %r8; setp.ne.u32 %p0, %r6, %r7; @%p0 bra $again;",
      },
      [],
    ],
    [
      "an atomic for its own block",
      { grid: [2, 1, 1], block: [1, 1, 1], body: ".loc 1 4 1\natom.cta.global.add.u32 %r6, [%rd0], 1;" },
      [
        'race in global memory: thread (0,0,0) of block (1,0,0) updates atomically 4 bytes at "data"+0x0 that thread (0,0,0) of block (0,0,0) updated atomically on line 4, but the atomic is one for its own block only (scope cta); use scope gpu',
      ],
    ],
    [
      "an atomic that meets one for its own block",
      {
        grid: [2, 1, 1],
        block: [1, 1, 1],
        body: `setp.eq.u32 %p0, %r1, 0; @!%p0 bra $second;
      .loc 1 4 1
      atom.cta.global.add.u32 %r6, [%rd0], 1; bra.uni $end;
      .loc 1 5 1
      $second: ld.relaxed.gpu.global.u32 %r6, [%rd0]; $end:`,
      },
      [
        'race in global memory: thread (0,0,0) of block (1,0,0) reads 4 bytes at "data"+0x0 that thread (0,0,0) of block (0,0,0) updated atomically on line 4, but the other atomic is one for its own block only (scope cta); use scope gpu',
      ],
    ],
  ])("%s", (_, each, expected) => {
    expect(messages(each)).toEqual(expected);
  });

  it("launches after each other do not race", () => {
    const memory = new DeviceMemory();
    const body = "st.global.u32 [%rd0], %r1;";
    expect([1, 2].flatMap(() => messages({ memory, body, grid: [1, 1, 1], block: [1, 1, 1] }))).toEqual([]);
  });
});
