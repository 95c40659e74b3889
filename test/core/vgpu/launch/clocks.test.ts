import { describe as suite, expect, it } from "vitest";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { address, bytesOf, compileText, run as launchWhole } from "../support";

const names = ["%clock", "%clock64", "%globaltimer"] as const;
const start =
  "ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 8; add.u64 %rd1, %rd0, %rd1;";

/** What 64 threads leave in 64 bits each. */
function left(body: string, instructionBudget: number): readonly bigint[] {
  const memory = new DeviceMemory();
  const words = new BigUint64Array(64);
  const data = memory.allocate("data", words.byteLength, { initial: bytesOf(words) });
  launchWhole(compileText(snippet(["u64"], `${start}\n${body}`), "kernel"), {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    arguments: [address(data)],
    memory,
    instructionBudget,
  });
  return [...new BigUint64Array(memory.read(data).slice().buffer)];
}

/** PTX ISA section 10 (%clock, %clock64, %globaltimer). */
suite.each(names)("%s", (name) => {
  const read = (register: number): string =>
    name === "%clock"
      ? `mov.u32 %r${register}, ${name}; cvt.u64.u32 %rd${register}, %r${register};`
      : `mov.u64 %rd${register}, ${name};`;

  it("goes on between two readings with no branch between, by the same for all lanes", () => {
    const spans = left(
      `${read(10)} add.u32 %r0, %r0, 1; ${read(11)} sub.u64 %rd12, %rd11, %rd10; st.global.u64 [%rd1], %rd12;`,
      1e4,
    );
    expect(new Set(spans).size).toBe(1);
    expect(Number(spans[0])).toBeGreaterThan(2);
  });

  it("lets a loop that only waits end after far fewer instructions than it waits for", () => {
    const waited = left(
      `${read(10)} $l: ${read(11)} sub.u64 %rd12, %rd11, %rd10; setp.lt.u64 %p0, %rd12, 100000; @%p0 bra $l; st.global.u64 [%rd1], %rd12;`,
      400_000,
    );
    for (const each of waited) expect(Number(each)).toBeGreaterThanOrEqual(100_000);
  });
});
