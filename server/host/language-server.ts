import { madeHowPage } from "./assets";
import { composeServices } from "./compose";
import { startLanguageServer } from "./lsp/server";
import { keyVariables } from "./model/providers";
import { takeEnvironment } from "./process/own-environment";
import type { SearchThreads } from "./system/search/search-threads";
import { loadGrammars } from "./toolchain/grammars";

/** Serves an editor until it has gone; `searchThreads`: those that start already. */
export function serve(searchThreads: SearchThreads): void {
  void startLanguageServer({
    openServices: (options) => composeServices({ ...options, searchThreads }),
    loadGrammars,
    environment: takeEnvironment(keyVariables),
    madeHow: madeHowPage(),
  });
}
