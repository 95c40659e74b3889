import { expect, it, describe as suite } from "vitest";
import { DeviceMemory, type KernelFinding, launch } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, compileText } from "../support";

/**
 * %rd0, %rd1: zeroes of two allocations; %rd2: the address of a word of the first that threads share; %rd3:
 * of one that is the thread's own; %r4: of its word in shared memory.
 */
const start = `ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0; mov.u32 %r4, tile; mad.lo.u32 %r4, %r0, 4, %r4;
  and.b32 %r6, %r0, 7; mul.wide.u32 %rd2, %r6, 4; add.u64 %rd2, %rd0, %rd2;
  mul.wide.u32 %rd3, %r3, 4; add.u64 %rd3, %rd0, %rd3;`;

/** Findings of two blocks of a warp. `isOne`: both parameters point to one allocation. */
function findings(body: string, isOne = false, level = new Int32Array(256)): readonly KernelFinding[] {
  const memory = new DeviceMemory();
  const [first, second] = ["level", "changed"].map((name) =>
    memory.allocate(name, 1024, {
      initial: new Uint8Array((name === "level" ? level : new Int32Array(256)).buffer),
    }),
  );
  if (first === undefined || second === undefined) throw new Error("no memory");
  const text = snippet(["u64", "u64"], `${start}\n${body} $done:`, ".shared .align 16 .b8 tile[1024];");
  const outcome = launch(compileText(text, "kernel", { detectors: true }), {
    ...{ grid: [2, 1, 1], block: [32, 1, 1], dynamicSharedBytes: 0, instructionBudget: 1e6 },
    ...{ arguments: [address(first), address(isOne ? first : second)], faults: "report", memory },
  });
  if (outcome.kind !== "completed") throw new Error(outcome.kind);
  return outcome.findings;
}

/** Where the shared word is zero, `then`. */
const where = (then: string, asked = "setp.ne.s32 %p0, %r7, 0;"): string =>
  `ld.global.u32 %r7, [%rd2]; ${asked} @%p0 bra $done; ${then}`;

const isRace = (body: string): boolean => findings(body).some(({ kind }) => kind === "global-race");

