import { expect, test } from "vitest";
import { DeviceMemory, launch, type LaunchAccesses } from "../../../../server/core/vgpu/index";
import { address, compileText } from "../support";
import { snippet } from "../snippets";

/** What two blocks of 32 threads touch of 1 MiB named "data"; `%r1` is the number of a thread. */
function touched(body: string): Partial<LaunchAccesses["allocations"][number]> & Partial<LaunchAccesses> {
  const memory = new DeviceMemory();
  const data = memory.allocate("data", 1 << 20, { initial: new Uint8Array(1 << 20) });
  const head =
    "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 32, %r0;";
  const kernel = compileText(snippet(["u64"], `${head}\n${body}`), "kernel", { accesses: true });
  const outcome = launch(kernel, {
    ...{ grid: [2, 1, 1], block: [32, 1, 1], dynamicSharedBytes: 0, instructionBudget: 1e6 },
    arguments: [address(data)],
    faults: "report",
    memory,
  });
  if (outcome.kind !== "completed" || outcome.accesses === undefined) throw new Error(outcome.kind);
  const { allocations, ...rest } = outcome.accesses;
  const [{ name, ...seen } = {}] = allocations;
  return { ...seen, ...rest };
}

/** What a probe sees of whole words that each thread stores. */
const words = {
  isCut: false,
  sharedBytes: 0,
  isAtomic: false,
  contendedBytes: 0,
  isFloat: false,
  elementBytes: 4,
  loadReach: [0, 0, 0],
  storeReach: [64, 1, 1],
};

test.each([
  [
    "words that each thread changes, and the next thread's",
    `mad.wide.u32 %rd1, %r1, 4, %rd0; ld.global.u32 %r3, [%rd1+4]; st.global.u32 [%rd1], %r3;`,
    {
      ...words,
      read: { from: 4, to: 260, bytes: 256 },
      written: { from: 0, to: 256, bytes: 256 },
      readFirst: { from: 4, to: 260, bytes: 256 },
      lastBy: [63, 0, 0],
      loadReach: [64, 1, 1],
    },
  ],
  [
    "bytes side by side, which no two threads share",
    `cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd0, %rd1; st.global.u8 [%rd1], %r1;`,
    {
      ...words,
      written: { from: 0, to: 64, bytes: 64 },
      lastBy: [63, 0, 0],
      elementBytes: 1,
    },
  ],
  [
    "a word that all threads of a block store to",
    `mad.wide.u32 %rd1, %r2, 65536, %rd0; st.global.u32 [%rd1], %r0; st.global.u32 [%rd1+8], %r2;`,
    {
      ...words,
      contendedBytes: 16,
      written: { from: 0, to: 65_548, bytes: 16 },
      lastBy: [32, 0, 0],
    },
  ],
  [
    "an atomic, which reads first",
    `atom.global.add.u32 %r3, [%rd0+16], 1;`,
    {
      ...words,
      isAtomic: true,
      read: { from: 16, to: 20, bytes: 4 },
      written: { from: 16, to: 20, bytes: 4 },
      readFirst: { from: 16, to: 20, bytes: 4 },
      lastBy: [0, 0, 0],
    },
  ],
  [
    "fragments of a product",
    `mad.wide.u32 %rd1, %r2, 512, %rd0; mov.u32 %r7, 16;
    wmma.load.c.sync.aligned.row.m16n16k16.global.f16 {%r3, %r4, %r5, %r6}, [%rd1], %r7;
    wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd1+1024], {%r3, %r4, %r5, %r6}, %r7;`,
    {
      ...words,
      isFloat: true,
      elementBytes: 2,
      read: { from: 0, to: 1024, bytes: 1024 },
      written: { from: 1024, to: 2048, bytes: 1024 },
      readFirst: { from: 0, to: 1024, bytes: 1024 },
      lastBy: [63, 0, 0],
      loadReach: [64, 1, 1],
    },
  ],
])("a probe sees %s", (_, body, expected) => {
  expect(touched(body)).toEqual(expected);
});

test("a probe that goes wild ends early, with what it has touched", () => {
  const { isCut, written, storeReach } = touched(`
    mov.u32 %r3, 0;
  again:
    mad.wide.u32 %rd1, %r3, 4096, %rd0;
    st.global.u32 [%rd1], %r3;
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p0, %r3, 1000;
    @%p0 bra again;`);
  expect({ isCut, written, storeReach }).toEqual({
    isCut: true,
    written: { from: 0, to: 255 * 4096 + 4, bytes: 1024 },
    storeReach: [32, 1, 1],
  });
});
