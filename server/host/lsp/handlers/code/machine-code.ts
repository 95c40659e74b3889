import { t } from "../../../../core/base/localized";
import { OperationalError } from "../../../../core/base/operational-error";
import { readTarget, requireTrust } from "../../context";
import { textOnDisk } from "../../uris";
import { toMachineCodeView } from "../../views/convert-listings";
import type { Handler } from "../handler";

/** PTX, machine code and, of Triton, what lies between, of a kernel as it is on disk. */
export const machineCode: Handler<"kernelwright/machineCode"> = async (context, params, signal) => {
  requireTrust(context.client, t`Show Machine Code`);
  const { uri, kernel } = params;
  const { services, file } = await context.workspaces.placeOf(uri);
  const text = await textOnDisk(uri);
  if (text === undefined)
    throw new OperationalError("file-not-found", { forUser: `${uri}: there is no such file to compile.` });
  const target = readTarget(context, uri);
  const forms = await services.machineCode.forms({ file, kernel }, { target, signal });
  return toMachineCodeView({ kernel, file, text, forms });
};
