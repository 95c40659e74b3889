import { show } from "../handshake/user-language";
import { retold } from "../../../core/base/localized";
import { t } from "../../../core/base/localized";
import type { DoctorMendsView, DoctorRowView } from "../../../protocol/doctor-views";
import type { DoctorRow } from "../../services/services";
import mendsByPiece from "./doctor-mends.json";
import type { Handler } from "./handler";

/** What is there, what each absence costs and what gets it: as rows, and as a page for reports. */
export const doctor: Handler<"kernelwright/doctor"> = async (context, _, signal) => {
  const { services } = await context.workspaces.first();
  const rows = await services.doctor.examine(signal);
  return show(() => ({
    rows: rows.filter(({ piece }) => piece !== editorPiece).map(viewOf),
    markdown: [
      t`# What Kernelwright finds on this machine`,
      "",
      ...rows.flatMap((row) => describeRow(row)),
    ].join("\n"),
  }));
};

/** The editor's own way to mend a piece, by the name of the piece; there is none for others. */
const mends: { readonly [piece: string]: DoctorMendsView } = mendsByPiece;
/** Whoever sees rows has an editor. */
const editorPiece = "Editor";
const nothing: DoctorMendsView = { runs: false, setting: "", decides: false, commands: [] };

function viewOf(row: DoctorRow): DoctorRowView {
  return {
    ...row,
    detail: retold(row.detail),
    cost: retold(row.cost),
    remedy: retold(row.remedy),
    mends: mends[row.piece] ?? nothing,
    protections: (row.protections ?? []).map(({ title, against, isActive, mend }) => ({
      ...{ title: retold(title), against: retold(against), isActive },
      mend: mend === "" ? "" : retold(mend),
    })),
  };
}

function describeRow(row: DoctorRow): readonly string[] {
  return [
    `## ${row.piece}: ${retold(row.state)}`,
    "",
    retold(row.detail),
    "",
    ...(row.cost === "" ? [] : [retold(row.cost), ""]),
    ...(row.remedy === "" ? [] : ["```", retold(row.remedy), "```", ""]),
    ...protectionLines(row),
  ];
}

function protectionLines({ protections = [] }: DoctorRow): readonly string[] {
  const lines = protections.map(({ title, against, isActive, mend }) => {
    const state = isActive ? t`active` : t`missing`;
    return `- **${retold(title)}** (${state}): ${[against, mend].filter(Boolean).map(retold).join(" ")}`;
  });
  return lines.length === 0 ? [] : [...lines, ""];
}
