import { expect, test } from "vitest";
import manifest from "../../package.json";
import layers from "./layers.json";
import { projectFiles, readProjectFile } from "./project";

const files = projectFiles();

test("every package of package.json is named by a source, a script or a test", () => {
  const texts = files
    .filter((path) => /\.(ts|mjs|json)$/.test(path) && !/^package(-lock)?\.json$|^test\/cases\//.test(path))
    .map(readProjectFile);
  const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const scripts = Object.values(manifest.scripts).join("\n");
  // Found by the package's name: types without a module of their own, and the linter's typed rules.
  const ambient = ["@types/node", "@types/vscode", "oxlint-tsgolint"];
  const idle = packages.filter(
    (name) =>
      !ambient.includes(name) &&
      !scripts.includes(name) &&
      !texts.some((text) =>
        [`"${name}`, `node_modules/${name}"`, `"${commandOf(name)}"`].some((way) => text.includes(way)),
      ),
  );
  expect(idle).toEqual([]);
});

/** A package of a scope whose command is run: `@vscode/vsce` is `vsce`. */
function commandOf(name: string): string {
  return name.startsWith("@") ? (name.split("/")[1] ?? name) : name;
}

test("every layer is a folder or a file that is there", () => {
  const gone = Object.keys(layers.allowed).filter(
    (layer) =>
      !files.some((path) => path === layer || path === `${layer}.ts` || path.startsWith(`${layer}/`)),
  );
  expect(gone).toEqual([]);
});
