import { counterCatalogue, counterNames } from "./counter-catalogue";

/** docs/counters.md: every counter with its definition, written from the catalogue by `npm run manifest`. */
export function counterPage(): string {
  const rows = counterNames.map((name) => {
    const { title, definition, metric } = counterCatalogue[name];
    return `| \`${name}\` | ${title} | ${definition} | ${metric === undefined ? "" : `\`${metric}\``} |`;
  });
  return [
    "# Counters",
    "",
    "<!-- Written by `npm run manifest` from server/core/timing/counter-rows.ts: change the rows there. -->",
    "",
    "Counted for each source line and for the whole kernel by the virtual GPU; `profile --json` and exports name them so. How the",
    "counts are used stands in [model.md](model.md).",
    "",
    "| name | title | definition | in Nsight Compute |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
