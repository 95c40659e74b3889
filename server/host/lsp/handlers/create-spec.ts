import { OperationalError } from "../../../core/base/operational-error";
import type { Handler } from "./handler";

/** The text of a spec for a kernel; the client writes it, so that the user sees it before it is a file. */
export const createSpec: Handler<"kernelwright/createSpec"> = async (context, { uri, kernel }) => {
  const { services, folder, file } = await context.workspaces.placeOf(uri);
  const document = context.documents.get(uri);
  if (
    document !== undefined &&
    !document.findKernels().some((found) => found.name === kernel || found.qualifiedName === kernel)
  ) {
    throw new OperationalError("kernel-not-found", { forUser: `${file} has no kernel ${kernel}.` });
  }
  const found = await services.specs.find({ file, kernel });
  return {
    uri: context.workspaces.uriOf(folder, found.specPath),
    text: found.text,
    unknowns: found.unknowns,
    exists: !found.inferred,
  };
};
