import { isAscii } from "node:buffer";
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { inAscii } from "../../server/setup/steps/bundle.mjs";
import { inRepository } from "../../server/setup/support/layout.mjs";

/** A tag that reads escapes, as those of users' texts do. */
function said(literals: readonly string[], ...parts: readonly unknown[]): string {
  return String.raw({ raw: literals }, ...parts);
}

test.each([
  { title: "a tagged template", program: "said`± ${1 + 1} of 😀`", gives: "± 2 of 😀" },
  { title: "one that takes escapes literally", program: "String.raw`\\s–${1}\\u` + '×'", gives: "\\s–1\\u×" },
])("$title says the same in ASCII", ({ program, gives }) => {
  const escaped = inAscii(program);
  const run = runInNewContext(escaped, { said }) as string;
  expect({ gives: run, isAscii: isAscii(Buffer.from(escaped)) }).toEqual({ gives, isAscii: true });
});

const { bundles } = JSON.parse(readFileSync(inRepository("server", "setup", "bundles.json"), "utf8")) as {
  readonly bundles: readonly { readonly output: string; readonly page?: boolean }[];
};

test.each(bundles.filter(({ page }) => page !== true))("$output is ASCII", ({ output }) => {
  expect(isAscii(readFileSync(inRepository(output)))).toBe(true);
});
