import { parentPort, workerData } from "node:worker_threads";
import { FileSearch } from "./file-search";
import type { SearchAnswer, SearchQuestion, SearchedPlace } from "./thread-messages";

/** Entry of the thread that reads the files of a workspace: one question in, one answer out. */
const { root, hidden } = workerData as SearchedPlace;
const search = new FileSearch(root, hidden);

parentPort?.on("message", ({ id, word, suffixes }: SearchQuestion) =>
  parentPort?.postMessage({ id, found: search.search(word, suffixes) } satisfies SearchAnswer),
);
