import { composeServices } from "./compose";
import { startLanguageServer } from "./lsp/server";
import { keyVariables } from "./model/providers";
import { takeEnvironment } from "./process/own-environment";
import { loadGrammars } from "./toolchain/grammars";

/** The language server's process: VS Code starts it with --node-ipc, other editors with --stdio. */
void startLanguageServer({
  openServices: composeServices,
  loadGrammars,
  environment: takeEnvironment(keyVariables),
});
