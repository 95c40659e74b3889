import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseTarget } from "../../server/core/timing/target";
import { deriveManifest } from "../../server/host/derived/manifest";
import { settingTable } from "../../server/protocol/settings";
import manifest from "../../package.json";
import texts from "../../package.nls.json";
import { projectFiles, projectRoot, readProjectFile } from "../architecture/project";

const derived = deriveManifest();
const commandIds = manifest.contributes.commands.map(({ command }) => command);
const clientText = projectFiles()
  .filter((path) => path.startsWith("client/"))
  .map(readProjectFile)
  .join("\n");

it("a walkthrough begins with what can be done at once, each step with a picture of it", () => {
  const [{ steps }] = manifest.contributes.walkthroughs as [
    (typeof manifest.contributes.walkthroughs)[number],
  ];
  const first = steps.slice(0, 3);
  expect(first.map(({ id }) => id)).toEqual(["check", "profile", "optimize"]);
  for (const { media } of first) expect(readProjectFile(media.markdown)).toMatch(/!\[.+\]\(.+\.png\)/);
});

describe("settings", () => {
  it("have a type that fits, a scope and a sentence", () => {
    const poor = Object.entries(derived.properties).filter(
      ([, { type, default: value, markdownDescription }]) =>
        (type === "integer" ? "number" : type) !== (Array.isArray(value) ? "array" : typeof value) ||
        !markdownDescription.endsWith("."),
    );
    expect(poor).toEqual([]);
  });

  it("that name a program, a folder, a host or an endpoint cannot come from a folder that is not trusted", () => {
    const scopes = Object.entries(settingTable).map(([name, { scope }]) => [name, scope]);
    expect(Object.fromEntries(scopes)).toMatchObject({
      target: "machine-overridable",
      "model.endpoint": "machine",
      "model.name": "machine-overridable",
      python: "machine",
      gpuPython: "machine",
      nvcc: "machine",
      sessionsFolder: "machine",
      allowUnwalledCandidates: "machine",
    });
    expect(derived.restrictedConfigurations.toSorted()).toEqual(
      [
        "target",
        "model.endpoint",
        "model.name",
        "model.options",
        "model.roles",
        "model.toolServers",
        "model.price",
        "python",
        "gpuPython",
        "nvcc",
        "sessionsFolder",
        "allowUnwalledCandidates",
      ]
        .map((name) => `kernelwright.${name}`)
        .toSorted(),
    );
  });

  it("take the targets that the core reads, and no other", () => {
    const pattern = new RegExp(settingTable.target.pattern ?? "$^");
    const texts = [
      "vgpu",
      "vgpu:sm_80",
      "vgpu:sm_90a",
      "ssh:box",
      "ssh:me@box/sm_90",
      "ssh:-oProxyCommand=x",
      "gpu:0",
      "vgpu:80",
      "ssh:",
      "ssh:a b",
    ];
    expect(texts.map((text) => [text, pattern.test(text)])).toEqual(
      texts.map((text) => [text, parseTarget(text).ok]),
    );
  });
});

describe("commands", () => {
  it("of menus, keys, views and walkthroughs are all declared", () => {
    const { menus, keybindings, viewsWelcome, walkthroughs } = manifest.contributes;
    const named = [
      ...JSON.stringify({ menus, keybindings, viewsWelcome, walkthroughs }).matchAll(
        /(?:"command":"|\(command:|onCommand:)(kernelwright\.\w+)/g,
      ),
    ].map(([, id]) => id ?? "");
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((id) => !commandIds.includes(id))).toEqual([]);
  });

  it("tick each step of the walkthrough that waits for a context", () => {
    const awaited = [
      ...JSON.stringify(manifest.contributes.walkthroughs).matchAll(/onContext:kernelwright\.(\w+)/g),
    ].map(([, context]) => context);
    const ticked = [...clientText.matchAll(/\btickStep\("(\w+)"\)/g)].map(([, context]) => context);
    expect(awaited.length).toBe(3);
    expect(ticked.toSorted()).toEqual(awaited.toSorted());
  });

  it("are the ones that the client registers", () => {
    const written = new Set(
      [...clientText.matchAll(/(?:id: |(?:decideHunk|decideAll|stepHunk)\()"(kernelwright\.\w+)"/g)].map(
        ([, id]) => id,
      ),
    );
    expect([...written].toSorted()).toEqual(commandIds.toSorted());
  });

  it("on keys are scoped by a condition", () => {
    expect(manifest.contributes.keybindings.filter(({ when }) => !when.includes("kernelwright."))).toEqual(
      [],
    );
  });
});

describe("the manifest", () => {
  it("has a key for each text that VS Code shows, and a text in English for each key", () => {
    const shown =
      /"(?:title|category|description|markdownDescription|patternErrorMessage|displayName|contents|contextualTitle)": ?"((?:[^"\\]|\\.)*)"/g;
    const written = readProjectFile("package.json");
    const literal = [...written.matchAll(shown)].map(([, text]) => text ?? "");
    expect(literal.length).toBeGreaterThan(100);
    expect(literal.filter((text) => !/^%[\w.]+%$/.test(text))).toEqual([]);
    const keys = [...written.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? "");
    expect([...new Set(keys)].toSorted()).toEqual(Object.keys(texts).toSorted());
    expect(Object.values(texts).filter((text) => text.trim() === "")).toEqual([]);
  });

  it("names only files that are there or that the build makes", () => {
    const paths = [
      ...JSON.stringify(manifest.contributes).matchAll(/"(?:\.\/)?((?:media|syntaxes)\/[^"]+)"/g),
    ].map(([, path]) => path ?? "");
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !projectFiles().includes(path))).toEqual([]);
  });

  it("asks for no proposed interface, and a web view runs one script of ours alone", () => {
    expect("enabledApiProposals" in manifest || clientText.includes("enabledApiProposals")).toBe(false);
    const pages = [...clientText.matchAll(/webview\.html = (\w+)/g)].map(([, maker]) => maker);
    expect(new Set(pages)).toEqual(new Set(["pageHtml"]));
    expect(clientText).toContain("default-src 'none'");
    expect(/unsafe-(inline|eval)|innerHTML|dangerouslySetInnerHTML/.test(clientText)).toBe(false);
  });

  it("has a grammar whose expressions the editor can read", () => {
    const grammar = JSON.parse(
      readFileSync(join(projectRoot, "syntaxes", "ptx.tmLanguage.json"), "utf8"),
    ) as { readonly patterns: readonly { readonly match?: string; readonly begin?: string }[] };
    for (const { match, begin } of grammar.patterns)
      expect(() => new RegExp(match ?? begin ?? "(", "u")).not.toThrow();
  });
});
