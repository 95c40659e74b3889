import { asyncLibrary } from "./memory/async";
import { callLibrary } from "./warp/calls";
import { collectiveLibrary } from "./warp/collective";
import { countingLibrary } from "./counting/counting";
import { directedLibrary } from "./arithmetic/directed";
import { floatLibrary } from "./arithmetic/floats";
import { halfLibrary } from "./arithmetic/halves";
import { integerLibrary } from "./arithmetic/integers";
import type { LibraryTable } from "./library";
import { matrixLibrary } from "./matrix/matrix";
import { sparseLibrary } from "./matrix/matrix-sparse";
import { memoryLibrary } from "./memory/memory";
import { reuseLibrary } from "./counting/reuse";
import { detectorLibrary } from "./races/race-table";
import { warpLibrary } from "./warp/warp";

/** Every function that generated code may call. */
export const library: LibraryTable = {
  ...memoryLibrary,
  ...integerLibrary,
  ...floatLibrary,
  ...directedLibrary,
  ...halfLibrary,
  ...warpLibrary,
  ...collectiveLibrary,
  ...matrixLibrary,
  ...sparseLibrary,
  ...asyncLibrary,
  ...countingLibrary,
  ...detectorLibrary,
  ...reuseLibrary,
  ...callLibrary,
};
