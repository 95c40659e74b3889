import { OperationalError } from "../../../core/base/operational-error";
import { toKernelView } from "../views/convert";
import { textOnDisk } from "../uris";
import type { Handler } from "./handler";

/** Kernels of a document, open in the editor or on disk only. */
export const kernels: Handler<"kernelwright/kernels"> = async (context, { uri }) => {
  const open = context.documents.get(uri);
  if (open !== undefined)
    return open
      .findKernels()
      .map((kernel) => toKernelView(uri, kernel, context.specs.find(uri, kernel.name)));
  const text = await textOnDisk(uri);
  if (text === undefined)
    throw new OperationalError("file-not-found", {
      forUser: `${uri}: there is no such file to look for kernels in.`,
    });
  await context.specs.refresh(uri);
  const document = context.documents.create({ uri, languageId: "", version: 0, text });
  try {
    return document
      .findKernels()
      .map((kernel) => toKernelView(uri, kernel, context.specs.find(uri, kernel.name)));
  } finally {
    document.dispose();
  }
};
