import { describe as suite, expect, it } from "vitest";
import { DeviceMemory, launch } from "../../../../server/core/vgpu/index";
import { address, compileText } from "../support";
import { snippet } from "../snippets";
import { type Case, messages } from "./race-findings";

/** A barrier object for one arrival in the last bytes of the tile; %p9: the first thread; %r20: its place. */
const barrier = `setp.eq.u32 %p9, %r0, 0; mov.u32 %r20, tile; add.u32 %r21, %r20, 1016;
@%p9 mbarrier.init.shared.b64 [%r21], 1; bar.sync 0;`;
const fetch = `.loc 1 3 1
@%p9 mbarrier.arrive.expect_tx.shared.b64 _, [%r21], 256;
@%p9 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r20], [%rd0], 256, [%r21];`;
const wait = "again: mbarrier.try_wait.parity.shared.b64 %p1, [%r21], 0; @!%p1 bra again;";
const read = `.loc 1 5 1
xor.b32 %r6, %r4, 4; ld.shared.u32 %r7, [%r6];`;
const write = `.loc 1 4 1
st.shared.u32 [%r4], %r0;`;
const back = `.loc 1 6 1
@%p9 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r20], 256;
cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;`;
const fence = "fence.proxy.async.shared::cta;";
/** The same copy, which nobody waits for. */
const sent = `.loc 1 6 1
@%p9 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r20], 256; cp.async.bulk.commit_group;`;
const over = `.loc 1 7 1
st.shared.u32 [%r4], %r2;`;
const filled = `${barrier} ${write} ${fence} bar.sync 0;`;

const underWay =
  "race in shared memory: thread (32,0,0) of block (0,0,0) reads 4 bytes at shared+0x84, the target of an " +
  "asynchronous copy that thread (0,0,0) started on line 3 and that may still be under way: " +
  "that thread has to wait for it first, with a barrier behind; 64 times";
const unfenced =
  "race in shared memory: thread (0,0,0) of block (0,0,0) reads 16 bytes at shared+0x80 that thread (32,0,0) wrote on " +
  "line 4, with no fence.proxy.async between: bulk copies and products of warpgroups need not see " +
  "what ordinary stores have left in shared memory; 64 times";
const overwritten =
  "race in shared memory: thread (32,0,0) of block (0,0,0) writes 4 bytes at shared+0x80, which a bulk copy that thread (0,0,0) started " +
  "on line 6 may still be reading: that thread has to wait for it first, with a barrier behind (cp.async.bulk.wait_group.read); 64 times";
const loadedOver =
  "race in shared memory: thread (0,0,0) of block (0,0,0) writes 16 bytes at shared+0x0, which a bulk copy that it started " +
  "on line 6 may still be reading: it has to wait for it first (cp.async.bulk.wait_group.read); 16 times";
/** Of so many threads: behind the wait it is a read like any other. */
const unordered = (times: number): string =>
  "race in shared memory: thread (32,0,0) of block (0,0,0) writes 4 bytes at shared+0x80 that thread (0,0,0) read on line 6, " +
  `with no __syncthreads between; ${times} times`;
const left =
  "use after free: a bulk copy that thread (0,0,0) of block (0,0,0) started may still be reading shared memory when the block ends: " +
  "that thread has to wait for it first (cp.async.bulk.wait_group.read)";

