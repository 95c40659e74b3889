import { expect, test } from "vitest";
import { editedFiles, editProblem, readRecipes } from "../recipes/recipe";
import { projectRoot, readProjectFile } from "./project";

const recipes = readRecipes();

/** Rows of the table in server/ARCHITECTURE.md: what is added, and how many files are edited by hand. */
function tableRows(): readonly string[] {
  const page = readProjectFile("server/ARCHITECTURE.md");
  const table = page.slice(page.indexOf("## Recipes and their touch budget"));
  return [...table.matchAll(/^\| (?!to add|---)([^|]+) \| [^|]+ \| (\d+)[^|]* \|$/gm)].map(
    ([, adds = "", edits = ""]) => `${adds}: ${edits} edited by hand`,
  );
}

test("the table of recipes is what the recipes do; test/recipes performs them on a copy of the tree", () => {
  const performed = recipes.map((recipe) => `${recipe.adds}: ${editedFiles(recipe).length} edited by hand`);
  expect(tableRows().toSorted()).toEqual(performed.toSorted());
});

test("every edit of a recipe finds its line", () => {
  const problems = recipes.flatMap(({ name, edits }) =>
    edits.map((edit) => editProblem(name, edit, projectRoot)).filter((problem) => problem !== undefined),
  );
  expect(problems).toEqual([]);
});
