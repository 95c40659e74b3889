import { type Outcome, succeed } from "../../../../core/base/outcome";
import type { TritonConstant, TritonLaunchParameter } from "../../../../core/language/triton/launch-facts";
import type { ProbedKernel, TritonProber } from "../../../../core/ports/prober";
import type { DataType } from "../../../../core/workload/spec";
import { madeUpFloat } from "../../../../core/workload/probe/range-names";
import type { WorkloadRequest } from "../finders";
import { withFittingNumbers } from "./arguments/fitting-numbers";
import type { PlannedArgument } from "./arguments/planned-argument";

/** A parameter of the compiled kernel. */
type RuntimeParameter = Exclude<TritonLaunchParameter, TritonConstant>;

/** Compilations with other types of elements, where those of the text do not compile. */
const mostTypes = 5;

/** A compiled kernel, with what its parameters were taken for. */
export interface OpenedTriton {
  readonly compiled: ProbedKernel;
  readonly facts: readonly TritonLaunchParameter[];
}

/** The kernel compiled with the types of the text, else with whole numbers behind one of its pointers. */
export async function openTriton(
  prober: TritonProber,
  { request, tree }: { readonly request: WorkloadRequest; readonly tree: Readonly<Record<string, string>> },
  facts: readonly TritonLaunchParameter[],
): Promise<Outcome<OpenedTriton, string>> {
  const { file, kernel, target, signal } = request;
  const open = (tried: readonly TritonLaunchParameter[]): Promise<Outcome<ProbedKernel, string>> =>
    prober.open({
      ...{ tree, file, kernel, target, signal },
      isTuned: tried.some((each) => each.kind === "constant" && each.isTuned === true),
      parameters: tried.filter(isRuntime).map((each) => ({
        name: each.name,
        dtype: dtypeOf(each),
        isPointer: each.kind === "pointer",
      })),
      constants: Object.fromEntries(
        tried.flatMap((each) =>
          each.kind === "constant" && each.text !== undefined ? [[each.name, each.text]] : [],
        ),
      ),
    });
  const first = await open(facts);
  if (first.ok) return succeed({ compiled: first.value, facts });
  const floats = facts.filter((each) => each.kind === "pointer" && each.isConst && each.dtype === "float32");
  for (const pointer of floats.slice(0, mostTypes)) {
    const tried = facts.map((each) => (each === pointer ? { ...pointer, dtype: "int32" as const } : each));
    const again = await open(tried);
    if (again.ok) return succeed({ compiled: again.value, facts: tried });
  }
  return first;
}

/** Whether the compiled kernel takes a parameter. */
function isRuntime(parameter: TritonLaunchParameter): parameter is RuntimeParameter {
  return parameter.kind !== "constant";
}

/** The dtype of a number, or of the elements behind a pointer. */
function dtypeOf(parameter: RuntimeParameter): DataType {
  if (parameter.kind === "pointer") return parameter.dtype;
  return parameter.kind === "float" ? "float32" : "int32";
}

/** What the parameters of a Triton kernel get in a probe. */
export function plannedFor(
  facts: readonly TritonLaunchParameter[],
  source: Parameters<typeof withFittingNumbers>[1],
): readonly PlannedArgument[] {
  return withNumbersApart(withFittingNumbers(facts.filter(isRuntime).map(plannedParameter), source));
}

/** Numbers that nobody tells, each greater than those before it: a kernel may take one from another. */
function withNumbersApart(planned: readonly PlannedArgument[]): readonly PlannedArgument[] {
  const usual = madeUpFloat("");
  let count = 0;
  return planned.map((each) => {
    if (each.kind !== "value" || each.isMadeUp !== true || each.value !== usual) return each;
    count += 1;
    return { ...each, value: 1 - usual ** count };
  });
}

function plannedParameter(parameter: RuntimeParameter): PlannedArgument {
  const { name } = parameter;
  const dtype = dtypeOf(parameter);
  if (parameter.kind === "pointer")
    return { kind: "buffer", name, isConst: parameter.isConst, type: { dtype, width: 1 } };
  if (parameter.kind === "float")
    return { kind: "value", name, dtype, value: madeUpFloat(name), isMadeUp: true };
  return parameter.stride === "inner"
    ? { kind: "value", name, dtype, value: 1 }
    : { kind: "size", name, dtype };
}
