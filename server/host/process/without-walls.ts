/**
 * How the user of an editor lets candidates run without walls; it follows the sentence that says why they do
 * not.
 */
export const agreeToNoWalls =
  "You can agree to do without: kernelwright.allowUnwalledCandidates in your user settings";

/** How the user of a terminal does: an editor does not show it. */
export const withoutWallsRemedy =
  "kernelwright doctor says which walls there are; --without-walls runs candidates all the same";
