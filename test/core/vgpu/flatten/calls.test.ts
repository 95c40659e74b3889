import { describe as suite, expect, it } from "vitest";
import {
  type CompileOptions,
  DeviceMemory,
  type LaunchOutcome,
  compileKernel,
  launch,
  parsePtx,
} from "../../../../server/core/vgpu/index";
import { address, compileText } from "../support";

const head = [".version 8.7", ".target sm_80", ".address_size 64", '.file 1 "kernel.cu"'].join("\n");
const registers = ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .b16 %h<4>; .reg .f64 %d<4>;";

/**
 * One kernel with the address of its output in %rd0 and the thread's own word of it in %rd1; what it leaves
 * in %r0 is stored there.
 */
function kernel(functions: string, body: string): string {
  return `${head}\n${functions}\n.visible .entry kernel(.param .u64 out) { ${registers}
    ld.param.u64 %rd0, [out]; mov.u32 %r15, %tid.x; mad.wide.u32 %rd1, %r15, 4, %rd0; mov.u32 %r0, 0;
    ${body}
    st.global.u32 [%rd1], %r0; ret; }`;
}

interface Ran {
  readonly outcome: LaunchOutcome;
  readonly words: readonly number[];
}

function start(
  text: string,
  {
    threads = 32,
    budget = 1e6,
    ...options
  }: Partial<CompileOptions> & { threads?: number; budget?: number } = {},
): Ran {
  const memory = new DeviceMemory();
  const out = memory.allocate("out", 4 * threads);
  const outcome = launch(compileText(text, "kernel", options), {
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(out)],
    memory,
    instructionBudget: budget,
  });
  return { outcome, words: [...new Int32Array(memory.read(out).buffer)] };
}

/** What a kernel's threads leave, after it has completed. */
function wordsOf(text: string): readonly number[] {
  const { outcome, words } = start(text);
  expect(outcome.kind).toBe("completed");
  return words;
}

const every = (value: (thread: number) => number): number[] =>
  Array.from({ length: 32 }, (_, thread) => value(thread) | 0);

const factorial = `.func (.param .b32 r) factorial(.param .b32 n) { ${registers}
  ld.param.u32 %r1, [n]; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, 1; @%p1 bra done;
  sub.u32 %r3, %r1, 1; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call (b), factorial, (a);
  ld.param.b32 %r4, [b]; }
  ld.param.u32 %r5, [n]; mul.lo.u32 %r2, %r4, %r5;
  done: st.param.b32 [r], %r2; ret; }`;
const factorialOf = (n: number): number => (n === 0 ? 1 : Math.imul(n, factorialOf(n - 1)));
const callFactorial =
  "{ .param .b32 a; .param .b32 b; and.b32 %r1, %r15, 7; st.param.b32 [a], %r1; call (b), factorial, (a); ld.param.b32 %r0, [b]; }";

