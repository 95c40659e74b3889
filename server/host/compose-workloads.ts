import type { EntryProbe } from "../core/ports/entry-probe";
import type { FileReader } from "../core/ports/files";
import type { EntryProbeSource } from "../core/ports/entry-prober";
import type { ProbeSource, TritonProbeSource } from "../core/ports/prober";
import type { Recordings } from "../core/ports/recordings";
import { examinationsBy } from "./worker/probe/examinations";
import { composePrograms } from "./compose-programs";
import type { ProgramRequest } from "../core/ports/program-runner";
import { createProgramService } from "./services/capture/watched-program";
import { createCaptureService } from "./services/capture/capture-service";
import type { BuildService, CaptureService, ProgramService, SpecService } from "./services/services";
import { createSpecService } from "./services/spec-service";
import { withPricedSizes } from "./services/workload/examined/priced-sizes";
import { affordableSizes } from "./services/workload/examined/affordable-sizes";
import { thatEnds } from "./services/workload/examined/ending/resident-grid";
import { withFilledOutputs } from "./services/workload/examined/filled-outputs";
import { withFriendlierSizes } from "./services/workload/examined/friendlier-sizes";
import { withNearRecordings } from "./services/workload/examined/near-recordings";
import { withOwnArrays } from "./services/workload/examined/own-arrays";
import { withComparedValues } from "./services/workload/examined/compared-values";
import { withAskedValues } from "./services/workload/examined/asked-values";
import { withStatedValues } from "./services/workload/examined/stated-values";
import { withPrefixSums } from "./services/workload/examined/prefix-sums";
import { withVariedFields } from "./services/workload/examined/varied-fields";
import { withTellingInputs } from "./services/workload/examined/telling-inputs";
import { cudaEntry } from "./services/workload/cuda-entry";
import { bareLaunch } from "./services/workload/bare-launch";
import { inOrder, type WorkloadFinder } from "./services/workload/finders";
import { sharedEntries } from "./services/workload/shared/shared-entries";
import { ownProgram } from "./services/workload/own-program";
import { loadingScript, pythonProgram } from "./services/workload/python/program";
import { tritonLaunch } from "./services/workload/triton-launch";
import { pythonEntry } from "./services/workload/python/entry";
import { createSpecInference } from "./services/workload/spec-inference";
import { systemIdentity } from "./system/identity";
import { loadGrammars } from "./toolchain/grammars";
import type { WorkerEvaluator } from "./worker/evaluation/evaluator";
import type { VirtualGpuPool } from "./worker/gpu/virtual-gpu-pool";
import { probeEntry } from "./worker/probe/entry-probe";

interface WorkloadOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly python?: string;
  readonly nvcc?: string;
}

interface WorkloadParts {
  readonly workspaceFolder: string;
  readonly files: FileReader;
  readonly builds: BuildService;
  readonly recordings: Recordings;
  readonly evaluator: WorkerEvaluator;
  readonly virtualGpu: VirtualGpuPool;
}

/** Spec files, captures and, for kernels without a spec, the ways of finding a workload, in their order. */
export function composeWorkloads(
  options: WorkloadOptions,
  { workspaceFolder, files, builds, recordings, evaluator, virtualGpu }: WorkloadParts,
): { readonly captures: CaptureService; readonly programs: ProgramService; readonly specs: SpecService } {
  const running = {
    ...{ workspaceFolder, files, builds, environment: options.environment },
    programs: {
      run: (request: ProgramRequest) => composePrograms(options, options.environment).run(request),
    },
  };
  const captures = createCaptureService({
    ...running,
    ...{ recordings, grammars: loadGrammars, identity: systemIdentity },
  });
  const entryProbe: EntryProbe = {
    probe: (request) =>
      probeEntry({ candidates: evaluator.site(request.target).candidates, virtualGpu }, request),
  };
  const means = { files, builds, ...examinationsBy(evaluator) };
  const affordable = affordableSizes(means);
  const filled = (finder: WorkloadFinder): WorkloadFinder => withFilledOutputs(finder, means);
  const sound = (finder: WorkloadFinder): WorkloadFinder =>
    withOwnArrays(
      // What is asked from here on is asked of sizes that a check has time for.
      affordable(thatEnds(withPrefixSums(withVariedFields(finder, means), means), means)),
      means,
    );
  const tritonAlone = filled(
    tritonLaunch({
      ...{ files, grammars: loadGrammars },
      prober: { open: (source: TritonProbeSource) => evaluator.probe(source) },
    }),
  );
  const scripts = pythonProgram(files, captures);
  const entries = pythonEntry({
    ...{ files, grammars: loadGrammars, prober: entryProbe, bare: tritonAlone },
    programs: scripts,
  });
  const prober = { open: (source: ProbeSource) => evaluator.probe(source) };
  const bare = bareLaunch({ files, builds, grammars: loadGrammars, prober });
  const cudaEntries = cudaEntry(
    {
      ...{ files, builds, grammars: loadGrammars },
      prober: { open: (source: EntryProbeSource) => evaluator.probeEntry(source) },
    },
    bare,
  );
  const withValues = (finder: WorkloadFinder): WorkloadFinder =>
    withAskedValues(withComparedValues(withStatedValues(finder)), loadGrammars);
  const drawn = withFriendlierSizes(withValues(filled(sound(cudaEntries))), means);
  const probed = withTellingInputs(drawn, means);
  const chosen = affordable(inOrder([withValues(entries), loadingScript(scripts), probed]));
  const priced = sharedEntries(withPricedSizes(chosen, means), { files, builds, grammars: loadGrammars });
  const workloads = withNearRecordings(ownProgram(captures, files, priced), means);
  const specs = createSpecService(files, createSpecInference(files, loadGrammars, workloads));
  return { captures, programs: createProgramService(running), specs };
}
