import { parentPort, workerData } from "node:worker_threads";
import { FileSearch } from "./file-search";
import type { SearchAnswer, SearchQuestion, SearchWork } from "./thread-messages";

/** Entry of a thread that reads files of a workspace: one question in, one answer out. */
const { root, hidden, share } = workerData as SearchWork;
const search = new FileSearch(root, hidden, share);

parentPort?.on("message", ({ id, word, suffixes }: SearchQuestion) =>
  parentPort?.postMessage({ id, found: search.search(word, suffixes) } satisfies SearchAnswer),
);
