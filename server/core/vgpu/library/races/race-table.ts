import type { LibraryTable } from "../library";
import { raceOrderLibrary } from "./race-order";
import { raceStoreLibrary } from "./race-stores";
import { raceWordLibrary } from "./race-words";
import { raceLibrary } from "./races";
import { trackingLibrary } from "./tracking";

/** What code that is compiled with detectors calls. */
export const detectorLibrary: LibraryTable = {
  ...trackingLibrary,
  ...raceWordLibrary,
  ...raceLibrary,
  ...raceStoreLibrary,
  ...raceOrderLibrary,
};
