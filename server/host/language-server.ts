import { composeServices } from "./compose";
import { startLanguageServer } from "./lsp/server";
import { keyVariables } from "./model/providers";
import { takeEnvironment } from "./process/own-environment";
import { loadGrammars } from "./toolchain/grammars";

void startLanguageServer({
  openServices: composeServices,
  loadGrammars,
  environment: takeEnvironment(keyVariables),
});
