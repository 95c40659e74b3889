import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createDeviceSources } from "../../server/host/services/sources/device-sources";
import { readFolder } from "../../server/host/assets";
import { loadGrammars } from "../../server/host/toolchain/grammars";
import { projectRoot } from "../architecture/project";

/** Takes host code out of sources as the product does. */
export const deviceSources = createDeviceSources(
  loadGrammars,
  (name) => readFile(join(projectRoot, "server", "device", name), "utf8"),
  () => readFolder(join(projectRoot, "server", "runtime", "include")),
  (path) => readFile(path, "utf8").catch(() => undefined),
);
