import { OperationalError } from "../../../core/base/operational-error";
import type { FileReader } from "../../../core/ports/files";
import { nvccWords } from "../../../core/workload/build-settings";
import type { BuildService, ProgramService } from "../services";
import { programFile } from "./python-workloads";
import { launchBudget, type RunMeans } from "./run-recorded";
import { withStreamedOutput } from "./streamed-output";

interface ProgramServiceOptions extends RunMeans {
  readonly files: FileReader;
  readonly builds: BuildService;
}

export function createProgramService(options: ProgramServiceOptions): ProgramService {
  const { workspaceFolder, programs, environment, files, builds } = options;
  return {
    run: async ({ file, target, write, ...program }) => {
      if ((await files.read(programFile(file))) === undefined)
        throw new OperationalError("file-not-found", { forUser: `${file}: there is no such file.` });
      const build = await builds.settingsFor(programFile(file));
      return withStreamedOutput(write, (descriptors) =>
        programs.run({
          ...program,
          file,
          folder: workspaceFolder,
          architecture: target.architecture,
          launchBudget,
          compileOptions: nvccWords(build, (folder) => folder || "."),
          // What Python prints is to be seen when it is printed.
          environment: { ...environment, PYTHONUNBUFFERED: "1" },
          say: (line) => write(`${line}\n`),
          descriptors,
        }),
      );
    },
  };
}
