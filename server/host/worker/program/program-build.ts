import { OperationalError } from "../../../core/base/operational-error";
import type { SourceTree } from "../../../core/judge/candidate";
import type { EntryProgram, EntryPrograms } from "../../../core/ports/entry-programs";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { type ProgramSpec, programSources } from "../../../core/workload/spec";
import type { CudaCompiler } from "../compile/cuda-compiler";
import { type Built, buildBothSides, type NotBuilt, startBuilt } from "../entry/entry-build";
import { harnessFile } from "../entry/harness";
import type { HostCompiler } from "../entry/host-compiler";
import { inFolder } from "../evaluation/oracle-session";

export interface ProgramBuildOptions {
  readonly task: EvaluationTask;
  readonly program: ProgramSpec;
  readonly compiler: CudaCompiler;
  readonly host: HostCompiler;
  readonly programs: EntryPrograms;
  /** The user agreed to do without walls. */
  readonly withoutWalls: boolean;
}

const supportFile = "kernelwright-program.hpp";

/** Compiles a candidate's whole program, as one source that draws in all of its sources, and starts it. */
export class ProgramBuild {
  constructor(private readonly options: ProgramBuildOptions) {}

  async build(tree: SourceTree, signal: AbortSignal): Promise<Built | NotBuilt> {
    const { task, program, programs } = this.options;
    const sources = programSources(program).map((path) => inFolder(task.specFolder, path));
    const strange = sources.find((path) => /["\\\n\r]/.test(path));
    if (strange !== undefined)
      throw new OperationalError("spec-invalid", {
        forUser: `kernel spec: the program's source ${strange} has a name that cannot be included`,
      });
    const harness = [supportFile, ...sources].map((path) => `#include "${path}"\n`).join("");
    const own = { [harnessFile]: harness, [supportFile]: await programs.programSupport() };
    return buildBothSides(this.options, { tree, own }, signal);
  }

  /** `watched`: sizes in bytes of the allocations whose last contents are asked for. */
  start(built: Built, watched: readonly number[]): Promise<EntryProgram> {
    return startBuilt(this.options, built, { arguments: this.options.program.arguments, watched });
  }
}
