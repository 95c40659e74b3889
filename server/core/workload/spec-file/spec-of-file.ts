import { at, known } from "../../base/known";
import { dialectOf, type KernelSpec, type ReferenceSpec } from "../spec";
import type { SpecFile } from "./shape";

/** What the entries of a spec file mean together. */
export function specOfFile(file: SpecFile): KernelSpec {
  const { inputs, outputs, shapes, pricedAt, tolerance, requires, objective, editable, program, origins } =
    file;
  return {
    ...kernelOf(file.kernel),
    run: runOf(file),
    inputs,
    outputs,
    shapes,
    ...(pricedAt === undefined ? {} : { pricedAt }),
    reference: referenceOf(file.reference),
    objective,
    ...(tolerance === undefined ? {} : { tolerance }),
    ...(requires === undefined ? {} : { requires }),
    ...(editable === undefined ? {} : { editable }),
    ...(program === undefined ? {} : { program }),
    ...(origins === undefined ? {} : { origins }),
  };
}

/** `FILE::NAME`; the name may hold further colons. */
function kernelOf(text: string): Pick<KernelSpec, "file" | "kernel" | "dialect"> {
  const file = at(text.split("::"), 0);
  const dialect = known(dialectOf(file), "the dialect of a kernel with a known ending");
  return { file, kernel: text.slice(`${file}::`.length), dialect };
}

function runOf({ launch, entry }: SpecFile): KernelSpec["run"] {
  if (launch !== undefined) return { kind: "launch", launch };
  const called = known(entry, "the entry of a spec without a launch");
  return { kind: "entry", entry: { ...called, arguments: called.arguments ?? [] } };
}

function referenceOf(reference: SpecFile["reference"]): ReferenceSpec {
  if (reference === "baseline") return { kind: "baseline" };
  if (typeof reference === "string") return { kind: "callable", callable: reference };
  return { kind: "expression", expressions: reference.expressions };
}
