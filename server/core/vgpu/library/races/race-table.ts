import type { LibraryTable } from "../library";
import { happensBeforeLibrary } from "./happens-before";
import { raceLaneLibrary } from "./race-lanes";
import { raceOrderLibrary } from "./race-order";
import { raceStoreLibrary } from "./race-stores";
import { raceLibrary } from "./races";
import { trackingLibrary } from "./tracking";

/** Functions of code that is compiled with detectors. */
export const detectorLibrary: LibraryTable = {
  ...trackingLibrary,
  ...happensBeforeLibrary,
  ...raceLaneLibrary,
  ...raceLibrary,
  ...raceStoreLibrary,
  ...raceOrderLibrary,
};
