import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createStrategy } from "../core/agent/strategies/index";
import type { FileReader } from "../core/ports/files";
import type { User } from "../core/ports/user";
import { rules } from "../core/agent/rulebook/index";
import { rewritesBy } from "../core/agent/strategies/rewrites";
import { PathRules, secretPatterns, specPattern } from "../core/base/path-rules";
import { exportSession } from "../core/trajectory/export/registry";
import { assetPath, readFolder } from "./assets";
import { composeEntryPrograms } from "./compose-programs";
import { composeWorkloads } from "./compose-workloads";
import { type ComposedModel, composeModel, type ModelOptions } from "./compose-model";
import { productVersion } from "./product";
import { catalogue } from "./services/catalogue";
import { withEmbeddedSources } from "./services/sources/embedded-sources";
import { createDeviceSources } from "./services/sources/device-sources";
import { createInstanceFinder } from "./services/sources/kernel-instances";
import { projectOf } from "./compose-build";
import { createBuildService } from "./services/sources/build-service";
import { createNameSearch } from "./services/sources/name-search";
import { createCompileService, type FileCompiler } from "./services/compile-service";
import { createMachineCodeService, type MachineCodeOptions } from "./services/code/machine-code-service";
import { createDoctorService } from "./services/doctor-service";
import { createPreviewService } from "./services/preview-service";
import { withKeptSizes } from "./services/memory/kept-sizes";
import { createJudgeService } from "./services/judge-service";
import { createLaunchShapes } from "./services/launch-shapes";
import { createOptimizeService } from "./services/optimize-service";
import { createReviewService } from "./services/review-service";
import type {
  BuildService,
  DoctorService,
  MachineCodeService,
  Services,
  SessionService,
} from "./services/services";
import { createSessionService } from "./services/session-service";
import { createRuleParse, createSyntaxCheck } from "./services/syntax";
import { AnnotationFiles } from "./storage/annotation-files";
import { readExportInput } from "./storage/export-input";
import { RecordingStore } from "./storage/recordings";
import { FileRunStore } from "./storage/run-store";
import { SessionFolders } from "./storage/session-shelf";
import { SkillFiles } from "./storage/skill-files";
import { defaultSessionsRoot } from "./storage/session/session-folder";
import { systemClock } from "./system/clock";
import { systemIdentity } from "./system/identity";
import { searchThreadFile, SearchThreads } from "./system/search/search-threads";
import { WorkspaceSearch } from "./system/search/workspace-search";
import { WorkspaceFiles } from "./system/workspace-files";
import { doctorPieces } from "./toolchain/doctor-pieces";
import { doctorProbes } from "./toolchain/doctor-probes";
import { findPython, gpuPythonChoice } from "./toolchain/find-python";
import { loadGrammars } from "./toolchain/grammars";
import { CommandEvaluator } from "./worker/command/command-evaluator";
import { WorkerEvaluator } from "./worker/evaluation/evaluator";
import { simulatesLong } from "./worker/evaluation/simulate-long";
import type { WorkerEvaluatorOptions } from "./worker/evaluation/evaluator-options";
import { codeOf } from "./worker/compile/compiled-module";
import { KeptErrors } from "./worker/hardware/model-errors/kept-errors";
import { lookAtGpu } from "./worker/hardware/target-gpu";
import { requiredWalls } from "./worker/transport/walls";
import { VirtualGpuPool } from "./worker/gpu/virtual-gpu-pool";

interface ComposeOptions extends ModelOptions {
  readonly workspaceFolder: string;
  /** Empty or left out: found by itself. */
  readonly python?: string;
  readonly gpuPython?: string;
  readonly nvcc?: string;
  readonly sessionsFolder?: string;
  /** Patterns of paths that are never read, besides files that may hold keys (`PathRules`). */
  readonly exclude?: readonly string[];
  /** The user agreed by name that candidates run where they cannot be walled off. */
  readonly withoutWalls?: boolean;
  /** What inputs are drawn from; secret seeds when left out. */
  readonly seed?: number;
  /** Include folders, macros and options for nvcc that the user stated; empty or left out: none. */
  readonly include?: readonly string[];
  readonly define?: readonly string[];
  readonly nvccFlag?: readonly string[];
  /** What relative include folders of the user are relative to; the workspace's folder when left out. */
  readonly currentFolder?: string;
  /** Whom a model may ask while it works; nobody when left out. */
  readonly user?: User;
  /** Threads that may have been started before; of its own when left out. */
  readonly searchThreads?: SearchThreads;
  /** Is told while another process of Kernelwright has the GPU of a target. */
  readonly onGpuWait?: (said: () => string) => void;
}

/** Each takes a compiler's and a virtual GPU's memory. */
const mostTrialsAtOnce = 4;

