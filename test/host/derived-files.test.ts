import { expect, test } from "vitest";
import { derivedFiles } from "../../server/host/derived/derived-files";
import { readProjectFile } from "../architecture/project";

test.each(derivedFiles)("$path is what `npm run manifest` writes", ({ path, derive }) => {
  const present = readProjectFile(path);
  expect(present).toBe(derive(present));
});
