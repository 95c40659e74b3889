import { assetPath } from "./assets";
import { startPrograms } from "./start-bundle";
import { putOffEngineWork } from "./start/engine-flags";
import { searchThreadFile, SearchThreads } from "./system/search/search-threads";

// The language server's process: VS Code starts it with --node-ipc, other editors with --stdio.

// An editor asks for the kernels of its folder at once: the threads start while the rest is loaded.
const searchThreads = new SearchThreads(assetPath(searchThreadFile));
searchThreads.prepare();
const server = startPrograms("language-server");
// After what Node loads of its own: that would be compiled anew.
putOffEngineWork();
server.serve(searchThreads);