suite("bulk copies", () => {
  it.each<[string, string, readonly string[]]>([
    ["are waited for by their barrier object", `${barrier} ${fetch} ${wait} ${read}`, []],
    ["are still under way without the wait", `${barrier} ${fetch} ${read}`, [underWay]],
    ["see stores behind a fence of each writer", `${barrier} ${write} ${fence} bar.sync 0; ${back}`, []],
    [
      "see stores behind a fence of the copying thread",
      `${barrier} ${write} bar.sync 0; ${fence} ${back}`,
      [],
    ],
    ["need not see stores behind a barrier alone", `${barrier} ${write} bar.sync 0; ${back}`, [unfenced]],
    [
      "need not see stores behind a fence before them",
      `${barrier} ${fence} ${write} bar.sync 0; ${back}`,
      [unfenced],
    ],
    ["see what came by another bulk copy", `${barrier} ${fetch} ${wait} bar.sync 0; ${back}`, []],
    ["have read their source behind a wait and a barrier", `${filled} ${back} bar.sync 0; ${over}`, []],
    [
      "may be reading their source behind a barrier alone",
      `${filled} ${sent} bar.sync 0; ${over}`,
      [overwritten, left],
    ],
    [
      "may be reading it behind a wait of others",
      `${filled} ${sent} @!%p9 cp.async.bulk.wait_group.read 0; bar.sync 0; ${over} cp.async.bulk.wait_group 0;`,
      [unordered(64)],
    ],
    [
      "have read it for their own thread alone without a barrier",
      `${filled} ${back} ${over}`,
      [unordered(63)],
    ],
    [
      "may be reading it while as many groups may be in flight",
      `${filled} ${sent} cp.async.bulk.wait_group.read 1; bar.sync 0; ${over} cp.async.bulk.wait_group 0;`,
      [unordered(64)],
    ],
    [
      "have read it when newer groups are in flight alone",
      `${filled} ${sent} cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 1; bar.sync 0; ${over}`,
      [],
    ],
    [
      "belong to no group that was committed before them",
      `${filled} cp.async.bulk.commit_group; @%p9 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r20], 256; cp.async.bulk.wait_group 0;`,
      [left],
    ],
    [
      "may be reading it when a load takes its place",
      `${filled} ${sent} ${fetch} ${wait} cp.async.bulk.wait_group.read 0;`,
      [loadedOver],
    ],
    [
      "may be read besides",
      `${filled} ${sent} ${read} cp.async.bulk.wait_group.read 0; bar.sync 0; ${over}`,
      [],
    ],
    ["must have read it when the block ends", `${filled} ${sent}`, [left]],
  ])("%s", (_, body, expected) => {
    const block: Case["block"] = [64, 1, 1];
    expect(messages({ body, block })).toEqual(expected);
  });

  it("copy as many bytes as they are told, by whoever starts them", () => {
    const memory = new DeviceMemory();
    const numbers = Int32Array.from({ length: 64 }, (_, index) => index + 1);
    const from = memory.allocate("from", 256, { initial: new Uint8Array(numbers.buffer) });
    const to = memory.allocate("to", 256, { initial: new Uint8Array(256) });
    // Threads 0 and 1 copy 16 and 32 bytes there and back, 64 bytes apart.
    const body = `ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; mov.u32 %r0, %tid.x;
mov.u32 %r20, tile; add.u32 %r21, %r20, 1016;
setp.eq.u32 %p0, %r0, 0; setp.lt.u32 %p1, %r0, 2; @%p0 mbarrier.init.shared.b64 [%r21], 2; bar.sync 0;
@!%p1 bra done; shl.b32 %r1, %r0, 6; add.u32 %r2, %r20, %r1; cvt.u64.u32 %rd2, %r1;
add.u64 %rd0, %rd0, %rd2; add.u64 %rd1, %rd1, %rd2;
add.u32 %r3, %r0, 1; shl.b32 %r3, %r3, 4; mbarrier.arrive.expect_tx.shared.b64 _, [%r21], %r3;
cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd0], %r3, [%r21];
again: mbarrier.try_wait.parity.shared.b64 %p2, [%r21], 0; @!%p2 bra again;
cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], %r3;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
done:`;
    const text = snippet(["u64", "u64"], body, ".shared .align 16 .b8 tile[1024];");
    const kernel = compileText(text, "kernel", { detectors: true });
    const outcome = launch(kernel, {
      ...{ grid: [1, 1, 1], block: [32, 1, 1], dynamicSharedBytes: 0, instructionBudget: 1e6 },
      ...{ arguments: [address(from), address(to)], faults: "report", memory },
    });
    expect(outcome.kind === "completed" && outcome.findings).toEqual([]);
    const copied = new Int32Array(memory.read(to).slice().buffer);
    expect([...copied].flatMap((value, index) => (value === 0 ? [] : [[index, value]]))).toEqual(
      [0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23].map((index) => [index, index + 1]),
    );
  });

  it("have a size that is a multiple of 16", () => {
    const memory = new DeviceMemory();
    const to = memory.allocate("to", 256, { initial: new Uint8Array(256) });
    const body = `ld.param.u64 %rd0, [p0]; mov.u32 %r20, tile; mov.u32 %r2, 24;
cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r20], %r2;`;
    const kernel = compileText(snippet(["u64"], body, ".shared .align 16 .b8 tile[1024];"), "kernel");
    const outcome = launch(kernel, {
      ...{ grid: [1, 1, 1], block: [1, 1, 1], dynamicSharedBytes: 0, instructionBudget: 1e6 },
      ...{ arguments: [address(to)], faults: "report", memory },
    });
    expect(outcome).toMatchObject({ kind: "fault", finding: { kind: "misaligned" } });
  });
});