suite("calls in PTX", () => {
  it("reads a parameter again behind a recursive call", () => {
    expect(wordsOf(kernel(factorial, callFactorial))).toEqual(every((thread) => factorialOf(thread & 7)));
  });

  it.each(["", "!"])("calls under a guard with %j before the predicate", (sign) => {
    const body = `setp.lt.u32 %p1, %r15, 9; mov.u32 %r0, 77; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r15; st.param.b32 [b], %r0; @${sign}%p1 call (b), factorial, (a); ld.param.b32 %r0, [b]; }`;
    const isCalled = (thread: number): boolean => thread < 9 === (sign === "");
    expect(wordsOf(kernel(factorial, body))).toEqual(
      every((thread) => (isCalled(thread) ? factorialOf(thread) : 77)),
    );
  });

  it("takes arguments and results in registers, numbers among them", () => {
    const f =
      ".func (.reg .u32 rv, .reg .f64 rd) f(.reg .u32 a, .reg .f64 b) { .reg .f64 x; cvt.rn.f64.u32 x, a; add.f64 rd, x, b; add.u32 rv, a, 100; ret; }";
    const body =
      "call (%r1, %d1), f, (%r15, 0d3FF8000000000000); add.f64 %d1, %d1, %d1; cvt.rzi.u32.f64 %r2, %d1; add.u32 %r0, %r1, %r2;";
    expect(wordsOf(kernel(f, body))).toEqual(every((thread) => thread + 100 + 2 * thread + 3));
  });

  it("takes the address of a parameter", () => {
    const f = `.func (.param .b32 r) f(.param .align 4 .b8 s[16], .param .b32 i) { ${registers}
      mov.b64 %rd1, s; ld.param.u32 %r1, [i]; mad.wide.u32 %rd2, %r1, 4, %rd1; ld.local.u32 %r2, [%rd2]; st.local.u32 [%rd1], %r2; ld.param.u32 %r3, [s]; st.param.b32 [r], %r3; ret; }`;
    const body = `.param .align 4 .b8 s[16]; .param .b32 i; .param .b32 r; and.b32 %r1, %r15, 3;
      st.param.v4.b32 [s], {10, 20, 30, 40}; st.param.b32 [i], %r1; call (r), f, (s, i); ld.param.b32 %r0, [r];`;
    expect(wordsOf(kernel(f, body))).toEqual(every((thread) => 10 + 10 * (thread & 3)));
  });

  it("passes bytes and halves in structures", () => {
    const f = `.func (.param .align 4 .b8 r[8]) f(.param .align 4 .b8 s[8]) { ${registers}
      ld.param.s8 %h0, [s+1]; ld.param.u16 %h1, [s+2]; ld.param.u8 %r1, [s]; ld.param.s16 %r2, [s+6];
      add.u16 %h2, %h0, %h1; add.u32 %r3, %r1, %r2;
      st.param.b16 [r+2], %h2; st.param.b8 [r], %r3; st.param.b8 [r+1], 255; st.param.b32 [r+4], 7; ret; }`;
    const body = `.param .align 4 .b8 s[8]; .param .align 4 .b8 r[8]; cvt.u16.u32 %h0, %r15; st.param.b8 [s], %h0; st.param.b8 [s+1], -5; st.param.b16 [s+2], 300; st.param.b16 [s+6], -2;
      call (r), f, (s); ld.param.b32 %r0, [r]; ld.param.b32 %r1, [r+4]; add.u32 %r0, %r0, %r1;`;
    expect(wordsOf(kernel(f, body))).toEqual(
      every((thread) => (295 << 16) + 0xff00 + ((thread - 2) & 0xff) + 7),
    );
  });

  it("calls through registers, each lane a function of its own", () => {
    const each = [3, 5, 7].map(
      (factor) =>
        `.func (.param .b32 r) by${factor}(.param .b32 n) { ${registers} ld.param.u32 %r1, [n]; mul.lo.u32 %r2, %r1, ${factor}; st.param.b32 [r], %r2; ret; }`,
    );
    const functions = `${each.join("\n")}\n.global .align 8 .u64 list[3] = {by3, by5, by7};`;
    const body = (
      last: string,
    ): string => `rem.u32 %r1, %r15, 3; mov.u64 %rd2, list; mad.wide.u32 %rd3, %r1, 8, %rd2; ld.global.u64 %rd4, [%rd3]; ${last}
      .param .b32 a; .param .b32 b; st.param.b32 [a], %r15; call (b), %rd4, (a), about; ld.param.b32 %r0, [b];`;
    const expected = every((thread) => thread * [3, 5, 7][thread % 3]!);
    expect(
      wordsOf(kernel(functions, body("about: .callprototype (.param .b32 _) _ (.param .b32 _);"))),
    ).toEqual(expected);
    expect(wordsOf(kernel(functions, body("about: .calltargets by3, by5, by7;")))).toEqual(expected);
  });

  it.each(["u32", "u64"])("allocates, saves and restores the stack with .%s", (type) => {
    const r = type === "u32" ? "%r" : "%rd";
    const widen = (to: number, from: number): string =>
      type === "u32" ? `cvt.u64.u32 %rd${to}, %r${from};` : `mov.u64 %rd${to}, %rd${from};`;
    const body = `stacksave.${type} ${r}5; mov.${type} ${r}6, 24; alloca.${type} ${r}7, ${r}6; alloca.${type} ${r}8, ${r}6, 64; stackrestore.${type} ${r}5; alloca.${type} ${r}9, ${r}6;
      ${widen(10, 7)} ${widen(11, 8)} ${widen(12, 9)} st.local.u32 [%rd10+20], %r15; ld.local.u32 %r0, [%rd12+20]; and.b64 %rd13, %rd11, 63; cvt.u32.u64 %r1, %rd13; add.u32 %r0, %r0, %r1;`;
    expect(wordsOf(kernel("", body))).toEqual(every((thread) => thread));
  });

  it("keeps functions that are called often and are long out of line", () => {
    const long = `.func (.param .b32 r) long(.param .b32 n) { ${registers} ld.param.u32 %r1, [n]; ${"mad.lo.u32 %r1, %r1, 3, 1;".repeat(400)} st.param.b32 [r], %r1; ret; }`;
    const once = "st.param.b32 [a], %r0; call (a), long, (a); ld.param.b32 %r0, [a];";
    const compiled = compileText(
      kernel(long, `.param .b32 a; add.u32 %r0, %r15, 0; ${once.repeat(40)}`),
      "kernel",
    );
    expect(compiled.code.wasmBytes).toBeLessThan(200_000);
    let value = 5;
    for (let step = 0; step < 400 * 40; step += 1) value = Math.imul(value, 3) + 1;
    expect(wordsOf(kernel(long, `.param .b32 a; add.u32 %r0, %r15, 0; ${once.repeat(40)}`))[5]).toBe(
      value | 0,
    );
  });
});

