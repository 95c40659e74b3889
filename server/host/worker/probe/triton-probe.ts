import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { CodeOutcome, EvaluationTask } from "../../../core/ports/evaluator";
import type { ProbeArgument, ProbedKernel, TritonProbeSource } from "../../../core/ports/prober";
import { parsePtx } from "../../../core/vgpu/index";
import type { KernelSpec } from "../../../core/workload/spec";
import { describeDiagnostic } from "../../../core/words/describe";
import type { VirtualGpu } from "../gpu/virtual-gpu";
import { probedKernel } from "./probe-runs";

/** What compiles a task's baseline, and what launches it. */
interface TritonProbeMachine {
  readonly code: (task: EvaluationTask, signal: AbortSignal) => Promise<CodeOutcome>;
  readonly virtualGpu: VirtualGpu;
  readonly limitSeconds: number;
}

/** Neither 1 nor even: Triton compiles nothing into the code that holds for this number alone. */
const plainNumber = 1151;
const plainFloat = 0.5;

/**
 * Compiles a kernel through a launch of one program that is not run. After the kernel's own parameters
 * Triton's code takes addresses of scratch memory, of which the launches here have none.
 */
export async function openTritonProbe(
  { code, virtualGpu, limitSeconds }: TritonProbeMachine,
  source: TritonProbeSource,
): Promise<Outcome<ProbedKernel, string>> {
  const { kernel, parameters, tree, target, signal } = source;
  const compiled = await code(
    { ...{ specFolder: "", target, baseline: tree }, spec: specOf(source) },
    signal,
  );
  if (compiled.kind === "timed-out") return fail(`Triton took longer than ${compiled.limitSeconds} s`);
  if (compiled.kind === "did-not-compile") {
    const error = compiled.diagnostics.find((each) => each.severity === "error");
    return fail(`it does not compile: ${error === undefined ? "no message" : describeDiagnostic(error)}`);
  }
  if (compiled.kind === "did-not-run") return fail(compiled.reason);
  const found = compiled.kernels.find(({ symbol }) => symbol === kernel);
  if (found === undefined) return fail(`what it launches is not ${kernel}`);
  const module = parsePtx(found.ptx);
  if (!module.ok) return fail(`the virtual GPU cannot read its PTX: ${module.problem.message}`);
  const probed = probedKernel(
    module.value,
    { ptx: found.ptx, symbol: found.symbol, sharedBytes: 0, remark: undefined },
    (job) => virtualGpu.launch({ ...job, triton: true }, { signal, limitSeconds }),
  );
  const scratch = probed.parameters.length - parameters.length;
  if (scratch < 0) return fail("its compiled code takes fewer parameters than its text has");
  const none: readonly ProbeArgument[] = Array.from({ length: scratch }, () => ({
    ...{ kind: "scalar", value: 0, dtype: "int64" },
  }));
  return succeed({
    ...probed,
    parameters: probed.parameters.slice(0, parameters.length),
    run: (launch) => probed.run({ ...launch, arguments: [...launch.arguments, ...none] }),
  });
}

function specOf({ file, kernel, isTuned, parameters, constants }: TritonProbeSource): KernelSpec {
  const passed = parameters.map(({ name, dtype, isPointer }) => {
    if (isPointer) return name;
    return String(dtype.includes("float") ? plainFloat : plainNumber);
  });
  const named = Object.entries(constants).map(([name, text]) => `${name}=${text}`);
  const pointers = parameters.filter(({ isPointer }) => isPointer);
  return {
    file,
    kernel,
    dialect: "triton",
    run: {
      kind: "entry",
      entry: {
        call: `${file}::${kernel}${isTuned ? ".fn" : ""}[(1,)](${[...passed, ...named].join(", ")})`,
        arguments: [],
      },
    },
    inputs: Object.fromEntries(pointers.map(({ name, dtype }) => [name, { dtype, shape: [1] }])),
    outputs: {},
    shapes: [{ sizes: {} }],
    reference: { kind: "baseline" },
    objective: "modelled-bound",
  };
}
