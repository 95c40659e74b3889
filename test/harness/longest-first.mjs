import { BaseSequencer } from "vitest/node";
import { longestTests } from "./lanes.mjs";

/** Starts the files that take longest before all others, so that none of them ends alone. */
export class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import("vitest/node").TestSpecification[]} files
   */
  async sort(files) {
    const others = await super.sort(files);
    const first = longestTests.flatMap((path) =>
      others.filter(({ moduleId }) => moduleId.endsWith(`/${path}`)),
    );
    return [...new Set([...first, ...others])];
  }
}
