import { describe as suite, expect, it } from "vitest";
import {
  DeviceMemory,
  type KernelFinding,
  type LaunchRequest,
  launch,
} from "../../../server/core/vgpu/index";
import { address, compileText } from "./support";
import { snippet } from "./snippets";

const tile = ".shared .align 16 .b8 tile[1024];";
/**
 * %r4: address of the thread's word of the tile; %r5: of its right neighbour's; %rd1: address of the thread's
 * word of "data".
 */
const start = `ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
mov.u32 %r4, tile; mad.lo.u32 %r4, %r0, 4, %r4; add.u32 %r5, %r4, 4; mul.wide.u32 %rd1, %r3, 4; add.u64 %rd1, %rd0, %rd1;`;

interface Case extends Partial<LaunchRequest> {
  readonly body: string;
}

/** Findings of a kernel on 1,024 zeroes named "data"; one block of 64 threads unless told otherwise. */
function findings({ body, ...request }: Case): readonly KernelFinding[] {
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

const messages = (each: Case): readonly string[] => findings(each).map(({ message }) => message);

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

suite("races in global memory", () => {
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
      setp.lt.u32 %p0, %r1, 100; @!%p0 bra $count; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd0, %rd3;\n.loc 1 4 1\nst.global.u32 [%rd3], 5;
      .loc 1 5 1\n$count: fence.acq_rel.cta; atom.global.add.u32 %r6, [%rd2], 1; setp.ne.u32 %p0, %r6, 299; @%p0 ret;
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

suite("outputs", () => {
  it("that stay unwritten are told", () => {
    const memory = new DeviceMemory();
    const output = memory.allocate("y", 512);
    const each: Case = {
      memory,
      arguments: [address(output)],
      outputs: [output],
      body: "setp.lt.u32 %p0, %r0, 60; @%p0 st.global.u32 [%rd1], 1;",
    };
    expect(findings(each)).toEqual([
      {
        kind: "never-written",
        count: 1,
        allocation: "y",
        address: output + 240n,
        message: 'never written: nothing was stored to 272 of the 512 bytes of "y", first at "y"+0xf0',
      },
    ]);
    expect(
      findings({ ...each, body: "st.global.v2.u32 [%rd0], {%r0, %r0};" }).filter(
        ({ kind }) => kind === "never-written",
      ).length,
    ).toBe(1);
  });
});

suite("memory with a shadow", () => {
  it("grows with its allocations and keeps what was written", () => {
    const memory = new DeviceMemory();
    const body = "st.global.u32 [%rd1], %r0;";
    const first = memory.allocate("first", 512);
    expect(messages({ memory, body, arguments: [address(first)] })).toEqual([]);
    const large = memory.allocate("large", 5 << 20, { initial: new Uint8Array(1 << 20) });
    expect(memory.writtenBytes(first).indexOf(0)).toBe(256);
    expect(memory.writtenBytes(large).indexOf(0)).toBe(1 << 20);
    const read = "ld.global.u32 %r6, [%rd1];";
    expect(
      findings({ memory, body: read, arguments: [address(first)], grid: [2, 1, 1] }).map(
        ({ kind, count }) => [kind, count],
      ),
    ).toEqual([["uninitialized-read", 64]]);
    expect(memory.free(first)).toBe("freed");
    expect(messages({ memory, body: read, arguments: [address(large)], grid: [2, 1, 1] })).toEqual([]);
    expect(memory.damagedGuards()).toEqual([]);
  });
});

it("a finding stands on one line, whatever memory is called", () => {
  const memory = new DeviceMemory();
  memory.allocate("one\r\ntwo\u2028three", 4);
  const outcome = launch(
    compileText(snippet(["u64"], "ld.param.u64 %rd0, [p0]; ld.global.u32 %r6, [%rd0];"), "kernel", {
      detectors: true,
    }),
    {
      grid: [1, 1, 1],
      block: [1, 1, 1],
      dynamicSharedBytes: 0,
      arguments: [address(memory.allocations()[0]!.address + 4n)],
      instructionBudget: 1e6,
      faults: "report",
      memory,
    },
  );
  expect("findings" in outcome && outcome.findings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/behind the end of "one\\x0d\\x0atwo\\x2028three" \(4 bytes\)$/),
  ]);
});
