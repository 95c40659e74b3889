import type { SourceTree } from "../judge/candidate";

/** Sources as the device compiler alone needs them. */
export interface DeviceSource {
  /** The files with their host code blanked, line for line, and with stand-ins for PyTorch's headers. */
  readonly files: SourceTree;
  /** Instances of kernel templates that the blanked code made: `nn::scale<float, 4>`. */
  readonly instances: readonly string[];
  /** The sources include PyTorch's headers. */
  readonly usesTorch: boolean;
}

/** Takes the host code out of sources. */
export interface DeviceSources {
  read(files: SourceTree): Promise<DeviceSource>;
}
