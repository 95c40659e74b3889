import { assetPath, madeHowPage } from "./assets";
import { composeServices } from "./compose";
import { startLanguageServer } from "./lsp/server";
import { keyVariables } from "./model/providers";
import { takeEnvironment } from "./process/own-environment";
import { searchThreadFile, SearchThreads } from "./system/search/search-threads";
import { loadGrammars } from "./toolchain/grammars";

// An editor asks for the kernels of its folder at once: the threads start while the grammars are loaded.
const searchThreads = new SearchThreads(assetPath(searchThreadFile));
searchThreads.prepare();

void startLanguageServer({
  openServices: (options) => composeServices({ ...options, searchThreads }),
  loadGrammars,
  environment: takeEnvironment(keyVariables),
  madeHow: madeHowPage(),
});
