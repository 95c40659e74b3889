// Nearly all code of the language server and the command line is the same, so that one bundle has both.
export { runCommandLine } from "./command-line";
export { serve } from "./language-server";
