import { readdirSync, statSync } from "node:fs";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { run } from "../../server/setup/support/processes.mjs";
import { type Bench, rounded } from "./bench";

/** The size beyond which a packaged extension is a mistake. */
const LIMIT_MB = 5;

/** How large the file is that a user downloads and installs. */
export const packageSizeBench: Bench = {
  name: "package",
  run: async () => {
    await run(process.execPath, [inRepository("server", "setup", "package.mjs")], { cwd: inRepository() });
    const file = readdirSync(inRepository()).find((name) => name.endsWith(".vsix"));
    if (!file) throw new Error("packaging left no .vsix file");
    const size = statSync(inRepository(file)).size / 1024 / 1024;
    return [
      {
        metric: "size of the packaged extension",
        value: rounded(size),
        unit: "MB",
        versus: `limit ${LIMIT_MB} MB`,
        ratio: rounded(size / LIMIT_MB),
      },
    ];
  },
};
