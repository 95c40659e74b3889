import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import type { CudaLaunchFacts, LaunchParameter } from "../../../../core/language/cuda/launch/launch-facts";
import { instanceDataType } from "../../../../core/workload/build/instance";
import type { ProbedKernel, ProbeParameter } from "../../../../core/ports/prober";
import type { DataType } from "../../../../core/workload/spec";
import type { PlannedArgument } from "./probe-session";

/** Any number will do for a parameter of a floating type; this one is not neutral in a product or a sum. */
const floatValue = 0.5;

const wholeByBytes: Readonly<Record<number, DataType>> = { 1: "int8", 2: "int16", 4: "int32", 8: "int64" };
const floatByBytes: Readonly<Record<number, DataType>> = { 2: "float16", 4: "float32", 8: "float64" };

/**
 * What each parameter gets in a probe. Types come from the text, and where it does not tell, from the
 * compiled code. The problem names a parameter that no spec can pass.
 */
export function planArguments(
  { parameters }: CudaLaunchFacts,
  { parameters: compiled, instance }: Pick<ProbedKernel, "parameters" | "instance">,
): Outcome<readonly PlannedArgument[], string> {
  if (parameters.length !== compiled.length)
    return fail(`the text has ${parameters.length} parameters, the compiled kernel ${compiled.length}`);
  const planned: PlannedArgument[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const argument = planArgument(withType(parameter, instance), compiled[index]);
    if (argument === undefined)
      return fail(
        `the parameter ${parameter.name} has the type ${parameter.type}, a structure, which a kernel spec can pass only as fixed bytes`,
      );
    planned.push(argument);
  }
  return succeed(planned);
}

/** A parameter whose type is the template's, with the type of the instance. */
function withType(parameter: LaunchParameter, instance: readonly string[]): LaunchParameter {
  const dtype = instanceDataType(instance[parameter.typeArgument ?? -1] ?? "");
  if (dtype === undefined) return parameter;
  return parameter.isPointer ? { ...parameter, element: { dtype, width: 1 } } : { ...parameter, dtype };
}

function planArgument(
  { name, isPointer, isConst, element, dtype, passed }: LaunchParameter,
  compiled: ProbeParameter | undefined,
): PlannedArgument | undefined {
  if (isPointer) return { kind: "buffer", name, isConst, type: element ?? { dtype: "float32", width: 1 } };
  const { kind = "integer", bytes = 4 } = compiled ?? {};
  if (kind === "bytes") return undefined;
  if (dtype === "bool") return { kind: "value", name, dtype, value: passed ?? 1 };
  const isFloat = dtype === undefined ? kind === "float" : dtype.includes("float");
  const byBytes = isFloat ? floatByBytes : wholeByBytes;
  const known = dtype ?? byBytes[bytes] ?? "int32";
  return isFloat
    ? { kind: "value", name, dtype: known, value: passed ?? floatValue }
    : { kind: "size", name, dtype: known };
}