/** Wires the services of one workspace folder. Starts no process: each part starts with its first use. */
export async function composeServices(options: ComposeOptions): Promise<Services> {
  const { environment } = options;
  const workspaceFolder = realpathSync(options.workspaceFolder);
  const workspaceDigest = systemIdentity.sha256(workspaceFolder);
  const grammars = await loadGrammars();
  const python = findPython(options.python ?? "", environment);
  const hidden = [...secretPatterns, ...(options.exclude ?? [])];
  const { files, modelFiles, search } = composeFiles(workspaceFolder, hidden, options.searchThreads);
  const root = defaultSessionsRoot(environment, options.sessionsFolder);
  const store = new FileRunStore({ root, productVersion, clock: systemClock, identity: systemIdentity });
  const model = composeModel(options, (key) => store.learnSecret(key));
  const virtualGpu = new VirtualGpuPool(assetPath("vgpu-thread.js"));
  const recordings = new RecordingStore(join(root, "recordings"), systemIdentity);
  const evaluator = composeEvaluator(options, { python: python.python, virtualGpu, recordings });
  const builds = composeBuilds(options, files, { workspaceFolder, evaluator });
  const { captures, programs, ...found } = composeWorkloads(options, {
    ...{ workspaceFolder, files, builds, recordings, evaluator, virtualGpu },
  });
  const specs = withKeptSizes(found.specs, { store, workspaceDigest });
  const parse = createRuleParse(grammars);
  const rulework = { rules, parse, files: modelFiles, clock: systemClock, model: model.open };
  const judging = { specs, builds, files, evaluator, identity: systemIdentity };
  return {
    workspaceFolder,
    catalogue,
    specs,
    builds,
    names: createNameSearch(files, search),
    compile: createCompileService(files, builds, composeFileCompiler(evaluator)),
    machineCode: composeMachineCode(judging),
    judge: createJudgeService({ ...judging, ...composeJudge(evaluator, rulework) }),
    previews: createPreviewService({ ...judging, prober: { open: (source) => evaluator.probe(source) } }),
    captures,
    programs,
    optimize: createOptimizeService({
      ...judging,
      commands: composeCommands(options, { workspaceFolder, python: python.python, hidden }),
      store,
      clock: systemClock,
      workspaceDigest,
      skills: composeSkills(root, files),
      productVersion,
      ...(options.user && { user: options.user }),
      atOnce: Math.max(1, Math.min(mostTrialsAtOnce, availableParallelism())),
      syntaxCheck: createSyntaxCheck(grammars),
      createStrategy: (name, { subject, onWords }) =>
        createStrategy(name, { ...rulework, model: () => model.open(onWords) }, subject),
    }),
    sessions: composeSessions(store, { root, workspaceFolder, workspaceDigest }),
    review: createReviewService({ ...judging, store, clock: systemClock, workspaceDigest }),
    ...composeMachines(options, { python, model, evaluator }),
    models: model,
    dispose: async () => {
      await model.close();
      await evaluator.close();
      await virtualGpu.close();
      await search.close();
    },
  };
}

/** What only the judging of kernels as they are takes. */
function composeJudge(
  evaluator: Parameters<typeof simulatesLong>[0],
  rulebook: Parameters<typeof rewritesBy>[0],
): Pick<Parameters<typeof createJudgeService>[0], "simulateLong" | "rewritesOf"> {
  // Whoever types meanwhile is answered between two rules.
  const pause = (): Promise<void> => new Promise(setImmediate);
  return { simulateLong: simulatesLong(evaluator), rewritesOf: rewritesBy(rulebook, pause) };
}

/** What reads the workspace: for the product, for a model, and for words in all files. */
function composeFiles(
  root: string,
  hidden: readonly string[],
  threads = new SearchThreads(assetPath(searchThreadFile)),
): {
  readonly files: ReturnType<typeof withEmbeddedSources>;
  readonly modelFiles: WorkspaceFiles;
  readonly search: WorkspaceSearch;
} {
  return {
    files: withEmbeddedSources(new WorkspaceFiles(root, new PathRules(hidden))),
    modelFiles: new WorkspaceFiles(root, new PathRules([...hidden, specPattern])),
    search: new WorkspaceSearch({ root, hidden }, threads),
  };
}

function composeCommands(
  { withoutWalls }: ComposeOptions,
  place: { readonly workspaceFolder: string; readonly python: string; readonly hidden: readonly string[] },
): CommandEvaluator {
  return new CommandEvaluator({
    ...place,
    workerFolder: assetPath("worker"),
    requiredWalls: withoutWalls === true ? [] : requiredWalls,
    hidden: new PathRules(place.hidden),
  });
}

function composeFileCompiler(evaluator: WorkerEvaluator): FileCompiler {
  return { compileFile: (request) => evaluator.site(request.target).compileFile(request) };
}

