import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../../server/setup/support/layout.mjs";

interface Finding {
  readonly number: number;
  readonly file: string;
  readonly scene: string;
}

/** What first users met, and the scene that shows each mended. */
function findings(): readonly Finding[] {
  const page = readFileSync(inRepository("docs", "editor-findings.md"), "utf8");
  return [...page.matchAll(/^\| (\d+) \| [^|]+ \| [^|]+ \| `([^`]+)` \| ([^|]+) \|$/gm)].map(
    ([, number = "", file = "", scene = ""]) => ({ number: Number(number), file, scene }),
  );
}

/** A scene in the browser, by its title as its file has it. */
function isThere({ file, scene }: Finding): boolean {
  return (
    file.startsWith("test/e2e/") &&
    existsSync(inRepository(file)) &&
    readFileSync(inRepository(file), "utf8").includes(`"${scene}"`)
  );
}

/** It turned out to be no finding. */
const withdrawn = 23;

test("each finding of the first users has a scene in the browser that shows it mended", () => {
  const all = findings();
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1).filter((each) => each !== withdrawn);
  expect(all.map(({ number }) => number)).toEqual(numbers);
  expect(all.filter((each) => !isThere(each))).toEqual([]);
});
