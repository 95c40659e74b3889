import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { router } from "../../../server/host/lsp/router";

/** Names of the members of an interface, as its source has them. */
function membersOf(path: string, name: string): readonly string[] {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const found = source.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  return (found?.members ?? []).map((member) =>
    member.name !== undefined && ts.isStringLiteral(member.name) ? member.name.text : "",
  );
}

test("the router has exactly the requests of the protocol, in their order", () => {
  expect(Object.keys(router)).toEqual(membersOf("server/protocol/requests.ts", "Requests"));
});

test("each line of the router has a file of its own", () => {
  const routes = [
    "router.ts",
    "models/model-routes.ts",
    "handlers/starting/starting-routes.ts",
    "handlers/code/code-routes.ts",
    "handlers/spec-file/spec-routes.ts",
    "handlers/programs/program-routes.ts",
    "handlers/sessions/session-routes.ts",
    "handlers/sessions/candidates/candidate-routes.ts",
    "handlers/sessions/steering/steering-routes.ts",
  ].map((file) => readFileSync(`server/host/lsp/${file}`, "utf8"));
  const handlers = [...routes.join("\n").matchAll(/^import \{ \w+ \} from "(\.\/[a-z/-]+)";$/gm)]
    .map((match) => match[1])
    .filter((file) => !file?.endsWith("-routes"));
  expect(new Set(handlers).size).toBe(Object.keys(router).length);
});
