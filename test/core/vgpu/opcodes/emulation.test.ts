import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readMachineCode } from "../../../../server/core/cubin/index";
import { noCounters } from "../../../../server/core/timing/counters";
import { type MachineWork, noMachineWork } from "../../../../server/core/timing/execution/machine-work";
import { modelledBound } from "../../../../server/core/timing/bound";
import { defaultGpu } from "../../../../server/core/timing/gpu-model";
import table from "../../../../server/core/vgpu/opcodes/emulation.json";
import { DeviceMemory } from "../../../../server/core/vgpu/index";
import { assemble } from "../../cubin/reference";
import { address, compileText, run } from "../support";

/** Of operations that do not have two. */
const operandCounts: Readonly<Record<string, number>> = { rcp: 1, sqrt: 1, mad: 3 };

/** One instruction of each row, with what its operands are. */
const shown = table.rows.map(({ opcodes, types, ...row }) => {
  const [opcode, type] = [opcodes[0] ?? "", types[0] ?? ""];
  const part = "part" in row ? `.${row.part}` : "";
  return {
    instruction: `${opcode}${part}${"rounded" in row ? ".rn" : ""}.${type}`,
    type,
    operands: operandCounts[opcode] ?? 2,
    work: row.work.instructions,
    // Slow paths for odd numbers stand in the code and do not run.
    hasSlowPath: "rounded" in row,
  };
});

function entry(name: string, type: string, body: string): string {
  return `.visible .entry ${name}(.param .u64 p) {
  .reg .b64 %a<4>; .reg .${type} %v<5>; .reg .b32 %t<2>;
  ld.param.u64 %a1, [p]; mov.u32 %t1, %tid.x; mul.wide.u32 %a2, %t1, 64; add.u64 %a1, %a1, %a2;
  ld.global.${type} %v1, [%a1]; ld.global.${type} %v2, [%a1+8]; ld.global.${type} %v3, [%a1+16];
  ${body}
  st.global.${type} [%a1], %v4; ret;
}`;
}

const header = ".version 8.0\n.target sm_80\n.address_size 64\n";

test("what a GPU has no instruction for counts as the machine code that ptxas makes of it", () => {
  const folder = mkdtempSync(join(tmpdir(), "emulation-"));
  const file = join(folder, "rows.ptx");
  const entries = shown.flatMap(({ instruction, type, operands }, row) => {
    const given = Array.from({ length: operands }, (_, n) => `%v${n + 1}`).join(", ");
    const kept = Array.from({ length: operands - 1 }, () => `add.${type} %v4, %v4, %v3;`);
    const plain = `add.${type} %v4, %v1, %v2; ${kept.join(" ")}`;
    return [entry(`row${row}`, type, `${instruction} %v4, ${given};`), entry(`none${row}`, type, plain)];
  });
  writeFileSync(file, header + entries.join("\n"));
  const { bytes } = assemble(file, "sm_80");
  rmSync(folder, { recursive: true });
  const length = (kernel: string): number => {
    const code = readMachineCode(bytes, kernel);
    if (!code.ok) throw new Error(code.problem.message);
    return code.value.instructions.filter(({ operation }) => operation.name !== "NOP").length;
  };
  const wrong = shown.flatMap(({ instruction, work, hasSlowPath }, row) => {
    const written = length(`row${row}`) - length(`none${row}`);
    const isClose = hasSlowPath ? work < written : Math.abs(written - work) <= 2 + 0.25 * written;
    return isClose ? [] : [`${instruction}: ${work}, ptxas writes ${written}`];
  });
  expect(wrong).toEqual([]);
});

test("sleep is counted by its nanoseconds, and not in loops that wait for others", () => {
  const body = (type: string, sleep: string): string => entry("k", type, `mov.u32 %v4, %v1; ${sleep}`);
  const waiting = `again: ld.volatile.global.u32 %v3, [%a1]; nanosleep.u32 900;
    .reg .pred %q; setp.eq.u32 %q, %v3, 77; @%q bra again;`;
  const sleeps = [
    "nanosleep.u32 5000;",
    ".reg .b32 %n; mov.u32 %n, 200; nanosleep.u32 %n;",
    "add.u32 %v2, %v1, 3; nanosleep.u32 %v2;",
    waiting,
  ].map((sleep) => {
    const memory = new DeviceMemory();
    const code = compileText(header + body("u32", sleep), "k", { counters: true });
    const buffer = address(memory.allocate("p", 32 * 64));
    const { counters } = run(code, {
      ...{ grid: [1, 1, 1], block: [32, 1, 1], memory },
      arguments: [buffer].filter((each) => each !== undefined),
    });
    return counters?.totals.machine?.sleptNanoseconds;
  });
  expect(sleeps).toEqual([5000, 200, 1_000_000, undefined]);
});

test("hidden work costs time: its instructions, and sleep of all warps that are there at once", () => {
  const shape = {
    blocks: 108,
    threadsPerBlock: 256,
    registersPerThread: 32,
    sharedBytes: 0,
    footprintBytes: 0,
  };
  const bound = (machine: Partial<MachineWork>): number => {
    const counters = { ...noCounters(), machine: { ...noMachineWork, ...machine } };
    return modelledBound([{ ...shape, counters }], defaultGpu("sm_80")).nanoseconds;
  };
  // Eight warps on each of 108 multiprocessors.
  expect([
    Math.round(bound({ sleptNanoseconds: 8 * 108 * 3000 })),
    bound({ instructions: 8640 }) > bound({ instructions: 864 }),
    bound({ fp64: 8640 }) > bound({ instructions: 8640 }),
  ]).toEqual([3000, true, true]);
});
