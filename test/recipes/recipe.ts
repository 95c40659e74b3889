import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { projectFiles, projectRoot } from "../architecture/project";

const recipesFolder = join(projectRoot, "test", "cases", "recipes");

/** Ending of new files in a recipe's folder, so that no compiler takes them for sources of ours. */
const newEnding = ".new";

/** An edit by hand: lines that are put in after a line of a file, or in the place of one. */
export interface RecipeEdit {
  readonly file: string;
  /** The whole line without its indentation; it stands once in the file. */
  readonly line: string;
  readonly put: "after" | "instead";
  readonly lines: readonly string[];
}

/** One row of the table in server/ARCHITECTURE.md, performed. */
export interface Recipe {
  readonly name: string;
  /** First cell of its row. */
  readonly adds: string;
  readonly edits: readonly RecipeEdit[];
  /** Paths of new files in the project. */
  readonly newFiles: readonly string[];
}

/** All recipes of test/cases/recipes. */
export function readRecipes(): readonly Recipe[] {
  return readdirSync(recipesFolder)
    .sort()
    .map((name) => {
      const folder = join(recipesFolder, name);
      const data = JSON.parse(readFileSync(join(folder, "recipe.json"), "utf8")) as Pick<
        Recipe,
        "adds" | "edits"
      >;
      return { name, ...data, newFiles: newFilesOf(folder) };
    });
}

function newFilesOf(folder: string): readonly string[] {
  const top = join(folder, "new");
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(newEnding))
    .map((path) => path.slice(0, -newEnding.length))
    .sort();
}

/** Files that a recipe edits by hand, each once. */
export function editedFiles({ edits }: Recipe): readonly string[] {
  return [...new Set(edits.map(({ file }) => file))];
}

/** A copy of the tree by hard links; what a recipe edits becomes a file of its own before it is written. */
export function copyTree(to: string): void {
  for (const path of projectFiles()) {
    const target = join(to, path);
    mkdirSync(dirname(target), { recursive: true });
    linkOrCopy(join(projectRoot, path), target);
  }
  symlinkSync(join(projectRoot, "node_modules"), join(to, "node_modules"));
  // The compiler goes on from what it knows, and writes there: this cannot be shared.
  const types = join(projectRoot, "out", "types");
  if (existsSync(types))
    cpSync(types, join(to, "out", "types"), { recursive: true, preserveTimestamps: true });
}

/** Two disks cannot share a file. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EXDEV")) throw thrown;
    cpSync(from, to);
  }
}

/** What is wrong with an edit on the tree as it is; undefined when its line stands once. */
export function editProblem(name: string, { file, line }: RecipeEdit, tree: string): string | undefined {
  const found = readFileSync(join(tree, file), "utf8").split("\n");
  const times = found.filter((each) => each.trim() === line).length;
  if (times === 1) return undefined;
  return `recipes/${name}/recipe.json: the line "${line}" stands ${times} times in ${file}, expected once`;
}

/** Puts a recipe into a copy of the tree: its new files and its edits. Throws for a line not found. */
export function perform(recipe: Recipe, tree: string): void {
  for (const path of recipe.newFiles) {
    if (existsSync(join(tree, path))) throw new Error(`${recipe.name}: ${path} is there already`);
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    cpSync(join(recipesFolder, recipe.name, "new", `${path}${newEnding}`), join(tree, path));
  }
  for (const edit of recipe.edits) writeApart(join(tree, edit.file), edited(recipe.name, edit, tree));
}

function edited(name: string, edit: RecipeEdit, tree: string): string {
  const problem = editProblem(name, edit, tree);
  if (problem !== undefined) throw new Error(problem);
  const text = readFileSync(join(tree, edit.file), "utf8").split("\n");
  const at = text.findIndex((each) => each.trim() === edit.line);
  const isAfter = edit.put === "after";
  return text.toSpliced(isAfter ? at + 1 : at, isAfter ? 0 : 1, ...edit.lines).join("\n");
}

/** Writes a file of the copy without touching the one that it is linked to. */
export function writeApart(file: string, text: string): void {
  rmSync(file);
  writeFileSync(file, text);
}