/** A kernel's fault with its line and thread. */
function faultOf(text: string, options: Partial<CompileOptions> = {}): unknown {
  const { outcome } = start(text, options);
  if (outcome.kind !== "fault") return outcome.kind;
  const { kind, message, file, line, thread } = outcome.finding;
  return { kind, message, file, line, thread };
}

suite("calls that go wrong", () => {
  const endless = ".func f() { .loc 1 7 1\n call f, (); .loc 1 8 1\n ret; }";
  const growing = `.func f(.param .b32 n) { .local .b8 room[1000]; ${registers} ld.param.u32 %r1, [n]; mov.u64 %rd1, room; st.local.u32 [%rd1+996], %r1; .loc 1 7 1\n call f, (n); ld.local.u32 %r2, [%rd1]; ret; }`;
  it.each([
    [
      "endless recursion",
      endless,
      ".loc 1 3 1\n call f, ();",
      {
        kind: "stack-overflow",
        line: 7,
        message:
          "stack overflow: call by thread (0,0,0) of block (0,0,0) needs more than the stack's 16384 bytes, called from kernel.cu:7 from kernel.cu:3",
      },
    ],
    [
      "recursion of large frames",
      growing,
      ".param .b32 n; st.param.b32 [n], 1; .loc 1 3 1\n call f, (n);",
      {
        kind: "stack-overflow",
        line: 7,
        message:
          "stack overflow: call by thread (0,0,0) of block (0,0,0) needs more than the stack's 16384 bytes, called from kernel.cu:7 from kernel.cu:3",
      },
    ],
    [
      "an allocation without room",
      "",
      ".loc 1 4 1\n mov.u64 %rd2, 20000; alloca.u64 %rd3, %rd2;",
      {
        kind: "stack-overflow",
        line: 4,
        message:
          "stack overflow: alloca.u64 by thread (0,0,0) of block (0,0,0) needs more than the stack's 16384 bytes",
      },
    ],
    [
      "an allocation of almost 2 to the 64",
      "",
      ".loc 1 4 1\n mov.u64 %rd2, -8; alloca.u64 %rd3, %rd2;",
      {
        kind: "stack-overflow",
        line: 4,
        message:
          "stack overflow: alloca.u64 by thread (0,0,0) of block (0,0,0) needs more than the stack's 16384 bytes",
      },
    ],
    [
      "a stack pointer from nowhere",
      "",
      ".loc 1 4 1\n mov.u64 %rd2, 99999999; stackrestore.u64 %rd2; alloca.u64 %rd3, 8;",
      {
        kind: "stack-overflow",
        line: 4,
        message:
          "stack overflow: stackrestore.u64 by thread (0,0,0) of block (0,0,0) sets a stack pointer that lies outside of the stack",
      },
    ],
    [
      "a call to a garbage pointer",
      ".func f() { ret; } .global .u64 p = f;",
      "mov.u64 %rd2, 4660; about: .callprototype _ (); .loc 1 9 1\n call %rd2, (), about;",
      {
        kind: "bad-call",
        line: 9,
        message:
          "bad call: thread (0,0,0) of block (0,0,0) calls 0x1234, which is no function that takes these arguments",
      },
    ],
    [
      "a call to a function that takes something else",
      ".func f(.param .b64 x) { ret; } .func g() { ret; } .global .u64 p[2] = {f, g};",
      "mov.u64 %rd2, f; about: .callprototype _ (); .loc 1 9 1\n call %rd2, (), about;",
      {
        kind: "bad-call",
        line: 9,
        message:
          "bad call: thread (0,0,0) of block (0,0,0) calls 0xc0000000010, which is no function that takes these arguments",
      },
    ],
    [
      "a read of code",
      ".func f() { ret; }",
      "mov.u64 %rd2, f; .loc 1 9 1\n ld.u32 %r0, [%rd2];",
      {
        kind: "out-of-bounds",
        line: 9,
        message:
          "out of bounds: thread (0,0,0) of block (0,0,0) reads 4 bytes at 0xc0000000010, which is no address of device memory",
      },
    ],
  ])("tells of %s", (_, functions, body, expected) => {
    expect(faultOf(kernel(functions, body))).toEqual({ file: "kernel.cu", thread: [0, 0, 0], ...expected });
  });

  it("has as much stack as it is given", () => {
    const deep = `.func (.param .b32 r) f(.param .b32 n) { ${registers} ld.param.u32 %r1, [n]; mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra done;
      sub.u32 %r3, %r1, 1; .param .b32 a; st.param.b32 [a], %r3; call (a), f, (a); ld.param.b32 %r2, [a]; add.u32 %r2, %r2, 1; done: st.param.b32 [r], %r2; ret; }`;
    const text = kernel(
      deep,
      ".param .b32 a; st.param.b32 [a], 5000; call (a), f, (a); ld.param.b32 %r0, [a];",
    );
    expect(faultOf(text)).toMatchObject({ kind: "stack-overflow" });
    expect(start(text, { stackBytes: 65536 }).words).toEqual(every(() => 5000));
  });

  it.each([
    [
      "recursion that never gets deeper",
      `.func f(.param .b32 n) { .reg .pred %p<2>; .reg .b32 %r<2>; again: .loc 1 5 1\n ld.param.u32 %r1, [n]; setp.eq.u32 %p1, %r1, 9; @%p1 call f, (n); bra again; }`,
      ".param .b32 n; st.param.b32 [n], 1; call f, (n);",
      5,
    ],
    [
      "a loop over blocks and barriers",
      "",
      "again: .loc 1 6 1\n bar.sync 0; setp.ge.u32 %p1, %r15, 0; @%p1 bra again;",
      6,
    ],
    [
      "a loop around calls",
      ".func f() { .loc 1 8 1\n membar.gl; ret; }",
      `again: call f, (); call f, (); bra again;`,
      8,
    ],
  ])("stops %s by the budget, with its line", (_, functions, body, line) => {
    expect(start(kernel(functions, body), { budget: 50_000 }).outcome).toMatchObject({
      kind: "budget-exceeded",
      file: "kernel.cu",
      line,
    });
  });

  it.each([
    ["an unknown function", "", "call nothing, ();", "refused: call nothing"],
    ["a kernel", ".entry other() { ret; }", "call other, ();", "refused: call other (a kernel)"],
    [
      "a pointer without a prototype",
      "",
      "call %rd0, ();",
      "refused: call (through a register, without a prototype)",
    ],
    [
      "a list of functions that do not exist",
      "",
      "about: .calltargets nothing; call %rd0, (), about;",
      "refused: call (through a register, without a prototype)",
    ],
    [
      "too few arguments",
      ".func f(.param .b32 a) { ret; }",
      "call f, ();",
      "refused: call (an argument is missing)",
    ],
    [
      "a global as an argument",
      ".func f(.param .b32 a) { ret; } .global .b32 g;",
      "call f, (g);",
      "refused: call (arguments not in .param variables)",
    ],
    [
      "an access behind a parameter",
      ".func f(.param .b32 a) { .reg .b64 %x; ld.param.u64 %x, [a]; ret; }",
      ".param .b32 a; call f, (a);",
      "refused: an access behind the end of a parameter",
    ],
    [
      "a misaligned access to a parameter",
      ".func f(.param .b64 a) { .reg .b32 %x; ld.param.u32 %x, [a+2]; ret; }",
      ".param .b64 a; call f, (a);",
      "refused: a misaligned access to a parameter",
    ],
    [
      "a huge parameter",
      ".func f(.param .b8 a[100000]) { ret; }",
      ".param .b8 a[100000]; call f, (a);",
      "refused: the parameter a has more than 65536 bytes",
    ],
  ])("refuses %s", (_, functions, body, reason) => {
    const parsed = parsePtx(kernel(functions, body));
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const compiled = compileKernel(parsed.value, "kernel", { counters: false, detectors: false });
    expect(compiled.ok ? "compiled" : compiled.problem.reason).toBe(reason);
  });
});

