import { t } from "../../../core/base/localized";
import { OperationalError } from "../../../core/base/operational-error";
import { readTarget, requireTrust } from "../context";
import type { Handler } from "./handler";

/**
 * The text of a spec for a kernel; the client writes it, so that the user sees it before it is a file. A
 * kernel without a spec is run to find out how it is exercised.
 */
export const createSpec: Handler<"kernelwright/createSpec"> = async (context, { uri, kernel }, signal) => {
  const { services, folder, file } = await context.workspaces.placeOf(uri);
  const document = context.documents.get(uri);
  if (
    document !== undefined &&
    !document.findKernels().some((found) => found.name === kernel || found.qualifiedName === kernel)
  ) {
    throw new OperationalError("kernel-not-found", { forUser: `${file} has no kernel ${kernel}.` });
  }
  const name = { file, kernel };
  const stored = await services.specs.stored(name);
  if (stored === undefined) requireTrust(context.client, t`Set up`);
  const found = stored ?? (await services.specs.infer(name, { target: readTarget(context, uri), signal }));
  return {
    uri: context.workspaces.uriOf(folder, found.specPath),
    text: found.text,
    unknowns: found.unknowns,
    exists: !found.inferred,
  };
};
