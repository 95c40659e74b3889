import { describe, expect, it } from "vitest";
import {
  DeviceMemory,
  type KernelFinding,
  type LaunchRequest,
  launch,
} from "../../../../server/core/vgpu/index";
import { expectCase } from "../../../harness/cases";
import { snippet } from "../snippets";
import { address, compileText } from "../support";

interface Case extends Partial<LaunchRequest> {
  readonly body: string;
}

const tile = ".shared .align 16 .b8 tile[256];";
const start =
  "ld.param.u64 %rd0, [p0]; ld.param.u64 %rd9, [p1]; mov.u32 %r0, %tid.x; mov.u32 %r4, tile; mad.lo.u32 %r4, %r0, 4, %r4;";

/**
 * Kernels of 64 threads with one bug each, on 256 bytes called "data" (written) and 64 called "gone" (freed).
 */
const cases: Readonly<Record<string, Case>> = {
  "out of bounds": { body: ".loc 1 4 1\nmad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1+64], %r0;" },
  "out of bounds of shared memory": { body: ".loc 1 4 1\nld.shared.u32 %r1, [%r4+4];" },
  "through null": { block: [1, 1, 1], body: ".loc 1 4 1\nmov.u64 %rd1, 8; ld.global.u32 %r1, [%rd1];" },
  "at an address of the host's": {
    block: [1, 1, 1],
    body: ".loc 1 4 1\nmov.u64 %rd1, 0x7f0012345678; st.global.u32 [%rd1], %r0;",
  },
  "in inlined code": {
    block: [1, 1, 1],
    body: ".loc 1 4 1\n.loc 2 7 5, function_name $name, inlined_at 1 4 1\nld.global.u32 %r1, [%rd0+256];",
  },
  "use after free": { block: [2, 1, 1], body: ".loc 1 4 1\natom.global.add.u32 %r1, [%rd9+4], 1;" },
  misaligned: { block: [1, 1, 1], body: ".loc 1 4 1\nld.global.u64 %rd1, [%rd0+4];" },
  "uninitialised read": {
    block: [32, 1, 1],
    body: ".loc 1 4 1\nld.shared.u32 %r1, [%r4]; add.u32 %r1, %r1, 1;",
  },
  "a race of lanes": {
    block: [32, 1, 1],
    body: ".loc 1 4 1\nst.shared.u32 [%r4], %r0;\n.loc 2 5 1\nxor.b32 %r1, %r4, 4; ld.shared.u32 %r2, [%r1];",
  },
  "a race of warps": {
    body: ".loc 1 4 1\nst.shared.u32 [%r4], %r0;\n.loc 1 5 1\nxor.b32 %r1, %r4, 128; ld.shared.u32 %r2, [%r1];",
  },
  "a race of blocks": {
    grid: [2, 1, 1],
    block: [1, 1, 1],
    body: ".loc 1 4 1\nmov.u32 %r1, %ctaid.x; st.global.u32 [%rd0], %r1;",
  },
  "an asynchronous copy": {
    block: [32, 1, 1],
    body: ".loc 1 4 1\nmul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1; cp.async.ca.shared.global [%r4], [%rd1], 4;\n.loc 1 5 1\nld.shared.u32 %r1, [%r4];",
  },
  "a divergent barrier": {
    block: [32, 1, 1],
    body: ".loc 1 4 1\nsetp.lt.u32 %p0, %r0, 7; @%p0 bra $a;\n.loc 1 5 1\nbar.sync 0; bra.uni $b;\n.loc 1 6 1\n$a: bar.sync 0; $b:",
  },
  "a barrier that some never reach": {
    body: "setp.lt.u32 %p0, %r0, 32; @%p0 bra $a;\n.loc 1 5 1\nbar.sync 1;\n.loc 1 6 1\n$a: bar.sync 0;",
  },
  "a barrier for more than there are": { body: ".loc 1 4 1\nbar.sync 1, 96;" },
  "a wait for what nobody does": {
    block: [1, 1, 1],
    body: ".loc 1 4 1\n$wait: ld.volatile.global.u32 %r1, [%rd0]; setp.ne.u32 %p0, %r1, 5; @%p0 bra $wait;",
  },
  "a wait for a plain variable": {
    block: [1, 1, 1],
    body: ".loc 1 4 1\nld.global.u32 %r1, [%rd0];\n$wait: bra.uni $wait;",
  },
  "a mask without its lane": {
    block: [32, 1, 1],
    body: ".loc 1 4 1\nshfl.sync.idx.b32 %r1, %r0, 0, 31, 0xff;",
  },
  "a mask with lanes that never come": {
    block: [32, 1, 1],
    body: "setp.lt.u32 %p0, %r0, 7; @%p0 bra $a;\n.loc 1 5 1\nshfl.sync.idx.b32 %r1, %r0, 0, 31, -1; bra.uni $b;\n.loc 1 6 1\n$a: bar.warp.sync -1; $b:",
  },
  "a shuffle from a lane that has exited": {
    block: [32, 1, 1],
    body: "setp.ge.u32 %p0, %r0, 20; @%p0 bra $a;\n.loc 1 5 1\nshfl.sync.down.b32 %r1, %r0, 16, 31, -1; $a:",
  },
  "a shuffle from a lane that the block lacks or the mask leaves out": {
    block: [33, 1, 1],
    body: "setp.lt.u32 %p0, %r0, 32; @%p0 bra $a;\n.loc 1 5 1\nshfl.sync.idx.b32 %r1, %r0, 1, 31, -1; ret;\n$a: setp.gt.u32 %p0, %r0, 7; @%p0 bra $b;\n.loc 1 6 1\nshfl.sync.bfly.b32 %r1, %r0, 8, 31, 0xff;\n$b: bar.warp.sync -1;",
  },
  "never written": { block: [1, 1, 1], body: "st.global.u32 [%rd0], 1;" },
  "beyond the limits": { block: [2048, 1, 1], body: "" },
};

