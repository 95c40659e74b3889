import type { SourceTree } from "../judge/candidate";

/** Sources as the device compiler alone needs them. */
interface DeviceSource {
  /** The files with their host code blanked, line for line, and with stand-ins for PyTorch's headers. */
  readonly files: SourceTree;
  /** Instances of kernel templates that the blanked code made: `nn::scale<float, 4>`. */
  readonly instances: readonly string[];
  /** The sources include PyTorch's headers. */
  readonly usesTorch: boolean;
}

/** Sources as the host's half of them needs. */
export interface HostHalf {
  /** The bodies of device functions are empty and take no lines, wherever that cannot change host code. */
  readonly files: SourceTree;
  /** For each file: the source's line of each line that is left, from 1. */
  readonly lines: Readonly<Record<string, readonly number[]>>;
}

/** Parts the host code and the device code of sources. */
export interface DeviceSources {
  read(files: SourceTree): Promise<DeviceSource>;
  /**
   * Without what is declared at places (a file and a line from 1) that no code of the device stands at: where
   * headers are missing, whatever needs them. The same object where nothing is left out.
   */
  withoutDeclarations(
    files: SourceTree,
    places: readonly { readonly file: string; readonly line: number }[],
  ): Promise<SourceTree>;
  /** With our headers of NVIDIA's libraries for those included; the same object where there are none. */
  withLibraries(files: SourceTree): Promise<SourceTree>;
  /** With our header of what CUDA 13 has no longer, and the text that includes it. */
  withOlderCuda(files: SourceTree): Promise<{ readonly files: SourceTree; readonly prelude: string }>;
  /**
   * With all headers that the sources include from folders outside of them, read as the sources are, below a
   * folder that a run with `stand-in` searches first; the same object where there are none.
   */
  withOutside(files: SourceTree, folders: readonly string[]): Promise<SourceTree>;
  /**
   * With stand-ins for PyTorch's headers that host code around plain pointers can be compiled with; undefined
   * where none is included.
   */
  torchStandIn(files: SourceTree): Promise<SourceTree | undefined>;
  /**
   * The host's half (`core/language/cuda/device/host-half.ts`). `macros`: definitions besides those of the
   * files.
   */
  hostHalf(files: SourceTree, macros: string): Promise<HostHalf>;
}
