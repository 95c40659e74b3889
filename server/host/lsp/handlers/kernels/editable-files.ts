import { namedFiles } from "../../../../core/workload/command/named-files";
import type { Handler } from "../handler";

/**
 * The files that a run on a kernel may be allowed to change: its own, what that draws in and what its spec
 * names. Runs nothing.
 */
export const editableFiles: Handler<"kernelwright/editableFiles"> = async (context, { uri, kernel }) => {
  const { services, file } = await context.workspaces.placeOf(uri);
  const stored = await services.specs.stored({ file, kernel });
  const { files, patterns } = namedFiles(stored?.spec.editable ?? [], stored?.specFolder);
  const named = [...files, ...patterns];
  const drawn = await services.names.drawsIn(file, context.documents.get(uri)?.text);
  const others = [...new Set([...named, ...drawn])].filter((path) => path !== file).toSorted();
  return { file, others: others.map((path) => ({ path, bySpec: named.includes(path) })) };
};
