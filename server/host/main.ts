import { startBundle } from "./start-bundle";

// The language server's process: VS Code starts it with --node-ipc, other editors with --stdio.
startBundle("language-server.js");
