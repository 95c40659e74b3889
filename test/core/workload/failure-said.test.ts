import { expect, test } from "vitest";
import { failureSaid } from "../../../server/core/workload/capture/failure-said";

test.each<[string, string | undefined]>([
  ["sum 4\nTest FAILED!\n", "Test FAILED!"],
  ["Result = FAIL", "Result = FAIL"],
  ["[Verification]: incorrect", "[Verification]: incorrect"],
  ["GPU and CPU results do not match", "GPU and CPU results do not match"],
  ["*** FAILED ***", "*** FAILED ***"],
  ["FAILED: 0", undefined],
  ["failed to open data.bin", undefined],
  ["3 tests failed of 90", undefined],
  ["nothing failed", undefined],
  ["Test PASSED", undefined],
])("how a program says that it is wrong: %s", (printed, said) => {
  expect(failureSaid(printed)).toBe(said);
});
