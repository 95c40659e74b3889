import type {
  KernelParams,
  OptimizeParams,
  PreviewParams,
  ProgramParams,
  RecordParams,
  SessionParams,
} from "./requests";

/**
 * Commands of the editor that a lens or a code action made by the server may name, with their one argument. A
 * client that is not VS Code (an editor that starts the server with --stdio) maps them to the requests of the
 * same name.
 */
export interface LensCommands {
  /** With a strategy: a run that differs in it from what is remembered. */
  "kernelwright.optimize": KernelParams & Pick<OptimizeParams, "strategy">;
  /** The sheet on which a run is made; the messages are told to its model, where it asks one. */
  "kernelwright.optimizeWithOptions": KernelParams & Pick<OptimizeParams, "messages">;
  "kernelwright.check": KernelParams;
  "kernelwright.profile": KernelParams;
  "kernelwright.showPerformance": KernelParams;
  "kernelwright.showMachineCode": KernelParams;
  "kernelwright.createSpec": KernelParams;
  "kernelwright.record": RecordParams;
  "kernelwright.runProgram": ProgramParams;
  "kernelwright.sanitizeProgram": ProgramParams;
  "kernelwright.profileProgram": ProgramParams;
  "kernelwright.preview": PreviewParams;
  "kernelwright.reviewProposal": SessionParams;
  "kernelwright.takeBest": SessionParams;
}

export type LensCommand = keyof LensCommands;