suite("names in PTX", () => {
  const real = `.func (.reg .b32 o) real(.reg .b32 a) { add.u32 o, a, 7; ret; }`;
  const prototype = ".func (.reg .b32 o) other(.reg .b32 a);";

  it.each([
    ["behind it", `${real} ${prototype} .alias other, real;`],
    ["before it", `${prototype} .alias other, real; ${real}`],
  ])("calls a function by its alias, defined %s", (_, functions) => {
    expect(
      wordsOf(
        kernel(functions, "call (%r0), other, (%r15); call (%r1), real, (%r0); add.u32 %r0, %r0, %r1;"),
      ),
    ).toEqual(every((thread) => 2 * thread + 21));
  });

  it("reaches a function through pointers to its alias, which has the same address", () => {
    const functions = `${real} ${prototype} .alias other, real; .global .u64 table[2] = {other, real};`;
    const body = `about: .callprototype (.reg .b32 o) _ (.reg .b32 a); mov.u64 %rd2, table; ld.global.u64 %rd3, [%rd2]; ld.global.u64 %rd4, [%rd2+8]; setp.eq.u64 %p1, %rd3, %rd4;
      call (%r0), %rd3, (%r15), about; mov.u64 %rd5, other; setp.eq.u64 %p2, %rd5, %rd4; @%p1 add.u32 %r0, %r0, 100; @%p2 add.u32 %r0, %r0, 1000;`;
    expect(wordsOf(kernel(functions, body))).toEqual(every((thread) => thread + 1107));
  });

  it.each([
    [
      "of nothing",
      `${prototype} .alias other, nothing;`,
      '"nothing" is no function with a body, so it can have no alias',
    ],
    [
      "with a body",
      `${real} ${real.replace("real", "other")} .alias other, real;`,
      '"other" is an alias and has a body',
    ],
  ])("does not read an alias %s", (_, functions, message) => {
    const parsed = parsePtx(kernel(functions, ""));
    expect(!parsed.ok && parsed.problem.message).toBe(message);
  });

  it("finds the labels of a branch table where it is declared", () => {
    const table = (first: number): string =>
      `{ ts: .branchtargets A, B; .reg .u32 i; and.b32 i, %r15, 1; brx.idx i, ts; A: add.u32 %r0, %r0, ${first}; bra E; B: add.u32 %r0, %r0, ${2 * first}; E: }`;
    expect(wordsOf(kernel("", `${table(10)} ${table(100)}`))).toEqual(
      every((thread) => ((thread & 1) === 0 ? 110 : 220)),
    );
  });
});
