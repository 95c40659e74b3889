import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { modelRules, normalizePath, outside, PathRules } from "../../../server/core/base/path-rules";

describe("which pattern hides a path", () => {
  const rules = new PathRules([
    "*.kernel.json",
    ".env",
    ".env.*",
    "id_rsa*",
    "private/",
    "docs/**/draft?.md",
  ]);
  test.each([
    ["k.cu", undefined],
    ["k.kernel.json", "*.kernel.json"],
    ["k.kernel.json/", "*.kernel.json"],
    ["k.kernel.json/.", "*.kernel.json"],
    ["./a//k.kernel.json", "*.kernel.json"],
    ["a/x/../K.KERNEL.JSON", "*.kernel.json"],
    ["a\\k.kernel.json", "*.kernel.json"],
    ["k.kernel.jsonc", undefined],
    ["xkernel.json", undefined],
    [".env", ".env"],
    ["a/.env", ".env"],
    ["a/.env/bin/activate", ".env"],
    [".env.local", ".env.*"],
    ["a.env", undefined],
    ["keys/id_rsa.pub", "id_rsa*"],
    ["private/notes.md", "private/"],
    ["a/private/notes.md", "private/"],
    ["private.md", undefined],
    ["docs/draft1.md", "docs/**/draft?.md"],
    ["docs/a/b/draft2.md", "docs/**/draft?.md"],
    ["a/docs/draft1.md", undefined],
    ["docs/draft12.md", undefined],
    ["../.env", outside],
    ["a/../../k.cu", outside],
  ])("%s: %s", (path, expected) => expect(rules.hiding(path)).toBe(expected));

  test.each([
    ["", "k.kernel.json"],
    ["a", "K.KERNEL.JSON"],
    ["a", "k.cu"],
    ["a/b", "id_rsa.pub"],
    ["", "private"],
    ["docs/a/b", "draft2.md"],
    ["docs", "draft12.md"],
    ["a\\b", "k.cu"],
    ["a", "b\\.env"],
    ["deep/er", "anything.tmp"],
    ["", "draft1"],
    ["", "draft\u{1f600}"],
    ["", ""],
  ])("an entry %s/%s of a listing is hidden as its path is", (folder, entry) => {
    for (const each of [
      rules,
      modelRules,
      new PathRules([]),
      new PathRules(["de**ing", "/a/k.*", "DRAFT?", "*\u{1f600}"]),
    ])
      expect(each.hidesEntry(folder, entry)).toBe(each.hides(folder === "" ? entry : `${folder}/${entry}`));
  });

  test.each([
    ".git/config",
    "sub/.git/objects/pack/x",
    ".env",
    "config/.env.production",
    "server.pem",
    ".ssh/config",
    "home/.aws/credentials",
    ".netrc",
    ".npmrc",
    ".pypirc",
    "id_ed25519",
    "NAME.kernel.json",
  ])("no model reads %s", (path) => expect(modelRules.hiding(path)).toBeDefined());
});

const name = fc.constantFrom("a", "b.cu", ".env", "K.kernel.json", "docs", "id_rsa", "é");
/** Ways to write a path that lead to the same file. */
const detours = fc.constantFrom("", "./", "/", "x/../", "./././", "a/b/../../");

test("however a path is written, the same rule holds", () => {
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 4 }),
      fc.array(detours, { minLength: 5, maxLength: 5 }),
      fc.constantFrom("", "/", "/.", "//", "/./"),
      fc.boolean(),
      (names, before, end, upper) => {
        const plain = names.join("/");
        const written = names.map((each, at) => `${before[at] ?? ""}${each}`).join("/") + end;
        const cased = upper ? written.toUpperCase() : written;
        expect(normalizePath(written)).toBe(plain);
        expect(modelRules.hiding(cased)).toBe(modelRules.hiding(plain));
      },
    ),
  );
});
