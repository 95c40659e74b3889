import { dirname } from "node:path";
import { clangdConfiguration, type ConfiguredFile } from "../../../../core/workload/build/clangd";
import { readTarget } from "../../context";
import type { Handler } from "../handler";

const cudaFile = /\.(cu|cuh)$/;

/** A configuration with which clangd reads the CUDA files of a folder as nvcc compiles them. */
export const clangd: Handler<"kernelwright/clangd"> = async (context, { uri }) => {
  const { services, folder } =
    uri === undefined ? await context.workspaces.first() : await context.workspaces.placeOf(uri);
  const indexed = (await context.kernels.index.all()).filter((each) => each.folder === folder);
  const names = [...new Set(indexed.map(({ file }) => file))].filter((file) => cudaFile.test(file));
  const files: ConfiguredFile[] = [];
  for (const file of names) files.push({ file, settings: await services.builds.settingsFor(file) });
  const { nvcc } = context.client.settings;
  const text = clangdConfiguration(files, {
    architecture: readTarget(context, uri).architecture,
    workspaceFolder: folder,
    ...(nvcc === "" ? {} : { toolkit: dirname(dirname(nvcc)) }),
  });
  return { uri: context.workspaces.uriOf(folder, ".clangd"), text };
};
