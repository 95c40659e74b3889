import { type Memento, Uri } from "vscode";
import type { OptimizeParams } from "../../../server/protocol/requests";
import { readSettings } from "../settings";
import { limited } from "./budget-amounts";
import { choose, chooseFiles, type RememberedOptions, requestOptions, type RunOptions } from "./run-options";

const key = "kernelwright.runOptions";

/**
 * How runs of this workspace are made where that differs from the settings. Kept by the editor, in no file.
 */
export class OptionStore {
  constructor(private readonly state: Memento) {}

  /** What a request for a run on a kernel of this file says besides the kernel. */
  forFile(uri: string): Omit<OptimizeParams, "uri" | "kernel"> {
    return requestOptions(this.remembered(), settingOptions(uri), uri);
  }

  async choose<Key extends keyof RunOptions>(option: Key, value: RunOptions[Key]): Promise<void> {
    await this.state.update(key, choose(this.remembered(), settingOptions(), [option, value]));
  }

  /** `paths`: undefined for what the kernel's spec says. */
  async chooseFiles(uri: string, paths: readonly string[] | undefined): Promise<void> {
    await this.state.update(key, chooseFiles(this.remembered(), uri, paths));
  }

  private remembered(): RememberedOptions {
    return this.state.get<RememberedOptions>(key, {});
  }
}

/** How runs on the kernels of a file are made by the settings; of the window's without one. */
export function settingOptions(uri?: string): RunOptions {
  const { strategy, target, ...others } = readSettings(uri === undefined ? undefined : Uri.parse(uri));
  const budget = {
    usd: others["budget.usd"],
    minutes: others["budget.minutes"],
    candidates: others["budget.candidates"],
    ...limited("tokens", others["budget.tokens"]),
    ...limited("gpuMinutes", others["budget.gpuMinutes"]),
  };
  return { strategy, target, budget };
}