/** Fields that a kind has no use for; all others have to be there. */
const without: Readonly<Record<string, readonly string[]>> = {
  "never-written": ["file", "line", "block", "thread"],
  "invalid-launch": ["file", "line", "block", "thread", "address"],
};
const places = [
  "out-of-bounds",
  "use-after-free",
  "misaligned",
  "uninitialized-read",
  "shared-race",
  "global-race",
  "never-written",
];
const parties = ["shared-race", "global-race", "divergent-barrier"];

function findingsOf(name: string, { body, ...request }: Case): readonly KernelFinding[] {
  const memory = new DeviceMemory();
  const isOutput = name === "never written";
  const data = memory.allocate("data", 256, isOutput ? {} : { initial: new Uint8Array(256) });
  const gone = memory.allocate("gone", 64);
  memory.free(gone);
  const kernel = compileText(snippet(["u64", "u64"], `${start}\n${body}`, tile), "kernel", {
    detectors: true,
  });
  const outcome = launch(kernel, {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [address(data), address(gone)],
    memory,
    instructionBudget: 1e6,
    faults: "report",
    ...request,
    ...(isOutput ? { outputs: [data] } : {}),
  });
  if (outcome.kind === "fault") return [...outcome.findings, outcome.finding];
  if (outcome.kind !== "completed") throw new Error(outcome.kind);
  return outcome.findings;
}

describe("every finding", () => {
  it.each(Object.entries(cases))(
    "of %s says where, who, at what address, against whom and how often",
    (name, each) => {
      const findings = findingsOf(name, each);
      expect(findings.length).toBeGreaterThan(0);
      for (const finding of findings) {
        const wanted = [
          "file",
          "line",
          "block",
          "thread",
          ...(places.includes(finding.kind) ? ["address"] : []),
        ].filter((field) => without[finding.kind]?.includes(field) !== true);
        expect(wanted.filter((field) => !(field in finding))).toEqual([]);
        if (parties.includes(finding.kind))
          expect(Object.keys(finding.other ?? {})).toEqual(
            expect.arrayContaining(["access", "file", "line", "block", "thread"]),
          );
        expect(finding.message.endsWith(`; ${finding.count} times`)).toBe(finding.count > 1);
      }
    },
  );

  it("reads as it should", () => {
    expectCase(
      "vgpu/findings.json",
      Object.fromEntries(
        Object.entries(cases).map(([name, each]) => [
          name,
          findingsOf(name, each).map(
            ({ message, file = "", line = 0, other }) =>
              `${file}:${line}: ${message}${other ? ` [${other.access} at ${other.file ?? ""}:${other.line ?? 0}]` : ""}`,
          ),
        ]),
      ),
    );
  });
});
