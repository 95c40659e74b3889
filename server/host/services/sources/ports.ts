import type { Finding } from "../../../core/judge/verdict";
import type { Target } from "../../../core/timing/target";
import type { BuildSettings } from "../../../core/workload/build-settings";
import type { Dialect, KernelSpec, ShapeCase } from "../../../core/workload/spec";
import type { SpecMoves } from "./spec-moves";

/**
 * A kernel named by its file and its name; the name may be left out when the file has one kernel. Its spec's
 * file names it as well.
 */
export interface KernelName {
  readonly file: string;
  readonly kernel?: string;
}

export interface FoundSpec {
  readonly spec: KernelSpec;
  /** Workspace-relative path; the file may not exist yet when `inferred`. */
  readonly specPath: string;
  /** Folder of the spec, `` for the top. */
  readonly specFolder: string;
  readonly text: string;
  readonly inferred: boolean;
  /** Sentences about what inference could not know. */
  readonly unknowns: readonly string[];
  /** What a program or a test of the user's says against the kernel as it is. */
  readonly complaint?: Finding;
  /** What its figures do not compare with, as a sentence without its stop. */
  readonly remark?: string;
  /** Where its sizes are those of the kernel's last session: what would be chosen without it. */
  readonly chosenSizes?: readonly ShapeCase[];
}

/** For finding out how a kernel without a spec file is exercised, which may compile and run it. */
export interface InferenceOptions {
  readonly target: Target;
  readonly signal: AbortSignal;
}

export interface SpecService extends SpecMoves {
  /**
   * The kernels that a name means: those of the file's specs, else all of the file where none is named.
   * Throws `file-not-found` and `kernel-not-found`.
   */
  kernels(name: KernelName): Promise<readonly string[]>;
  /**
   * The spec file that names the kernel, else one inferred from its source and from runs. `how` left out: for
   * the default target. Throws `spec-invalid`, `kernel-not-found` and `cancelled`.
   */
  find(name: KernelName, how?: InferenceOptions): Promise<FoundSpec>;
  /** The spec file that names the kernel; undefined without one. Throws `spec-invalid`. Runs nothing. */
  stored(name: KernelName): Promise<FoundSpec | undefined>;
  /** As `find`, as if there were no spec file. */
  infer(name: KernelName, how: InferenceOptions): Promise<FoundSpec>;
  /**
   * Reads a spec's text as if it stood at `specPath`. Throws `spec-invalid` with every problem and its line.
   */
  parse(source: { readonly specPath: string; readonly text: string }): Promise<FoundSpec>;
}

export interface BuildService {
  /**
   * What a file is compiled with: the user's options and kernelwright.json, the record of a build, build
   * files, the workspace's folders. `text`: content that is not on disk yet. `words`: further options that
   * the user gave for this file. Throws `spec-invalid` for a kernelwright.json that is not as it must be.
   */
  settingsFor(file: string, text?: string, words?: readonly string[]): Promise<BuildSettings>;
}

/** Where names of kernels stand in the workspace's files, as they are on disk. */
export interface NameSearch {
  /** Files of a dialect, host code included, whose text holds a name. `name`: an identifier. */
  mentioning(
    name: string,
    dialect: Dialect,
  ): Promise<readonly { readonly path: string; readonly text: string }[]>;
  /** Files of the workspace that a file draws in, directly or not. `text`: not on disk yet. */
  drawsIn(path: string, text?: string): Promise<readonly string[]>;
}
