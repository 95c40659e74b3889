import { expect, test } from "vitest";
import { jsonFault } from "../../../server/core/base/json";

test.each([
  ["V8 of Node 20", "Unterminated string in JSON at position 24"],
  ["V8 of Node 22 and 24", "Unterminated string in JSON at position 24 (line 1 column 25)"],
])("a fault of JSON reads the same by %s", (_, message) => {
  expect(jsonFault(new SyntaxError(message))).toBe("Unterminated string in JSON at position 24");
});
