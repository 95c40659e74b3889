import { readMachineCode } from "../cubin/index";
import { llvmRows } from "./llvm-rows";
import { machineColumns } from "./machine-columns";
import { ptxRows } from "./ptx-rows";
import type { CodeRow } from "./row";
import { tritonRows } from "./triton-rows";

/** The code of a kernel in one of its forms, whole. */
export interface CodeForm {
  /** Also the ending of a file of this form. */
  readonly form: "sass" | "ptx" | "llir" | "ttgir" | "ttir";
  readonly rows: readonly CodeRow[];
}

/** Code as the compilers left it. */
interface CodeTexts {
  readonly symbol: string;
  readonly ptx: string;
  readonly cubin: Uint8Array;
  readonly stages?: Readonly<Partial<Record<"ttir" | "ttgir" | "llir", string>>>;
}

/** Every form of a kernel's code, the machine's own first. A cubin that cannot be read has no such form. */
export function codeForms({ symbol, ptx, cubin, stages = {} }: CodeTexts): readonly CodeForm[] {
  const code = readMachineCode(cubin, symbol);
  const { llir, ttgir, ttir } = stages;
  return [
    ...(code.ok ? [{ form: "sass" as const, rows: machineColumns(code.value) }] : []),
    { form: "ptx", rows: ptxRows(ptx, symbol).map(indented) },
    ...(llir === undefined ? [] : [{ form: "llir" as const, rows: llvmRows(llir) }]),
    ...(ttgir === undefined ? [] : [{ form: "ttgir" as const, rows: tritonRows(ttgir) }]),
    ...(ttir === undefined ? [] : [{ form: "ttir" as const, rows: tritonRows(ttir) }]),
  ];
}

/** Labels stand out from instructions. */
function indented({ text, places }: CodeRow): CodeRow {
  return { text: text.endsWith(":") ? text : `    ${text}`, places };
}