function composeMachineCode(
  options: Omit<MachineCodeOptions, "ofFile" | "ofTask"> & { readonly evaluator: WorkerEvaluator },
): MachineCodeService {
  const { evaluator } = options;
  return createMachineCodeService({
    ...options,
    ofFile: async (request) => {
      const module = await evaluator.site(request.target).compileModule(request);
      return module.kind === "compiled" ? codeOf(module) : module;
    },
    ofTask: (task, signal) => evaluator.code(task, signal),
  });
}

function composeSessions(
  store: FileRunStore,
  place: { readonly root: string; readonly workspaceFolder: string; readonly workspaceDigest: string },
): SessionService {
  const { root, workspaceFolder, workspaceDigest } = place;
  const beside = { root, clock: systemClock, identity: systemIdentity, redactor: store.redactor };
  const annotations = new AnnotationFiles(beside);
  const recorded = { workspaceFolder, productVersion, identity: systemIdentity };
  return createSessionService({
    store,
    workspaceDigest,
    annotations,
    shelf: new SessionFolders(beside),
    export: async (sessionId, format) =>
      exportSession(await readExportInput({ store, annotations }, sessionId, recorded), format),
  });
}

/** `root`: the folder of the sessions. */
function composeSkills(root: string, repository: FileReader): SkillFiles {
  return new SkillFiles(join(root, "skills"), {
    repository,
    shipped: async () => Object.values(await readFolder(assetPath("skills"))),
    identity: systemIdentity,
  });
}

function composeBuilds(
  options: ComposeOptions,
  files: FileReader,
  { workspaceFolder, evaluator }: { readonly workspaceFolder: string; readonly evaluator: WorkerEvaluator },
): BuildService {
  const { include = [], define = [], nvccFlag = [] } = options;
  return createBuildService({
    files,
    tops: [workspaceFolder, options.workspaceFolder],
    ...projectOf(workspaceFolder),
    given: {
      words: [...include.map((folder) => `-I${folder}`), ...define.map((macro) => `-D${macro}`), ...nvccFlag],
      folder: options.currentFolder ?? workspaceFolder,
      where: "the command line",
    },
    findInstances: createInstanceFinder(loadGrammars),
    readSetupFile: (text) => evaluator.readSetupFile(text),
  });
}

/** What is there to work with: pieces of this machine, and GPUs. */
function composeMachines(
  options: ComposeOptions,
  parts: {
    readonly python: ReturnType<typeof findPython>;
    readonly model: ComposedModel;
    readonly evaluator: WorkerEvaluator;
  },
): Pick<Services, "doctor" | "targets"> {
  const { python, model, evaluator } = parts;
  return {
    doctor: composeDoctor(options, python, model),
    targets: { look: (target, signal) => lookAtGpu(target, evaluator.site(target).gpus, signal) },
  };
}

function composeDoctor(
  options: ComposeOptions,
  python: ReturnType<typeof findPython>,
  { hasKey, findLocal }: ComposedModel,
): DoctorService {
  const probes = doctorProbes({
    python,
    nvcc: options.nvcc ?? "",
    workerFolder: assetPath("worker"),
    requiredWalls,
    environment: options.environment,
    model: { name: options.model ?? "", endpoint: options.endpoint ?? "", hasKey, findLocal },
  });
  return createDoctorService(doctorPieces(python.python), probes);
}

/** What compiles and runs candidates, here and on machines that ssh reaches. */
function composeEvaluator(
  { environment, nvcc, gpuPython, withoutWalls, sessionsFolder, seed, onGpuWait }: ComposeOptions,
  parts: Pick<WorkerEvaluatorOptions, "python" | "virtualGpu" | "recordings">,
): WorkerEvaluator {
  const remotePython = environment["KERNELWRIGHT_REMOTE_PYTHON"];
  const configFile = environment["KERNELWRIGHT_SSH_CONFIG"];
  return new WorkerEvaluator({
    ...parts,
    nvcc: nvcc ?? "",
    gpuPython: gpuPythonChoice(gpuPython ?? "", environment),
    withoutWalls: withoutWalls === true,
    ...(seed === undefined ? {} : { seed }),
    ...(onGpuWait && { onGpuWait }),
    modelErrors: new KeptErrors(join(defaultSessionsRoot(environment, sessionsFolder), "model-errors.json")),
    workerFolder: assetPath("worker"),
    launchShapes: createLaunchShapes(loadGrammars),
    entryPrograms: composeEntryPrograms({ nvcc: nvcc ?? "", python: parts.python, environment }),
    deviceSources: createDeviceSources(
      loadGrammars,
      (name) => readFile(assetPath(`device/${name}`), "utf8"),
      () => readFolder(assetPath("runtime/include")),
      (path) => readFile(path, "utf8").catch(() => undefined),
    ),
    ssh: { ...(remotePython ? { remotePython } : {}), ...(configFile ? { configFile } : {}) },
  });
}
