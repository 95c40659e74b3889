import type { ProofWitness, WitnessSizes } from "../../../server/core/judge/proof";
import type { Finding } from "../../../server/core/judge/verdict";
import type { LaunchClass } from "../../../server/core/proof/launch-class";
import {
  compileKernel,
  DeviceMemory,
  type KernelArgument,
  launch,
  type PtxModule,
} from "../../../server/core/vgpu/index";

/**
 * A kernel over one index: `for (k = 0; k < rounds; k++) if (i < n - cut) y[a * i + b * k + c] = 0`, in a
 * grid that covers n; y has `extent` elements, which is linear in the sizes.
 */
export interface RandomKernel {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly cut: number;
  readonly isGuarded: boolean;
  /** A number of rounds, or the size m. */
  readonly rounds: number | "m";
  readonly perN: number;
  readonly perM: number;
  readonly more: number;
}

export const threads = 4;

/** The PTX of a kernel, with the loop turned round as compilers do. */
export function ptxOf({ a, b, c, cut, isGuarded, rounds }: RandomKernel): string {
  const guard = isGuarded
    ? [`sub.s32 %r6, %r1, ${cut};`, "setp.ge.s32 %p1, %r5, %r6;", "@%p1 bra DONE;"]
    : [];
  return `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 y, .param .u32 n, .param .u32 m) {
.reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<8>;
ld.param.u64 %rd1, [y];
ld.param.u32 %r1, [n];
ld.param.u32 %r2, [m];
mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %tid.x;
mad.lo.s32 %r5, %r3, ${threads}, %r4;
${guard.join("\n")}
${rounds === "m" ? "mov.u32 %r7, %r2;" : `mov.u32 %r7, ${rounds};`}
setp.lt.s32 %p2, %r7, 1;
@%p2 bra DONE;
mov.u32 %r8, 0;
mul.lo.s32 %r9, %r5, ${a};
add.s32 %r9, %r9, ${c};
cvta.to.global.u64 %rd2, %rd1;
LOOP:
mad.lo.s32 %r10, %r8, ${b}, %r9;
mul.wide.s32 %rd3, %r10, 4;
add.s64 %rd4, %rd2, %rd3;
st.global.u32 [%rd4], %r1;
add.s32 %r8, %r8, 1;
setp.lt.s32 %p3, %r8, %r7;
@%p3 bra LOOP;
DONE:
ret;
}
`;
}

/** The launches of a kernel, for all n and m. */
export function classOf({ perN, perM, more }: RandomKernel): LaunchClass {
  const scalar = (value: string): { value: string; dtype: "int32" } => ({ value, dtype: "int32" });
  return {
    spec: {
      kernel: "k",
      inputs: {},
      outputs: { y: { dtype: "int32", shape: [`${perN} * n + ${perM} * m + ${more}`] } },
      shapes: [{ sizes: { n: 1, m: 1 } }],
      run: { kind: "launch", launch: { arguments: ["y", scalar("n"), scalar("m")] } },
    },
    block: [threads],
    grid: [`ceil_div(n, ${threads})`],
    sharedBytes: 0,
  };
}

/**
 * Runs a kernel at some sizes on the virtual GPU; undefined where its buffer would have less than nothing.
 */
export function launcherOf(
  module: PtxModule,
  kernel: RandomKernel,
): (sizes: WitnessSizes) => readonly Finding[] | undefined {
  const compiled = compileKernel(module, "k", { counters: false, detectors: true });
  return ({ n = 1, m = 1 }) => {
    const extent = extentOf(kernel, n, m);
    if (!compiled.ok || extent < 0) return undefined;
    const memory = new DeviceMemory();
    const y = memory.allocate("y", 4 * extent);
    const scalar = (value: number): KernelArgument => ({
      kind: "bytes",
      value: new Uint8Array(new Int32Array([value]).buffer),
    });
    const outcome = launch(compiled.value, {
      grid: [Math.ceil(n / threads), 1, 1],
      block: [threads, 1, 1],
      dynamicSharedBytes: 0,
      memory,
      instructionBudget: 1e8,
      arguments: [{ kind: "address", value: y }, scalar(n), scalar(m)],
    });
    if (outcome.kind !== "fault") return [];
    const { kind, file = "", line = 0, message, block, thread } = outcome.finding;
    return [{ kind, file, line, message, ...(block && { block }), ...(thread && { thread }) }];
  };
}

/** Whether the thread of a witness leaves the buffer at its sizes, by reckoning alone. */
export function leavesWith(kernel: RandomKernel, { sizes, block, thread }: ProofWitness): boolean {
  const { n = 1, m = 1 } = sizes;
  const i = (block?.[0] ?? NaN) * threads + (thread?.[0] ?? NaN);
  return placesFor(kernel, i, n, m).some((place) => place < 0 || place >= extentOf(kernel, n, m));
}

function extentOf({ perN, perM, more }: RandomKernel, n: number, m: number): number {
  return perN * n + perM * m + more;
}

/** Sizes at which a kernel leaves its buffer, found by trying small ones; undefined where there are none. */
export function leavesAt(kernel: RandomKernel): { readonly n: number; readonly m: number } | undefined {
  for (let n = 1; n <= 10; n += 1)
    for (let m = 1; m <= 6; m += 1) {
      const extent = extentOf(kernel, n, m);
      if (extent >= 0 && placesOf(kernel, n, m).some((place) => place < 0 || place >= extent))
        return { n, m };
    }
  return undefined;
}

function placesOf(kernel: RandomKernel, n: number, m: number): readonly number[] {
  const all = Array.from({ length: Math.ceil(n / threads) * threads }, (_, i) => i);
  return all.flatMap((i) => placesFor(kernel, i, n, m));
}

/** What the thread with an index writes to. */
function placesFor(kernel: RandomKernel, i: number, n: number, m: number): readonly number[] {
  const { a, b, c, cut, isGuarded, rounds } = kernel;
  if (isGuarded && i >= n - cut) return [];
  const count = rounds === "m" ? m : rounds;
  return Array.from({ length: count }, (_, k) => a * i + b * k + c);
}

/** Numbers that look random and are the same in every run. */
export function drawer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function drawKernel(draw: (below: number) => number): RandomKernel {
  return {
    a: draw(4),
    b: draw(3),
    c: draw(4) - 1,
    cut: draw(3) - 1,
    isGuarded: draw(4) > 0,
    rounds: draw(2) === 0 ? "m" : draw(4),
    perN: draw(4),
    perM: draw(3),
    more: draw(5) - 1,
  };
}