suite("threads that read what others store meanwhile", () => {
  it.each<[string, string]>([
    [
      "adds to it, and may lose what others add",
      "ld.global.u32 %r7, [%rd2]; add.u32 %r7, %r7, 1; st.global.u32 [%rd2], %r7;",
    ],
    [
      "keeps the greatest without atomics",
      "ld.global.u32 %r7, [%rd2]; setp.ge.u32 %p0, %r7, %r3; @%p0 bra $done; st.global.u32 [%rd2], %r3;",
    ],
    ["counts those that came first", where("st.global.u32 [%rd2], 1; atom.global.add.u32 %r8, [%rd1], 1;")],
    ["counts them by a reduction", where("st.global.u32 [%rd2], 1; red.global.add.u32 [%rd0+512], 1;")],
    [
      "leaves its own number beside the flag",
      where("st.global.u32 [%rd2+64], %r3; st.global.u32 [%rd2], 1;"),
    ],
    [
      "tells for itself whether it came first",
      where("st.global.u32 [%rd2], 1; st.global.u32 [%rd3+512], 1;"),
    ],
    [
      "goes on with what it found",
      "mov.u32 %r9, 1; ld.global.u32 %r7, [%rd2]; setp.ne.s32 %p0, %r7, 0; @%p0 bra $on; st.global.u32 [%rd2], 1; mov.u32 %r9, 2; $on: st.shared.u32 [%r4], %r9;",
    ],
    [
      "keeps what it read",
      `ld.global.u32 %r7, [%rd2]; setp.ne.s32 %p0, %r7, 0; @%p0 bra $on; st.global.u32 [%rd2], 1;
       $on: st.shared.u32 [%r4], %r7;`,
    ],
    [
      "stores elsewhere where it came late",
      `ld.global.u32 %r7, [%rd2]; setp.ne.s32 %p0, %r7, 0; @%p0 bra $on; st.global.u32 [%rd2], 1; bra $done;
       $on: st.global.u32 [%rd0+512], 1;`,
    ],
    [
      "hands data over behind a flag without a fence",
      `setp.ne.u32 %p1, %r1, 0; @%p1 bra $read; st.global.u32 [%rd0+512], 7; st.global.u32 [%rd0], 1; bra $done;
       $read: ld.global.u32 %r7, [%rd0]; setp.eq.s32 %p0, %r7, 0; @%p0 bra $done;
       ld.global.u32 %r8, [%rd0+512]; st.shared.u32 [%r4], %r8;`,
    ],
    [
      "asks two things of one word",
      `ld.global.u32 %r7, [%rd2]; setp.ne.s32 %p0, %r7, 0; @%p0 bra $on; st.global.u32 [%rd2], 1;
       $on: ld.global.u32 %r8, [%rd2]; setp.ne.s32 %p1, %r8, 1; @%p1 bra $done; st.global.u32 [%rd2], 1; st.global.u32 [%rd0+512], 1;`,
    ],
    [
      "asks elsewhere for what the others store",
      `ld.global.u32 %r8, [%rd2]; setp.ne.s32 %p1, %r8, 3; @%p1 bra $on; st.shared.u32 [%r4], 1;
       $on: ${where("st.global.u32 [%rd2], 3;")}`,
    ],
    [
      "keeps what it reads beside it, which a free read of the same thread hides",
      "ld.global.u32 %r8, [%rd2]; st.shared.u32 [%r4], %r8; setp.ne.u32 %p1, %r1, 0; @%p1 bra $done; ld.global.u32 %r7, [%rd2]; setp.ne.s32 %p0, %r7, 0; @%p0 bra $done; st.global.u32 [%rd2], 1;",
    ],
    [
      "reads it by an address that lies in memory",
      `ld.global.u64 %rd5, [%rd1]; setp.eq.u64 %p1, %rd5, 0; @%p1 bra $on; ld.global.u32 %r8, [%rd5]; st.shared.u32 [%r4], %r8;
       $on: ${where("st.global.u32 [%rd2], 3;")}`,
    ],
    [
      "tells the lanes of its warp",
      `ld.global.u32 %r7, [%rd2]; setp.ne.s32 %p0, %r7, 0; activemask.b32 %r10; @%p0 bra $done; st.global.u32 [%rd2], 1;`,
    ],
    [
      "compares with what another thread may find otherwise",
      where("st.global.u32 [%rd2], 3;", "setp.ne.u32 %p0, %r7, %r3;"),
    ],
  ])("is a race that %s", (_, body) => {
    expect(isRace(body)).toBe(true);
  });

  it.each<[string, string]>([
    ["all store the same where nobody has", where("st.global.u32 [%rd2], 3;")],
    [
      "and say in one place that anything was done",
      where("add.u64 %rd4, %rd1, 512; mov.u32 %r8, 1; st.global.u32 [%rd2], 3; st.global.u32 [%rd4], %r8;"),
    ],
    ["all lower what is above", where("st.global.u32 [%rd2], -5;", "setp.lt.s32 %p0, %r7, -4;")],
    [
      "in copies of an unrolled loop",
      `ld.global.u32 %r7, [%rd2]; setp.ne.s32 %p0, %r7, 0; @%p0 bra $on; st.global.u32 [%rd2], 3;
       $on: ld.global.u32 %r8, [%rd2+4]; setp.ne.s32 %p1, %r8, 0; @%p1 bra $done; st.global.u32 [%rd2+4], 3;`,
    ],
    [
      "behind a question that both values answer alike",
      `ld.global.u32 %r8, [%rd3]; setp.ne.s32 %p1, %r8, 2; @%p1 bra $on; st.shared.u32 [%r4], 1;
       $on: ${where("st.global.u32 [%rd2], 3;")}`,
    ],
    [
      "as single bytes",
      "ld.global.u8 %h1, [%rd2]; setp.ne.s16 %p0, %h1, 0; @%p0 bra $done; mov.u16 %h2, 1; st.global.u8 [%rd2], %h2;",
    ],
  ])("is none where %s", (_, body) => {
    expect(findings(body)).toEqual([]);
  });

  it("is a race where the place that tells of it may be one of the words", () => {
    const body = where("st.global.u32 [%rd2], 3; st.global.u32 [%rd1+512], 3;");
    expect(findings(body)).toEqual([]);
    expect(findings(body, true).map(({ kind }) => kind)).toContain("global-race");
  });

  /** The words that threads share hold -1, all others 2. */
  const front = Int32Array.from({ length: 256 }, (_, index) => (index < 8 ? -1 : 2));
  const reloads = (found: string, asked: string, again = "[%rd3]"): string =>
    `ld.global.u32 %r8, [%rd3]; setp.ne.s32 %p1, %r8, ${found}; @%p1 bra $done;
     ${where(`ld.global.u32 %r9, ${again}; add.s32 %r10, %r9, 1; st.global.u32 [%rd2], %r10;`, asked)}`;

  it.each<[string, string, boolean]>([
    ["a word that was found to hold a number", reloads("2", "setp.ne.s32 %p0, %r7, -1;"), false],
    ["a word that others may change", reloads("2", "setp.ge.s32 %p0, %r7, 5;"), true],
    ["another word", reloads("2", "setp.ne.s32 %p0, %r7, -1;", "[%rd3+4]"), true],
    [
      "a word behind a branch that may be gone around",
      `setp.eq.u32 %p2, %r0, 9; @%p2 bra $on; ld.global.u32 %r8, [%rd3]; setp.ne.s32 %p1, %r8, 2; @%p1 bra $done;
       $on: ${where("ld.global.u32 %r9, [%rd3]; add.s32 %r10, %r9, 1; st.global.u32 [%rd2], %r10;", "setp.ne.s32 %p0, %r7, -1;")}`,
      true,
    ],
    [
      "a word that was asked for at another address",
      `ld.global.u32 %r8, [%rd3]; setp.ne.s32 %p1, %r8, 2; @%p1 bra $done; add.u64 %rd3, %rd3, 4;
       ${where("ld.global.u32 %r9, [%rd3]; add.s32 %r10, %r9, 1; st.global.u32 [%rd2], %r10;", "setp.ne.s32 %p0, %r7, -1;")}`,
      true,
    ],
  ])("what they store is made of %s", (_, body, isOne) => {
    const kinds = findings(body, false, front).map(({ kind }) => kind);
    expect(kinds.includes("global-race")).toBe(isOne);
  });
});
