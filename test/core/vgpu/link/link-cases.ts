import { gives, declared, called, kernel, zeros } from "./link-modules";

// What is right follows from the PTX ISA, section 11.6 (linking directives), and from what the toolkit's own
// linker does.
/**
 * Modules, and the outcome of linking and running them. Expected outcomes follow the PTX ISA, section 11.6
 * (linking directives), and the toolkit's own linker.
 */
export const cases: readonly {
  readonly title: string;
  readonly parts: readonly string[];
  readonly outcome: string;
}[] = [
  {
    title: "a function and a variable of another module",
    parts: [
      `${declared("f")}.extern .global .align 4 .u32 v;${kernel(`${zeros} ${called("f", "%r1")} ld.global.u32 %r2, [v];`)}`,
      `.visible .global .align 4 .u32 v = 7;${gives(".visible", "f", "v")}`,
    ],
    outcome: "7 7 0 0",
  },
  {
    title: "the definition stands before the declaration",
    parts: [gives(".visible", "f", 5), `${declared("f")}${kernel(`${zeros} ${called("f", "%r3")}`)}`],
    outcome: "0 0 5 0",
  },
  {
    title: "names that two modules keep to themselves",
    parts: [
      `${declared("f")}.global .u32 v = 1;${gives("", "h", "v")}${kernel(`${zeros} ${called("h", "%r1")} ${called("f", "%r2")} ld.global.u32 %r3, [v];`)}`,
      `.global .u32 v = 2;${gives("", "h", "v")}.visible .func (.param .b32 r) f() { .reg .b32 %r1; ${called("h", "%r1")} st.param.b32 [r], %r1; ret; }`,
    ],
    outcome: "1 2 1 0",
  },
  {
    title: "a name of one module's own that another module shares",
    parts: [
      `.global .u32 v = 1;${declared("f")}${kernel(`${zeros} ${called("f", "%r1")} ld.global.u32 %r2, [v];`)}`,
      `.visible .global .u32 v = 9;${gives(".visible", "f", "v")}`,
    ],
    outcome: "9 1 0 0",
  },
  {
    title: "a strong definition takes the place of a weak one before it",
    parts: [
      `${gives(".weak", "f", 1)}${kernel(`${zeros} ${called("f", "%r1")}`)}`,
      gives(".visible", "f", 2),
    ],
    outcome: "2 0 0 0",
  },
  {
    title: "and of a weak one behind it",
    parts: [
      `${gives(".visible", "f", 2)}${kernel(`${zeros} ${called("f", "%r1")}`)}`,
      gives(".weak", "f", 1),
    ],
    outcome: "2 0 0 0",
  },
  {
    title: "the first of two weak definitions, with its own helper",
    parts: [
      `${declared("g")}.global .u32 v = 4;${gives(".weak", "f", "v")}${kernel(`${zeros} ${called("f", "%r1")} ${called("g", "%r2")}`)}`,
      `.global .u32 v = 6;${gives(".weak", "f", "v")}${gives(".visible", "g", "v")}`,
    ],
    outcome: "4 6 0 0",
  },
  {
    title: "a common variable is as large as its largest, and the definition counts",
    parts: [
      `.common .global .align 4 .b8 v[4];${kernel(`${zeros} ld.global.u32 %r1, [v+12];`)}`,
      ".common .global .align 8 .b8 v[16];",
    ],
    outcome: "0 0 0 0",
  },
  {
    title: "a definition of a name that is common elsewhere",
    parts: [
      `.common .global .u32 v;${kernel(`${zeros} ld.global.u32 %r1, [v];`)}`,
      ".visible .global .u32 v = 3;",
    ],
    outcome: "3 0 0 0",
  },
  {
    title: "an array of a size that is not declared",
    parts: [
      `.extern .const .align 4 .b8 v[];${kernel(`${zeros} ld.const.u32 %r1, [v+4];`)}`,
      ".visible .const .align 4 .u32 v[2] = {1, 8};",
    ],
    outcome: "8 0 0 0",
  },
  {
    title: "addresses of functions and variables in initial values",
    parts: [
      `${declared("f")}.extern .global .u32 v[4]; .global .u64 p[2] = {f, generic(v)+8};
       ${kernel(`${zeros} ld.global.u64 %d2, [p]; { .param .b32 r0; proto: .callprototype (.param .b32 _) _ (); call (r0), %d2, (), proto; ld.param.b32 %r1, [r0]; } ld.global.u64 %d3, [p+8]; ld.u32 %r2, [%d3];`)}`,
      `.visible .global .u32 v[4] = {10, 20, 30, 40};${gives(".visible", "f", 6)}`,
    ],
    outcome: "6 30 0 0",
  },
  {
    title: "variables that hold each other's addresses",
    parts: [
      `.extern .global .u64 q; .visible .global .u64 p = q;${kernel(`${zeros} ld.global.u64 %d2, [p]; ld.global.u64 %d3, [%d2]; ld.global.u64 %d4, [%d3]; setp.eq.u64 %q1, %d2, %d4; selp.u32 %r1, 1, 0, %q1;`).replace(".reg .b64", ".reg .pred %q<2>; .reg .b64")}`,
      ".extern .global .u64 p; .visible .global .u64 q = p;",
    ],
    outcome: "1 0 0 0",
  },
  {
    title: "dynamic shared memory is one, arrays of functions are their own",
    parts: [
      `.extern .shared .align 4 .b8 d[];${declared("f")}
       ${kernel(`.shared .align 4 .b8 s[4]; ${zeros} mov.u32 %r5, 11; st.shared.u32 [d], %r5; st.shared.u32 [s], %r5; ${called("f", "%r1")} ld.shared.u32 %r2, [d]; ld.shared.u32 %r3, [s];`)}`,
      ".extern .shared .align 16 .b8 d[]; .visible .func (.param .b32 r) f() { .shared .align 4 .b8 s[4]; .reg .b32 %r<3>; ld.shared.u32 %r1, [d]; add.u32 %r2, %r1, 1; st.shared.u32 [d], %r2; st.shared.u32 [s], %r2; st.param.b32 [r], %r1; ret; }",
    ],
    outcome: "11 12 11 0",
  },
  {
    title: "labels, parameters and registers hide what is outside of a function",
    parts: [
      `.visible .global .u32 out = 1; .visible .global .u32 done = 2; ${kernel(`${zeros} bra done; done: mov.u32 %r1, 5;`)}`,
      ".global .u32 out = 3; .global .u32 done = 4;",
    ],
    outcome: "5 0 0 0",
  },
  {
    title: "another name of a function",
    parts: [
      `${declared("g")}${kernel(`${zeros} ${called("g", "%r1")}`)}`,
      `${gives("", "f", 8)}.visible .func (.param .b32 r) g(); .alias g, f;`,
      gives("", "f", 9),
    ],
    outcome: "8 0 0 0",
  },
  {
    title: "functions of two modules that call each other",
    parts: [
      `.extern .func (.param .b32 r) f(.param .b32 n); .visible .func (.param .b32 r) g(.param .b32 n) { .reg .b32 %r<3>; ld.param.b32 %r1, [n]; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), f, (a); ld.param.b32 %r2, [b]; } add.u32 %r2, %r2, 10; st.param.b32 [r], %r2; ret; }
       ${kernel(`${zeros} mov.u32 %r5, 3; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r5; call.uni (b), g, (a); ld.param.b32 %r1, [b]; }`)}`,
      ".extern .func (.param .b32 r) g(.param .b32 n); .visible .func (.param .b32 r) f(.param .b32 n) { .reg .pred %p1; .reg .b32 %r<4>; ld.param.b32 %r1, [n]; mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra end; sub.u32 %r3, %r1, 1; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call.uni (b), g, (a); ld.param.b32 %r2, [b]; } end: st.param.b32 [r], %r2; ret; }",
    ],
    outcome: "40 0 0 0",
  },
  {
    title: "what the driver provides",
    parts: [
      `.extern .func (.param .b64 r) malloc(.param .b64 n);${kernel(`${zeros} { .param .b64 a; .param .b64 b; st.param.b64 [a], 16; call.uni (b), malloc, (a); ld.param.b64 %d2, [b]; } st.global.u32 [%d2], 4; ld.global.u32 %r1, [%d2];`).replace("st.global.u32 [%d2], 4;", "mov.u32 %r5, 4; st.global.u32 [%d2], %r5;")}`,
    ],
    outcome: "4 0 0 0",
  },
  {
    title: "a declaration that nothing uses",
    parts: [`${declared("nowhere")}.extern .global .u32 none;${kernel(zeros)}`],
    outcome: "0 0 0 0",
  },
  {
    title: "a declaration behind the definition in one module",
    parts: [
      `${gives(".visible", "f", 5)}.func (.param .b32 r) f(); .visible .global .u32 v = 2; .extern .global .u32 v; ${kernel(`${zeros} ${called("f", "%r1")} ld.global.u32 %r2, [v];`)}`,
    ],
    outcome: "5 2 0 0",
  },
  {
    title: "two definitions of a function",
    parts: [gives(".visible", "f", 1), kernel(zeros), gives(".visible", "f", 1)],
    outcome:
      "f is defined in a.cu and again in c.cu: define it in one file and declare it extern in the others",
  },
  {
    title: "two definitions of a variable",
    parts: [`.visible .global .u32 v;${kernel(zeros)}`, ".visible .global .u32 v = 1;"],
    outcome:
      "v is defined in a.cu and again in b.cu: define it in one file and declare it extern in the others",
  },
  {
    title: "two kernels of one name",
    parts: [kernel(zeros), kernel(zeros)],
    outcome:
      "k is defined in a.cu and again in b.cu: define it in one file and declare it extern in the others",
  },
  {
    title: "a function that nobody defines",
    parts: [gives(".visible", "f", 1), `${declared("g")}${kernel(`${zeros} ${called("g", "%r1")}`)}`],
    outcome: "g is used in b.cu and defined in no file: name the source or object that defines it",
  },
  {
    title: "a variable that nobody defines",
    parts: [`.extern .global .u32 v;${kernel(`${zeros} ld.global.u32 %r1, [v];`)}`],
    outcome: "v is used in a.cu and defined in no file: name the source or object that defines it",
  },
  {
    title: "an address in an initial value that nobody defines",
    parts: [`.extern .global .u32 v; .global .u64 p = v;${kernel(zeros)}`],
    outcome: "v is used in a.cu and defined in no file: name the source or object that defines it",
  },
  {
    title: "an address of nothing that is declared",
    parts: [`.global .u64 p = nothing;${kernel(zeros)}`],
    outcome: "0 0 0 0",
  },
  {
    title: "shared memory of a size that nobody defines",
    parts: [`.extern .shared .align 4 .b8 s[8];${kernel(`${zeros} ld.shared.u32 %r1, [s];`)}`],
    outcome: "s is used in a.cu and defined in no file: name the source or object that defines it",
  },
  {
    title: "a variable and a function of one name",
    parts: [`.extern .global .u32 f;${kernel(zeros)}`, gives(".visible", "f", 1)],
    outcome: "f is a variable in global memory in a.cu and a device function in b.cu",
  },
  {
    title: "a kernel and a function of one name",
    parts: [`.extern .func k();`, kernel(zeros)],
    outcome: "k is a device function in a.cu and a kernel in b.cu",
  },
  {
    title: "a variable in two memories",
    parts: [`.extern .global .u32 v;${kernel(zeros)}`, ".visible .const .u32 v = 1;"],
    outcome: "v is a variable in global memory in a.cu and a variable in const memory in b.cu",
  },
  {
    title: "a variable of two sizes",
    parts: [`.extern .global .align 4 .b8 v[12];${kernel(zeros)}`, ".visible .global .align 4 .b8 v[16];"],
    outcome: "v has 12 bytes in a.cu and 16 bytes in b.cu: declare it in both as it is defined",
  },
  {
    title: "a function with other parameters",
    parts: [`.extern .func (.param .b32 r) f(.param .b32 x);${kernel(zeros)}`, gives(".visible", "f", 1)],
    outcome: "f takes or gives other values in a.cu than in b.cu: declare it in both as it is defined",
  },
  {
    title: "a function with another result",
    parts: [`.extern .func (.param .b64 r) f();${kernel(zeros)}`, gives(".visible", "f", 1)],
    outcome: "f takes or gives other values in a.cu than in b.cu: declare it in both as it is defined",
  },
];
