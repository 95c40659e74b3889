import { OperationalError } from "../../../core/base/operational-error";
import { cudaInPython, embeddingFile } from "../../../core/language/cuda-in-python";
import type { FileMaker, FileReader } from "../../../core/ports/files";

/** Files among which the CUDA code in texts of Python files has names of its own. */
export function withEmbeddedSources(files: FileReader & FileMaker): FileReader & FileMaker {
  return {
    read: async (path) => {
      const text = await files.read(path);
      const python = embeddingFile(path);
      if (text !== undefined || python === undefined) return text;
      const embedding = await files.read(python);
      return embedding === undefined ? undefined : cudaInPython(embedding, python);
    },
    list: (folder, suffixes) => files.list(folder, suffixes),
    create: (path, text) => files.create(path, text),
  };
}

/** Refuses to edit code in a text of Python, with `spec-invalid`: a candidate is a file. */
export function refuseEmbedded(file: string): void {
  const python = embeddingFile(file);
  if (python === undefined) return;
  throw new OperationalError("spec-invalid", {
    forUser: `${python} has its CUDA code in a text of Python, which check and profile judge and optimize cannot edit yet. Put that code into a .cu file, load it from there (torch.utils.cpp_extension.load), and optimize that file.`,
  });
}
