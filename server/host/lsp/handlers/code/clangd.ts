import { dirname } from "node:path";
import { clangdConfiguration, type ConfiguredFile } from "../../../../core/workload/build/clangd";
import { readTarget } from "../../context";
import type { Handler } from "../handler";

const cudaFile = /\.(cu|cuh)$/;

/** A configuration with which clangd reads the CUDA files of the first folder as nvcc compiles them. */
export const clangd: Handler<"kernelwright/clangd"> = async (context) => {
  const { services, folder } = await context.workspaces.first();
  const indexed = (await context.kernels.index.all()).filter((each) => each.folder === folder);
  const names = [...new Set(indexed.map(({ file }) => file))].filter((file) => cudaFile.test(file));
  const files: ConfiguredFile[] = [];
  for (const file of names) files.push({ file, settings: await services.builds.settingsFor(file) });
  const { nvcc } = context.client.settings;
  const text = clangdConfiguration(files, {
    architecture: readTarget(context.client).architecture,
    workspaceFolder: folder,
    ...(nvcc === "" ? {} : { toolkit: dirname(dirname(nvcc)) }),
  });
  return { uri: context.workspaces.uriOf(folder, ".clangd"), text };
};
