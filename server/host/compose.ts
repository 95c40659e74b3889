import { realpathSync } from "node:fs";
import { createStrategy } from "../core/agent/strategies/index";
import { rules } from "../core/agent/rulebook/index";
import { OperationalError } from "../core/base/operational-error";
import { promptTexts } from "../core/prompts/render";
import { exportSession } from "../core/trajectory/export/registry";
import { assetPath } from "./assets";
import { openAiProvider } from "./model/openai-provider";
import { priceOf } from "./model/pricing";
import { readPromptFiles } from "./model/prompt-files";
import { productVersion } from "./product";
import { catalogue } from "./services/catalogue";
import { createCompileService } from "./services/compile-service";
import { createDoctorService } from "./services/doctor-service";
import { createJudgeService } from "./services/judge-service";
import { createLaunchShapes } from "./services/launch-shapes";
import { createOptimizeService } from "./services/optimize-service";
import type { Services } from "./services/services";
import { createSessionService } from "./services/session-service";
import { createSpecInference } from "./services/spec-inference";
import { createSpecService } from "./services/spec-service";
import { createRuleParse, createSyntaxCheck } from "./services/syntax";
import { readExportInput } from "./storage/export-input";
import { FileRunStore } from "./storage/run-store";
import { defaultSessionsRoot } from "./storage/session/session-folder";
import { systemClock } from "./system/clock";
import { systemIdentity } from "./system/identity";
import { WorkspaceFiles } from "./system/workspace-files";
import { doctorPieces } from "./toolchain/doctor-pieces";
import { doctorProbes } from "./toolchain/doctor-probes";
import { findPython } from "./toolchain/find-python";
import { loadGrammars } from "./toolchain/grammars";
import { WorkerEvaluator } from "./worker/evaluation/evaluator";
import { VirtualGpuPool } from "./worker/gpu/virtual-gpu-pool";

export interface ComposeOptions {
  readonly workspaceFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Empty or left out: found by itself. */
  readonly python?: string;
  readonly nvcc?: string;
  readonly sessionsFolder?: string;
  readonly model?: string;
  readonly endpoint?: string;
  /** Asks the editor for the key; the environment is asked after it. */
  readonly modelKey?: () => Promise<string | undefined>;
}

const openAiEndpoint = "https://api.openai.com/v1";

/**
 * The model's key: the editor's own store first, then the environment. A key for OpenAI is never sent to
 * another provider.
 */
async function keyOf(options: ComposeOptions): Promise<string | undefined> {
  const { environment } = options;
  const forOpenAi =
    (options.endpoint || openAiEndpoint) === openAiEndpoint ? environment["OPENAI_API_KEY"] : undefined;
  return (await options.modelKey?.()) ?? (environment["KERNELWRIGHT_MODEL_KEY"] || forOpenAi || undefined);
}

/** The model that the user configured, with its prompts. Throws `model-unavailable`. */
async function openModel(options: ComposeOptions, store: FileRunStore) {
  const key = await keyOf(options);
  if (key !== undefined) store.learnSecret(key);
  if (!options.model) {
    throw new OperationalError("model-unavailable", {
      forUser:
        "The refine strategy needs a model: pass --model NAME (and --endpoint URL for a provider other than OpenAI), or set kernelwright.model.name in the editor. The rulebook strategy needs none.",
    });
  }
  const endpoint = options.endpoint || openAiEndpoint;
  if (key === undefined && endpoint === openAiEndpoint) {
    throw new OperationalError("model-unavailable", {
      forUser:
        "There is no key for the model: run Set Model Key in the editor, or set KERNELWRIGHT_MODEL_KEY or OPENAI_API_KEY.",
    });
  }
  const provider = openAiProvider({
    model: options.model,
    endpoint,
    key: key ?? "",
    price: priceOf({
      model: options.model,
      endpoint,
      declared: options.environment["KERNELWRIGHT_MODEL_PRICE"],
    }),
    clock: systemClock,
    random: Math.random,
  });
  const prompts = promptTexts(await readPromptFiles(assetPath("prompts")));
  return { provider, prompts };
}

/** Wires the services of one workspace folder. Starts no process: each part starts with its first use. */
export async function composeServices(options: ComposeOptions): Promise<Services> {
  const { environment } = options;
  const workspaceFolder = realpathSync(options.workspaceFolder);
  const workspaceDigest = systemIdentity.sha256(workspaceFolder);
  const grammars = await loadGrammars();
  const python = findPython(options.python ?? "", environment);
  const nvcc = options.nvcc ?? "";
  const files = new WorkspaceFiles(workspaceFolder);
  const store = new FileRunStore({
    root: defaultSessionsRoot(environment, options.sessionsFolder),
    productVersion,
    clock: systemClock,
    identity: systemIdentity,
  });
  const virtualGpu = new VirtualGpuPool(assetPath("vgpu-thread.js"));
  const remotePython = environment["KERNELWRIGHT_REMOTE_PYTHON"];
  const configFile = environment["KERNELWRIGHT_SSH_CONFIG"];
  const evaluator = new WorkerEvaluator({
    python: python.python,
    nvcc,
    workerFolder: assetPath("worker"),
    virtualGpu,
    launchShapes: createLaunchShapes(loadGrammars),
    ssh: { ...(remotePython ? { remotePython } : {}), ...(configFile ? { configFile } : {}) },
  });
  const specs = createSpecService(files, createSpecInference(files, loadGrammars));
  const parse = createRuleParse(grammars);
  const judging = { specs, files, evaluator, identity: systemIdentity };
  return {
    workspaceFolder,
    catalogue,
    specs,
    compile: createCompileService(files, evaluator),
    judge: createJudgeService(judging),
    optimize: createOptimizeService({
      ...judging,
      store,
      clock: systemClock,
      workspaceDigest,
      productVersion,
      syntaxCheck: createSyntaxCheck(grammars),
      createStrategy: (name) =>
        createStrategy(name, {
          rules,
          parse,
          files,
          clock: systemClock,
          model: () => openModel(options, store),
        }),
    }),
    sessions: createSessionService({
      store,
      workspaceDigest,
      export: async (sessionId, format) =>
        exportSession(
          await readExportInput(store, sessionId, {
            workspaceFolder,
            productVersion,
            identity: systemIdentity,
          }),
          format,
        ),
    }),
    doctor: createDoctorService(
      doctorPieces(python.python),
      doctorProbes({
        python,
        nvcc,
        workerFolder: assetPath("worker"),
        environment,
        model: {
          name: options.model ?? "",
          endpoint: options.endpoint ?? "",
          hasKey: async () => (await keyOf(options)) !== undefined,
        },
      }),
    ),
    dispose: async () => {
      await evaluator.close();
      await virtualGpu.close();
    },
  };
}
