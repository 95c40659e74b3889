import { describe, expect, it } from "vitest";
import { DeviceMemory, launch, parsePtx, compileKernel } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, compileText } from "../support";

/**
 * Runs one thread on a buffer of six 64-bit words that holds 1 to 6, and gives the outcome and the buffer.
 */
function run(body: string): { readonly outcome: string; readonly words: readonly bigint[] } {
  const memory = new DeviceMemory();
  const buffer = memory.allocate("buffer", 48, {
    initial: new Uint8Array(BigInt64Array.of(1n, 2n, 3n, 4n, 5n, 6n).buffer),
  });
  const text = snippet(
    ["u64"],
    `.reg .b128 %q<3>; .reg .b128 one; .shared .align 16 .b8 s[32]; ld.param.u64 %rd0, [p0]; ${body}`,
  );
  const { kind } = launch(compileText(text, "kernel"), {
    grid: [1, 1, 1],
    block: [1, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(buffer)],
    memory,
    instructionBudget: 1e4,
  });
  return { outcome: kind, words: [...new BigInt64Array(memory.read(buffer).buffer)] };
}

describe("registers of 128 bits", () => {
  it.each([
    [
      "are copied and cross shared memory",
      "ld.global.b128 %q0, [%rd0]; mov.b128 %q1, %q0; st.shared.b128 [s], %q1; ld.volatile.shared.b128 one, [s]; st.relaxed.gpu.global.b128 [%rd0+32], one;",
      [1n, 2n, 3n, 4n, 1n, 2n],
    ],
    [
      "are taken apart and put together",
      "ld.global.b128 %q2, [%rd0+16]; mov.b128 {%rd1, %rd2}, %q2; mov.b128 %q0, {%rd2, %rd1}; st.global.b128 [%rd0], %q0;",
      [4n, 3n, 3n, 4n, 5n, 6n],
    ],
    [
      "give one half",
      "ld.global.b128 %q2, [%rd0+16]; mov.b128 {%rd1, _}, %q2; mov.b128 {_, %rd2}, %q2; st.global.u64 [%rd0], %rd1; st.global.u64 [%rd0+8], %rd2;",
      [3n, 4n, 3n, 4n, 5n, 6n],
    ],
  ])("%s", (_, body, words) => {
    expect(run(body)).toEqual({ outcome: "completed", words });
  });

  it("lie at multiples of 16 bytes", () => {
    expect(run("ld.global.b128 %q0, [%rd0+8];").outcome).toBe("fault");
  });

  it("have no atomics before sm_90", () => {
    const parsed = parsePtx(
      snippet(["u64"], ".reg .b128 %q<3>; ld.param.u64 %rd0, [p0]; atom.global.exch.b128 %q0, [%rd0], %q1;"),
    );
    const compiled = parsed.ok
      ? compileKernel(parsed.value, "kernel", { counters: false, detectors: false })
      : parsed;
    expect(!compiled.ok && compiled.problem).toMatchObject({ reason: "refused: atom.global.exch.b128" });
  });
});
