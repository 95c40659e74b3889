import { describe as suite, expect, it } from "vitest";
import { type Case, findings, messages } from "./race-findings";

suite("races in shared memory", () => {
  it("name both sides, the address and how often", () => {
    // Thread 31 reads before thread 32 has written: the same cause, told by its farthest pair, and no read of
    // memory that was never written.
    expect(
      findings({
        body: `setp.lt.u32 %p0, %r0, 63;
      .loc 1 4 1
      st.shared.u32 [%r4], %r0;
      .loc 1 6 1
      @%p0 ld.shared.u32 %r6, [%r5];`,
      }),
    ).toEqual([
      {
        kind: "shared-race",
        count: 63,
        file: "kernel.cu",
        line: 4,
        block: [0, 0, 0],
        thread: [32, 0, 0],
        address: 128n,
        other: { access: "read", file: "kernel.cu", line: 6, block: [0, 0, 0], thread: [31, 0, 0] },
        message:
          "race in shared memory: thread (32,0,0) of block (0,0,0) writes 4 bytes at shared+0x80 that thread (31,0,0) read on line 6, with no __syncthreads between; 63 times",
      },
    ]);
  });

  it.each<[string, Case, readonly string[]]>([
    [
      "a barrier of the block orders",
      { body: "st.shared.u32 [%r4], %r0; bar.sync 0; xor.b32 %r6, %r4, 128; ld.shared.u32 %r7, [%r6];" },
      [],
    ],
    [
      "a barrier of the warp orders its lanes",
      { body: "st.shared.u32 [%r4], %r0; bar.warp.sync -1; xor.b32 %r6, %r4, 4; ld.shared.u32 %r7, [%r6];" },
      [],
    ],
    [
      "a barrier of some lanes does not order the others",
      {
        block: [32, 1, 1],
        body: `and.b32 %r8, %r0, -8; shl.b32 %r8, 255, %r8; .loc 1 3 1
      st.shared.u32 [%r4], %r0; bar.warp.sync %r8; xor.b32 %r6, %r4, 16; ld.shared.u32 %r7, [%r6];
      .loc 1 4 1
      xor.b32 %r6, %r4, 32; ld.shared.u32 %r7, [%r6];`,
      },
      [
        "race in shared memory: thread (0,0,0) of block (0,0,0) reads 4 bytes at shared+0x20 that thread (8,0,0) wrote on line 3, with no __syncwarp between; 32 times",
      ],
    ],
    [
      "barriers of some lanes pass on what each knows",
      {
        block: [32, 1, 1],
        body: `st.shared.u32 [%r4], %r0; and.b32 %r8, %r0, -8; shl.b32 %r8, 255, %r8; bar.warp.sync %r8;
      and.b32 %r9, %r0, 7; mov.u32 %r10, 0x01010101; shl.b32 %r10, %r10, %r9; bar.warp.sync %r10; xor.b32 %r6, %r4, 60; ld.shared.u32 %r7, [%r6];`,
      },
      [],
    ],
    [
      "a barrier of the lanes that are left",
      {
        block: [32, 1, 1],
        body: "setp.ge.u32 %p0, %r0, 16; @%p0 ret; st.shared.u32 [%r4], %r0; bar.warp.sync 65535; xor.b32 %r6, %r4, 4; ld.shared.u32 %r7, [%r6];",
      },
      [],
    ],
    [
      "a fence alone orders no lanes",
      {
        block: [32, 1, 1],
        body: `.loc 1 3 1
      st.shared.u32 [%r4], %r0; membar.cta; xor.b32 %r6, %r4, 4;
      .loc 1 4 1
      ld.shared.u32 %r7, [%r6];`,
      },
      [
        "race in shared memory: thread (0,0,0) of block (0,0,0) reads 4 bytes at shared+0x4 that thread (1,0,0) wrote on line 3, with no __syncwarp between; 32 times",
      ],
    ],
    [
      "a lock among the lanes of a warp",
      {
        block: [32, 1, 1],
        body: `mov.u32 %r6, tile; st.shared.u32 [%r6], 0; st.shared.u32 [%r6+4], 0; bar.warp.sync -1; $spin: atom.shared.cas.b32 %r7, [%r6], 0, 1; setp.ne.u32 %p0, %r7, 0; @%p0 bra $spin;
      membar.cta; ld.shared.u32 %r7, [%r6+4]; add.u32 %r7, %r7, 1; st.shared.u32 [%r6+4], %r7; membar.cta; atom.shared.exch.b32 %r7, [%r6], 0;`,
      },
      [],
    ],
    ...[
      "shfl.sync.bfly.b32 %r8, %r0, 1, 31, -1;",
      "vote.sync.ballot.b32 %r8, 1, -1;",
      "match.any.sync.b32 %r8, %r0, -1;",
      "redux.sync.add.s32 %r8, %r0, -1;",
    ].map((exchange): [string, Case, readonly string[]] => [
      `no order of the lanes by ${exchange}`,
      {
        block: [32, 1, 1],
        body: `.loc 1 3 1\nst.shared.u32 [%r4], %r0; ${exchange} xor.b32 %r6, %r4, 4;\n.loc 1 4 1\nld.shared.u32 %r7, [%r6];`,
      },
      [
        "race in shared memory: thread (0,0,0) of block (0,0,0) reads 4 bytes at shared+0x4 that thread (1,0,0) wrote on line 3, with no __syncwarp between; 32 times",
      ],
    ]),
    [
      "a barrier of the warp does not order warps",
      {
        body: ".loc 1 3 1\nst.shared.u32 [%r4], %r0; bar.warp.sync -1; xor.b32 %r6, %r4, 128;\n.loc 1 4 1\nld.shared.u32 %r7, [%r6];",
      },
      [
        "race in shared memory: thread (32,0,0) of block (0,0,0) writes 4 bytes at shared+0x80 that thread (0,0,0) read on line 4, with no __syncthreads between; 64 times",
      ],
    ],
    [
      "volatile accesses of one warp are not ordered",
      {
        block: [32, 1, 1],
        body: ".loc 1 3 1\nst.volatile.shared.u32 [%r4], %r0; xor.b32 %r6, %r4, 4;\n.loc 1 4 1\nld.volatile.shared.u32 %r7, [%r6];",
      },
      [
        "race in shared memory: thread (0,0,0) of block (0,0,0) reads 4 bytes at shared+0x4 that thread (1,0,0) wrote on line 3, with no __syncwarp between; 32 times",
      ],
    ],
    [
      "a lane's own accesses are ordered",
      {
        body: "st.shared.u32 [%r4], 1; ld.shared.u32 %r6, [%r4]; st.shared.u32 [%r4], %r6; ld.shared.u32 %r6, [%r4];",
      },
      [],
    ],
    [
      "one value from all is no race",
      { body: "mov.u32 %r6, tile; st.shared.u32 [%r6], 7; ld.shared.u32 %r7, [%r6];" },
      [],
    ],
    [
      "two values in one word are",
      { block: [2, 1, 1], body: "mov.u32 %r6, tile;\n.loc 1 4 1\nst.shared.u32 [%r6], %r0;" },
      [
        "race in shared memory: thread (1,0,0) of block (0,0,0) writes 4 bytes at shared+0x0 that thread (0,0,0) wrote on line 4, with no __syncwarp between",
      ],
    ],
    [
      "the last of the lanes that read a word together is remembered as well",
      {
        block: [32, 1, 1],
        body: `mov.u32 %r7, tile; shr.u32 %r6, %r0, 4; mad.lo.u32 %r6, %r6, 4, %r7;
      st.shared.u32 [%r4], 0; bar.sync 0;
      .loc 1 4 1
      ld.shared.u32 %r8, [%r6]; setp.eq.u32 %p0, %r0, 0;
      .loc 1 5 1
      @%p0 st.shared.u32 [%r7], 1;`,
      },
      [
        "race in shared memory: thread (0,0,0) of block (0,0,0) writes 4 bytes at shared+0x0 that thread (15,0,0) read on line 4, with no __syncwarp between",
      ],
    ],
    [
      "bytes of one word belong to their threads",
      { body: "mov.u32 %r6, tile; add.u32 %r6, %r6, %r0; st.shared.u8 [%r6], %r0; ld.shared.u8 %r7, [%r6];" },
      [],
    ],
    [
      "atomics do not race with each other",
      {
        body: "mov.u32 %r6, tile; setp.eq.u32 %p0, %r0, 0; @%p0 st.shared.u32 [%r6], 0; bar.sync 0; atom.shared.add.u32 %r7, [%r6], 1; bar.sync 0; ld.shared.u32 %r7, [%r6];",
      },
      [],
    ],
    [
      "an atomic races with a plain load",
      {
        block: [2, 1, 1],
        body: `mov.u32 %r6, tile; setp.eq.u32 %p0, %r0, 0; @%p0 st.shared.u32 [%r6], 0; bar.sync 0;
      .loc 1 4 1
      atom.shared.add.u32 %r7, [%r6], 1;
      .loc 1 5 1
      @%p0 ld.shared.u32 %r7, [%r6];`,
      },
      [
        "race in shared memory: thread (0,0,0) of block (0,0,0) reads 4 bytes at shared+0x0 that thread (1,0,0) updated atomically on line 4, with no __syncwarp between",
      ],
    ],
    [
      "a volatile first guess of a compare-and-swap",
      {
        body: `mov.u32 %r6, tile; st.shared.u32 [%r6], 0; bar.sync 0; ld.volatile.shared.u32 %r7, [%r6];
      $again: mov.u32 %r8, %r7; add.u32 %r9, %r8, 1; atom.shared.cas.b32 %r7, [%r6], %r8, %r9; setp.ne.u32 %p0, %r7, %r8; @%p0 bra $again;`,
      },
      [],
    ],
    [
      "an atomic on a byte through its word",
      {
        body: `mov.u32 %r6, tile; st.shared.u8 [%r6], 0; bar.sync 0; ld.relaxed.cta.shared.u32 %r7, [%r6];
      $again: mov.u32 %r8, %r7; add.u32 %r9, %r8, 1; atom.relaxed.cta.shared.cas.b32 %r7, [%r6], %r8, %r9; setp.ne.u32 %p0, %r7, %r8; @%p0 bra $again;`,
      },
      [],
    ],
    [
      "a named barrier orders those who meet at it",
      {
        body: `setp.lt.u32 %p0, %r0, 32; @%p0 bra $consumer; st.shared.u32 [%r4], %r0; barrier.arrive 1, 64; bra.uni $end;
      $consumer: barrier.sync 1, 64; ld.shared.u32 %r6, [%r4+128]; $end:`,
      },
      [],
    ],
    [
      "arriving does not wait",
      {
        body: `setp.lt.u32 %p0, %r0, 32; @%p0 bra $producer; barrier.arrive 1, 64;
      .loc 1 7 1
      ld.shared.u32 %r6, [%r4+-128]; bra.uni $end;
      $producer: .loc 1 9 1
      st.shared.u32 [%r4], %r0; barrier.sync 1, 64; $end:`,
      },
      [
        "race in shared memory: thread (32,0,0) of block (0,0,0) reads 4 bytes at shared+0x0 that thread (0,0,0) wrote on line 9, with no __syncthreads between; 32 times",
      ],
    ],
    [
      "matrix instructions order the lanes of their warp",
      {
        block: [32, 1, 1],
        body: `mad.lo.u32 %r6, %r0, 12, %r4; st.shared.v4.u32 [%r6], {%r0, %r0, %r0, %r0};
      ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r7, %r8, %r9, %r10}, [%r6]; st.shared.v4.u32 [%r6], {%r7, %r8, %r9, %r10};`,
      },
      [],
    ],
  ])("%s", (_, each, expected) => {
    expect(messages(each)).toEqual(expected);
  });
});

