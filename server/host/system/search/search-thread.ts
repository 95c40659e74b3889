import { parentPort } from "node:worker_threads";
import { FileSearch } from "./file-search";
import type { SearchAnswer, SearchMessage } from "./thread-messages";

/**
 * Entry of a thread that reads files of a workspace: told which ones, then one question in, one answer out.
 */
let search: FileSearch | undefined;

parentPort?.on("message", (message: SearchMessage) => {
  if ("root" in message) {
    search = new FileSearch(message.root, message.hidden, message.share);
    return;
  }
  const { id, word, suffixes } = message;
  const found = search?.search(word, suffixes) ?? [];
  parentPort?.postMessage({ id, found } satisfies SearchAnswer);
});
