import { expect, test } from "vitest";
import { composePrograms } from "../../../server/host/compose-programs";

test("whole programs are refused on Windows, in words that say what works", () => {
  expect(() => composePrograms({}, {}, "win32")).toThrow(/^run needs Linux: .*Windows Subsystem for Linux/);
});
