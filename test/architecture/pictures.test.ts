import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { inRepository } from "../../server/setup/support/layout.mjs";

/*
 * The README's pictures are screenshots of the browser tests (`npm run pictures`): each is in the table, is
 * there, and is one that a test still takes.
 */

const pictures = JSON.parse(readFileSync(inRepository("docs/pictures/pictures.json"), "utf8")) as Readonly<
  Record<string, string>
>;

it("shows in the README the pictures of the table, and no others", () => {
  const readme = readFileSync(inRepository("README.md"), "utf8");
  const shown = [...readme.matchAll(/!\[[^\]]+\]\(docs\/pictures\/([^)]+)\)/g)].map(([, file]) => file);
  expect(shown.sort()).toEqual(Object.keys(pictures).sort());
  expect(readme.match(/!\[/g)).toHaveLength(shown.length);
});

it.each(Object.entries(pictures))("%s is there, and a test takes it", (picture, screenshot) => {
  expect(existsSync(inRepository("docs/pictures", picture))).toBe(true);
  // The theme is no part of the name that a test gives.
  const given = screenshot.replace(/-vscode-[a-z-]+$/, "");
  const tests = readdirSync(inRepository("test/e2e"))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(inRepository("test/e2e", name), "utf8"));
  expect(tests.some((text) => text.includes(`"${given}"`))).toBe(true);
});
