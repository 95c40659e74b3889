import { entry } from "../../../core/base/known";
import { olderCudaHeader } from "../../../core/base/compiling/older-cuda";
import { normalizePath } from "../../../core/base/path-rules";
import type { SourceTree } from "../../../core/judge/candidate";
import { deviceCode } from "../../../core/language/cuda/device/device-code";
import { withoutDeclaration } from "../../../core/language/cuda/device/device-text";
import { hostHalf } from "../../../core/language/cuda/device/host-half";
import { prepareText } from "../../../core/language/cuda/prepare";
import type { Grammars } from "../../../core/language/tree";
import type { DeviceSources } from "../../../core/ports/device-sources";
import { outsideHeaders } from "./outside-headers";

/** Under this name the stand-in for PyTorch's headers lies at the top of the sources. */
const torchHeaderName = "kernelwright-torch.h";
const torchInclude = /^([ \t]*#[ \t]*include[ \t]*)(?:<|")(?:torch|ATen|c10|THC|pybind11)\/[^>"\n]*(?:>|")/gm;

/** Below this folder lie headers from outside of the sources; `build.py` has it searched first. */
const outsideFolder = "kernelwright-outside";

/** Below this folder lie our headers of NVIDIA's libraries. */
const librariesFolder = "kernelwright-libraries";

/** Our stand-ins for PyTorch's headers: of device code, and behind it of host code around plain pointers. */
type TorchHeader = "torch.h" | "torch-host.h";

/**
 * `torchHeader` reads the text of a stand-in, `libraryHeaders` our headers of libraries (cuBLAS, cuRAND …)
 * by their names: kernels do not need the libraries themselves, which no toolkit may have here. `readOutside`
 * reads a header by its absolute path.
 */
export function createDeviceSources(
  grammars: () => Promise<Grammars>,
  torchHeader: (name: TorchHeader) => Promise<string>,
  libraryHeaders: () => Promise<SourceTree>,
  readOutside: (path: string) => Promise<string | undefined>,
): DeviceSources {
  return {
    read: async (tree) => {
      const { files, instances } = deviceCode(await grammars(), cudaFiles(tree));
      const replaced = withoutTorch(files);
      const usesTorch = replaced !== files;
      const libraries = await libraryHeaders();
      return {
        files: {
          ...tree,
          ...withLibraries(replaced, libraries),
          ...(usesTorch ? { [torchHeaderName]: await torchHeader("torch.h") } : {}),
        },
        instances,
        usesTorch,
      };
    },
    withoutDeclarations: async (tree, places) => {
      const loaded = await grammars();
      return places.reduce((files, place) => withoutPlace(loaded, files, place), tree);
    },
    withLibraries: async (tree) => {
      const own = cudaFiles(tree);
      const provided = withLibraries(own, await libraryHeaders());
      return provided === own ? tree : { ...tree, ...provided };
    },
    withOlderCuda: async (tree) => withOlderCuda(tree, await libraryHeaders()),
    withOutside: async (tree, folders) => {
      const headers = await outsideHeaders(tree, folders, readOutside);
      if (Object.keys(headers).length === 0) return tree;
      const plain = withoutTorch(deviceCode(await grammars(), headers).files);
      return {
        ...tree,
        ...Object.fromEntries(
          Object.entries(plain).map(([name, text]) => [`${outsideFolder}/${name}`, text]),
        ),
        [torchHeaderName]: await torchHeader("torch.h"),
      };
    },
    torchStandIn: async (tree) => {
      const own = cudaFiles(tree);
      const replaced = withoutTorch(own);
      if (replaced === own) return undefined;
      const header = `${await torchHeader("torch.h")}\n${await torchHeader("torch-host.h")}`;
      return { ...tree, ...replaced, [torchHeaderName]: header };
    },
    hostHalf: async (tree, macros) => {
      const half = hostHalf(await grammars(), cudaFiles(tree), macros);
      return { ...half, files: { ...tree, ...half.files } };
    },
  };
}

/** The same object where nothing is declared there, or code of the device. */
function withoutPlace(
  grammars: Grammars,
  files: SourceTree,
  { file: named, line }: { readonly file: string; readonly line: number },
): SourceTree {
  const file = normalizePath(named) ?? named;
  const text = files[file];
  if (text === undefined) return files;
  const tree = grammars.cuda.parse(prepareText(text));
  try {
    const left = withoutDeclaration(tree.root, text, line);
    return left === text ? files : { ...files, [file]: left };
  } finally {
    tree.dispose();
  }
}

/** Includes of PyTorch's headers lead to the stand-in; the same object where there are none. */
function withoutTorch(files: SourceTree): SourceTree {
  const replaced = Object.entries(files).map(
    ([path, text]) => [path, text.replace(torchInclude, `$1"${torchHeaderName}"`)] as const,
  );
  return replaced.every(([path, text]) => text === files[path]) ? files : Object.fromEntries(replaced);
}

/** Includes of libraries lead to our headers of them, which are put beside the sources that need them. */
function withLibraries(files: SourceTree, headers: SourceTree): SourceTree {
  const names = Object.keys(headers).map((name) => name.replace(".", "\\."));
  if (names.length === 0) return files;
  const includes = new RegExp(`^([ \\t]*#[ \\t]*include[ \\t]*)[<"](${names.join("|")})[>"]`, "gm");
  const read = Object.entries(files).map(
    ([path, text]) => [path, text.replace(includes, `$1"${librariesFolder}/$2"`)] as const,
  );
  if (read.every(([path, text]) => text === files[path])) return files;
  const beside = Object.entries(headers).map(([name, text]) => [`${librariesFolder}/${name}`, text] as const);
  return Object.fromEntries([...read, ...beside]);
}

function withOlderCuda(
  tree: SourceTree,
  headers: SourceTree,
): { readonly files: SourceTree; readonly prelude: string } {
  const path = `${librariesFolder}/${olderCudaHeader}`;
  return { files: { ...tree, [path]: entry(headers, olderCudaHeader) }, prelude: `#include "${path}"\n` };
}

function cudaFiles(tree: SourceTree): SourceTree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.endsWith(".py")));
}
