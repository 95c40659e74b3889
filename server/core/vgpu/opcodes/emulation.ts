import type { MachineWork } from "../../timing/execution/machine-work";
import table from "./emulation.json";
import type { Matched } from "./table";

interface Row {
  readonly opcodes: readonly string[];
  readonly types: readonly string[];
  /** The half of a product that is asked for. */
  readonly part?: string;
  /** Only the exact form, which names how it is rounded. */
  readonly rounded?: boolean;
  readonly work: Partial<MachineWork>;
}

const rows: readonly Row[] = table.rows;

/** Machine instructions that an instruction takes beyond one; undefined for what a GPU has itself. */
export function emulationOf({ instruction, modifiers, types }: Matched): Partial<MachineWork> | undefined {
  const row = rows.find(
    ({ opcodes, types: names, part, rounded }) =>
      opcodes.includes(instruction.opcode) &&
      types.type !== undefined &&
      names.includes(types.type.name) &&
      (part === undefined || modifiers.part === part) &&
      (rounded !== true || modifiers["rounding"] !== undefined),
  );
  return row?.work;
}
