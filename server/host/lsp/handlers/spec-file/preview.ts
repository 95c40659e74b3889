import { t } from "../../../../core/base/localized";
import { readTarget, requireTrust } from "../../context";
import { textOnDisk } from "../../uris";
import { previewDetail, previewSummary } from "../../views/convert-preview";
import type { Handler } from "../handler";

/** The spec as it stands in the editor, run once with its smallest shape. */
export const preview: Handler<"kernelwright/preview"> = async (context, { uri }, signal) => {
  requireTrust(context.client, t`Preview run`);
  const { services, file } = await context.workspaces.placeOf(uri);
  const text = context.documents.get(uri)?.text ?? (await textOnDisk(uri)) ?? "";
  const target = readTarget(context, uri);
  const ran = await services.previews.run({ specPath: file, text }, { target, signal });
  return {
    passed: ran.verdict.kind === "correct",
    summary: previewSummary(ran),
    detail: previewDetail(ran),
  };
};
