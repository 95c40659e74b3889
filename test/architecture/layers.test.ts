import { expect, test } from "vitest";
import { projectFiles } from "./project";
import type { ImportEdge } from "./module-names";
import { factsOf } from "./source-facts";
import layers from "./layers.json";

const files = projectFiles().filter((path) => /\.ts$/.test(path) && /^(client|server)\//.test(path));
const known = new Set(files.map((path) => path.replace(/(\.d)?\.ts$/, "")));

const edges = files.flatMap((path) => factsOf(path).edges);

/** The layer of a path: the longest folder of the table that contains it. */
function layerOf(path: string): string | undefined {
  return Object.keys(layers.allowed)
    .filter((layer) => path === layer || path.startsWith(`${layer}/`))
    .sort((a, b) => b.length - a.length)[0];
}

function layerFault(edge: ImportEdge): string | undefined {
  const from = layerOf(edge.from);
  if (from === undefined) return `${edge.from}: stands in no layer`;
  const rule = (layers.allowed as Record<string, { values: string[]; types?: string[]; packages: string[] }>)[
    from
  ];
  if (rule === undefined) return `${edge.from}: no rule`;
  if (!edge.relative) {
    const name = edge.to.startsWith("node:")
      ? "node:*"
      : edge.to
          .split("/")
          .slice(0, edge.to.startsWith("@") ? 2 : 1)
          .join("/");
    return rule.packages.includes(name) ? undefined : `${edge.from} may not import the package ${edge.to}`;
  }
  const to = layerOf(edge.to);
  if (to === from) return undefined;
  const allowed = edge.typeOnly ? [...rule.values, ...(rule.types ?? [])] : rule.values;
  return to !== undefined && allowed.includes(to)
    ? undefined
    : `${edge.from} may not import ${edge.to}${edge.typeOnly ? " (types)" : ""}`;
}

test("every file stands in a layer and imports only what its layer may", () => {
  const homeless = files
    .filter((path) => layerOf(path) === undefined)
    .map((path) => `${path}: stands in no layer`);
  expect([...homeless, ...edges.map(layerFault).filter((fault) => fault !== undefined)]).toEqual([]);
});

/**
 * Files that reach themselves by imports, type-only ones included: such files cannot be read one after the
 * other.
 */
function circleFaults(): string[] {
  const graph = new Map<string, string[]>();
  for (const edge of edges) {
    if (edge.relative && known.has(edge.to))
      graph.set(edge.from, [...(graph.get(edge.from) ?? []), `${edge.to}.ts`]);
  }
  const reachable = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [...(graph.get(start) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(graph.get(next) ?? []));
    }
    return seen;
  };
  return [...graph.keys()].filter((file) => reachable(file).has(file)).sort();
}

test("no file imports itself by way of others, type-only imports included", () => {
  expect(circleFaults()).toEqual([]);
});
