import { describe as suite, expect, it } from "vitest";
import { DeviceMemory, launch } from "../../../../server/core/vgpu/index";
import { type Case, findings, messages } from "../races/race-findings";
import { snippet } from "../snippets";
import { address, compileText } from "../support";

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