suite("asynchronous copies", () => {
  const copy = "cp.async.ca.shared.global [%r4], [%rd1], 4; cp.async.commit_group;";

  it.each<[string, Case, readonly string[]]>([
    ["are there after the wait", { body: `${copy} cp.async.wait_group 0; ld.shared.u32 %r6, [%r4];` }, []],
    [
      "of others are there after wait and barrier",
      { body: `${copy} cp.async.wait_all; bar.sync 0; xor.b32 %r6, %r4, 128; ld.shared.u32 %r7, [%r6];` },
      [],
    ],
    [
      "are not there before the wait",
      { block: [32, 1, 1], body: `.loc 1 3 1\n${copy}\n.loc 1 4 1\nld.shared.u32 %r6, [%r4];` },
      [
        "race in shared memory: thread (0,0,0) of block (0,0,0) reads 4 bytes at shared+0x0, the target of an asynchronous copy that it started on line 3 and that may still be under way: it has to wait for it first; 32 times",
      ],
    ],
    [
      "are not there when others may be under way",
      {
        block: [32, 1, 1],
        body: `.loc 1 3 1\n${copy} cp.async.wait_group 1;\n.loc 1 4 1\nld.shared.u32 %r6, [%r4];`,
      },
      [
        "race in shared memory: thread (0,0,0) of block (0,0,0) reads 4 bytes at shared+0x0, the target of an asynchronous copy that it started on line 3 and that may still be under way: it has to wait for it first; 32 times",
      ],
    ],
    [
      "are not there for others that have not waited",
      {
        body: `.loc 1 3 1\n${copy} setp.ge.u32 %p0, %r0, 32; @%p0 cp.async.wait_all; bar.sync 0;\n.loc 1 4 1\n@%p0 ld.shared.u32 %r7, [%r4+-128];`,
      },
      [
        "race in shared memory: thread (32,0,0) of block (0,0,0) reads 4 bytes at shared+0x0, the target of an asynchronous copy that thread (0,0,0) started on line 3 and that may still be under way: that thread has to wait for it first, with a barrier behind; 32 times",
      ],
    ],
    [
      "of the same bytes by many lanes are no race, and each lane may read after its wait",
      {
        block: [32, 1, 1],
        body: `mov.u32 %r6, tile; cp.async.ca.shared.global [%r6], [%rd0], 8; cp.async.ca.shared.global [%r6+8], [%rd0], 4, 0;
      cp.async.commit_group; cp.async.wait_group 0; ld.shared.v2.u32 {%r7, %r8}, [%r6]; ld.shared.u32 %r7, [%r6+8];`,
      },
      [],
    ],
    [
      "of the same bytes in another group are a race",
      {
        block: [32, 1, 1],
        body: `mov.u32 %r6, tile; setp.eq.u32 %p0, %r0, 3;
.loc 1 3 1
@%p0 cp.async.ca.shared.global [%r6], [%rd0], 4; cp.async.commit_group;
      .loc 1 5 1
cp.async.ca.shared.global [%r6], [%rd0], 4;`,
      },
      [
        "race in shared memory: thread (0,0,0) of block (0,0,0) writes 4 bytes at shared+0x0, the target of an asynchronous copy that thread (3,0,0) started on line 3 and that may still be under way: that thread has to wait for it first, with a barrier behind; 31 times",
      ],
    ],
    [
      "of other bytes to one place are a race",
      {
        block: [32, 1, 1],
        body: `st.global.u32 [%rd1], %r0; mov.u32 %r6, tile;
.loc 1 3 1
cp.async.ca.shared.global [%r6], [%rd1], 4;`,
      },
      [
        "race in shared memory: thread (1,0,0) of block (0,0,0) writes 4 bytes at shared+0x0, the target of an asynchronous copy that thread (0,0,0) started on line 3 and that may still be under way: that thread has to wait for it first, with a barrier behind; 31 times",
      ],
    ],
    [
      "of no bytes and of some to one place are a race",
      {
        block: [2, 1, 1],
        body: `st.global.u32 [%rd1], 7; bar.warp.sync -1; mov.u32 %r6, tile; shl.b32 %r7, %r0, 2;
.loc 1 3 1
cp.async.ca.shared.global [%r6], [%rd0], 4, %r7;`,
      },
      [
        "race in shared memory: thread (1,0,0) of block (0,0,0) writes 4 bytes at shared+0x0, the target of an asynchronous copy that thread (0,0,0) started on line 3 and that may still be under way: that thread has to wait for it first, with a barrier behind",
      ],
    ],
  ])("%s", (_, each, expected) => {
    expect(messages(each)).toEqual(expected);
  });
});
