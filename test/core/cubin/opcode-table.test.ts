import { expect, test } from "vitest";
import { instructionClasses } from "../../../server/core/cubin";
import { operationsOf } from "../../../server/core/cubin/opcode-table";
import table from "../../../server/core/cubin/opcodes.json";

interface Row {
  readonly opcode: string;
  readonly name: string;
  readonly class: string;
  readonly form?: number;
  readonly from?: number;
  readonly until?: number;
}

const rows: readonly Row[] = table.instructions;

test("every row names nine bits, a mnemonic, a known class and a sensible range", () => {
  const faulty = rows.filter(
    (row) =>
      !/^[01][0-9a-f]{2}$/.test(row.opcode) ||
      !/^[A-Z][A-Z0-9_]*$/.test(row.name) ||
      !(instructionClasses as readonly string[]).includes(row.class) ||
      (row.form ?? 0) > 7 ||
      (row.from ?? 0) >= (row.until ?? Infinity),
  );
  expect(faulty).toEqual([]);
});

test("no two rows claim the same form of the same family on one architecture", () => {
  const clashes = [75, 80, 90, 100, 120].flatMap((architecture) => {
    const valid = rows.filter(
      (row) => architecture >= (row.from ?? 0) && architecture < (row.until ?? Infinity),
    );
    return valid.filter(
      (row, index) =>
        valid.findIndex((other) => other.opcode === row.opcode && other.form === row.form) !== index,
    );
  });
  expect(clashes).toEqual([]);
});

test.each([
  { architecture: 90, opcode: 0x381, name: "LDG", class: "load-global" },
  { architecture: 80, opcode: 0x235, name: "HFMA2", class: "fp16" },
  { architecture: 120, opcode: 0x235, name: "IADD", class: "integer" },
  { architecture: 80, opcode: 0x38c, name: "ATOMS", class: "atomic-shared" },
  { architecture: 80, opcode: 0xf8c, name: "ATOMS", class: "atomic-shared", joinsLanes: true },
  { architecture: 100, opcode: 0x24a, name: "FMUL2", class: "fp32" },
  { architecture: 120, opcode: 0x24a, name: "UVIMNMX", class: "uniform" },
  { architecture: 90, opcode: 0x9ab, name: "ERRBAR", class: "barrier" },
  { architecture: 90, opcode: 0x5ab, name: "CGAERRBAR", class: "barrier" },
  { architecture: 90, opcode: 0x0ff, name: "OP_0ff", class: "unknown" },
])("sm_$architecture reads $opcode as $name", ({ architecture, opcode, ...operation }) => {
  expect(operationsOf(architecture)[opcode]).toEqual(operation);
});
