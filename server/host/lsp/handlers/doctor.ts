import type { DoctorRow } from "../../services/services";
import type { Handler } from "./handler";

/** What is there, what each absence costs and the command that gets it. */
export const doctor: Handler<"kernelwright/doctor"> = async (context, _, signal) => {
  const { services } = await context.workspaces.first();
  return {
    markdown: [
      "# What Kernelwright finds on this machine",
      "",
      ...(await services.doctor.examine(signal)).flatMap(describeRow),
    ].join("\n"),
  };
};

function describeRow(row: DoctorRow): readonly string[] {
  return [
    `## ${row.piece}: ${row.state}`,
    "",
    row.detail,
    "",
    ...(row.cost === "" ? [] : [row.cost, ""]),
    ...(row.remedy === "" ? [] : ["```", row.remedy, "```", ""]),
  ];
}
