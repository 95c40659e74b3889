import { verdictOfCompile } from "../../../core/agent/verdict-of";
import { known } from "../../../core/base/known";
import { OperationalError } from "../../../core/base/operational-error";
import { formatName, readableName } from "../../../core/base/symbols/symbol-name";
import { codeForms } from "../../../core/listing/index";
import type { CodeOutcome, EvaluationTask, Evaluator } from "../../../core/ports/evaluator";
import type { FileReader } from "../../../core/ports/files";
import { describeVerdict } from "../../../core/words/describe";
import type { FileCompiler } from "../compile-service";
import type {
  BuildService,
  InferenceOptions,
  KernelName,
  MachineCodeService,
  SpecService,
} from "../services";
import { buildSettingsOf, readSourceTree, readTree } from "../sources/source-tree";

export interface MachineCodeOptions {
  readonly specs: SpecService;
  readonly builds: BuildService;
  readonly files: FileReader;
  readonly evaluator: Pick<Evaluator, "resolve">;
  /** Compiles every kernel of a CUDA file. */
  ofFile(request: Parameters<FileCompiler["compileFile"]>[0]): Promise<CodeOutcome>;
  /** Compiles what a Triton task's entry launches. */
  ofTask(task: EvaluationTask, signal: AbortSignal): Promise<CodeOutcome>;
}

/** The code of a kernel as it is on disk. What Triton makes depends on a launch, so that it needs a spec. */
export function createMachineCodeService(options: MachineCodeOptions): MachineCodeService {
  return {
    forms: async (name, asked) => {
      const target = await options.evaluator.resolve(asked.target, asked.signal);
      const how = { target, signal: asked.signal };
      const code = name.file.endsWith(".py")
        ? await ofTriton(options, name, how)
        : await ofCuda(options, name, how);
      if (code.kind !== "compiled") {
        const verdict = known(verdictOfCompile(code), "the verdict of a failed compilation");
        throw new OperationalError("tool-failed", { forUser: `${name.file}: ${describeVerdict(verdict)}` });
      }
      const named = code.kernels.map((kernel) => ({
        ...kernel,
        name: formatName(readableName(kernel.symbol)),
      }));
      const own = named.filter((kernel) => isInstanceOf(kernel.name, name.kernel));
      if (own.length === 0) throw new OperationalError("kernel-not-found", { forUser: missing(name) });
      return own.flatMap((kernel) => codeForms(kernel).map((form) => ({ kernel: kernel.name, ...form })));
    },
  };
}

async function ofCuda(
  { builds, files, ofFile }: MachineCodeOptions,
  { file }: KernelName,
  how: InferenceOptions,
): Promise<CodeOutcome> {
  const build = await builds.settingsFor(file);
  const tree = await readTree(files, [file], { specFolder: "", build });
  return ofFile({ file, tree, build, ...how });
}

async function ofTriton(
  { builds, files, specs, ofTask }: MachineCodeOptions,
  name: KernelName,
  how: InferenceOptions,
): Promise<CodeOutcome> {
  const { spec, specFolder } = await specs.find(name, how);
  const build = await buildSettingsOf(builds, { spec, specFolder });
  const baseline = await readSourceTree(files, { spec, specFolder }, build);
  return ofTask({ spec, specFolder, target: how.target, baseline, build }, how.signal);
}

/** `vllm::scale<float>` is an instance of `scale`. */
function isInstanceOf(kernel: string, name: string | undefined): boolean {
  return name === undefined || kernel.replace(/<.*$/s, "").split("::").at(-1) === name;
}

function missing({ file, kernel = "" }: KernelName): string {
  return file.endsWith(".py")
    ? `the run of ${file} launched no kernel ${kernel}: its kernel spec has to call a function that does`
    : `the compiler made no code of ${kernel}: nothing in ${file} uses it. A template needs an instance: launch it, or name one in kernelwright.json`;
}
