import { type CudaKernel, cudaKernel, firstCodeLine, isCuda, launchesIn } from "./cuda-text";
import {
  type Mutation,
  kernelText,
  rewriting,
  splitList,
  withEachText,
  withKernelText,
  word,
} from "./workspace";

/** A mutation of the kernel's own definition. */
function inKernel(name: string, rewrite: (kernel: CudaKernel) => string): Mutation {
  return rewriting(name, (text, kernel) => {
    const found = cudaKernel(text, kernel);
    return found ? text.slice(0, found.start) + rewrite(found) + text.slice(found.end) : text;
  });
}

function tabbed(text: string): string {
  return text.replaceAll(/^( {2,})/gm, (spaces) => "\t".repeat(Math.ceil(spaces.length / 4)));
}

/** Names of parameters; a part whose last word is a type alone has none. */
function parameterNames({ parameters }: CudaKernel): readonly string[] {
  return splitList(parameters).flatMap((parameter) => /[\s*&](\w+)$/.exec(parameter)?.[1] ?? []);
}

/** Puts statements at the head of the kernel's body. */
function opening({ head, body }: CudaKernel, statements: string, rewritten: string): string {
  return `${head}{\n${statements}${(rewritten === "" ? body : rewritten).slice(1)}`;
}

/** Text below the includes, so that what is put there may use their names. */
function belowIncludes(text: string, inserted: string): string {
  const at = firstCodeLine(text);
  return `${text.slice(0, at)}${inserted}\n${text.slice(at)}`;
}

/** Rewrites each `kernel<<<a, b…>>>(…);` of the workspace's CUDA files. */
function inLaunches(name: string, rewrite: (launch: string, config: readonly string[]) => string): Mutation {
  return {
    name,
    apply: (workspace) =>
      withEachText(workspace, isCuda, (text) =>
        launchesIn(text).reduceRight(
          (sofar, { start, end, callee, config, rest }) =>
            sofar.slice(0, start) + rewrite(`${callee}<<<CONFIG>>>${rest}`, config) + sofar.slice(end),
          text,
        ),
      ),
  };
}

const renamedArguments = inKernel("parameters renamed", (kernel) =>
  parameterNames(kernel).reduce(
    (text, name) => text.replaceAll(word(name), `${name}_arg`),
    kernel.head + kernel.body,
  ),
);

const renamedKernel: Mutation = {
  name: "kernel renamed",
  apply: (workspace) => {
    const kernel = `my_${workspace.kernel}_v2`;
    const files = withEachText(workspace, isCuda, (text) =>
      text.replaceAll(new RegExp(`\\b${workspace.kernel}\\b`, "g"), kernel),
    );
    return files && { ...files, kernel };
  },
};

const threadLocals = inKernel("locals for the thread and block indices", (kernel) => {
  const indices = ["threadIdx.x", "blockIdx.x", "threadIdx.y", "blockIdx.y"].filter((index) =>
    kernel.body.includes(index),
  );
  const local = (index: string): string => index.replace("Idx.", "_");
  const body = indices.reduce((text, index) => text.replaceAll(index, local(index)), kernel.body);
  const statements = indices.map((index) => `  const unsigned int ${local(index)} = ${index};\n`).join("");
  return statements === "" ? kernel.head + kernel.body : opening(kernel, statements, body);
});

const typedefs = rewriting("typedefs for the types of the parameters", (text, kernel) => {
  const found = cudaKernel(text, kernel);
  const type = ["float", "double", "int"].find((name) => found && word(name).test(found.parameters));
  if (!found || type === undefined) return text;
  const parameters = found.parameters.replaceAll(word(type), `${type}_type`);
  const head = found.head.replace(found.parameters, () => parameters);
  const rewritten = text.slice(0, found.start) + head + found.body + text.slice(found.end);
  return belowIncludes(rewritten, `typedef ${type} ${type}_type;`);
});

const braces = inKernel(
  "braces around lone statements",
  ({ head, body }) =>
    head +
    body.replaceAll(/^(\s*)(if \([^;{}]*\))\s+((?:return|continue|break);)\s*$/gm, "$1$2 {\n$1  $3\n$1}"),
);

const indexMacro = rewriting("a macro for the global index", (text) => {
  const written = /blockIdx\.x \* blockDim\.x \+ threadIdx\.x/g;
  if (!written.test(text)) return text;
  return belowIncludes(
    text.replaceAll(written, "GLOBAL_INDEX_X"),
    "#define GLOBAL_INDEX_X (blockIdx.x * blockDim.x + threadIdx.x)",
  );
});

const constants = rewriting("constants of the preprocessor as an enum, and the other way round", (text) =>
  text
    .replaceAll(/^#define[ \t]+([A-Z]\w*)[ \t]+(\d+)[ \t]*$/gm, "enum { $1 = $2 };")
    .replaceAll(/^(?:static )?const(?:expr)? (?:int|unsigned) (\w+) = (\d+);$/gm, "#define $1 $2"),
);

const comments = inKernel(
  "comments and line breaks among the tokens",
  ({ head, body, parameters }) =>
    head.replace(parameters, () => splitList(parameters).join(" /* next */,\n        ")) +
    body.replaceAll(/;$/gm, "; // {done}\n"),
);

const dimVariables = inLaunches("dim3 variables for the launch", (launch, [grid, block, ...more]) => {
  const config = ["launch_grid", "launch_block", ...more].join(", ");
  return `{ dim3 launch_grid(${grid}); dim3 launch_block(${block}); ${launch.replace("CONFIG", config)} }`;
});

const launchMacro: Mutation = {
  name: "a macro for the launch",
  apply: (workspace) => {
    const rewritten = inLaunches("", (launch, config) => {
      const [callee = "", rest = ""] = launch.split("<<<CONFIG>>>");
      const plain = [callee, ...config].every(
        (part) =>
          splitList(part.replaceAll("<", "(").replaceAll(">", ")")).length === 1 && !/<.*,/.test(part),
      );
      return plain
        ? `RUN_KERNEL(${[`(${callee})`, ...config].join(", ")})${rest}`
        : launch.replace("CONFIG", config.join(", "));
    }).apply(workspace);
    return (
      rewritten &&
      withEachText(rewritten, isCuda, (text) =>
        text.includes("RUN_KERNEL(")
          ? belowIncludes(text, "#define RUN_KERNEL(k, ...) k<<<__VA_ARGS__>>>")
          : text,
      )
    );
  },
};

const inHeader: Mutation = {
  name: "everything in a header that the file includes",
  apply: (workspace) => {
    if (!workspace.file.endsWith(".cu")) return undefined;
    const header = workspace.file.replace(/(\w+)\.cu$/, "$1_impl.cuh");
    const text = `#include "${header.split("/").at(-1)}"\n`;
    const files = new Map([...workspace.files, [workspace.file, text], [header, kernelText(workspace)]]);
    return { ...workspace, files, file: header };
  },
};

const qualifiers = inKernel(
  "qualifiers in the other order",
  ({ head, body }) => head.replace(/__global__ void\b/, "void __global__") + body,
);

const windowsLines: Mutation = {
  name: "lines as Windows ends them",
  apply: (workspace) =>
    withEachText(
      workspace,
      () => true,
      (text) => text.replaceAll("\n", "\r\n"),
    ),
};

/** The spec of a CUDA file, and the file in front of the function that its entry calls. */
const isSpec = (path: string): boolean => path.endsWith(".cu.kernel.json");
const entryCall = /("call"\s*:\s*"[^":]*\.cu::)(?=\w)/;

const ownNamespace: Mutation = {
  name: "all in a namespace",
  apply: (workspace) => {
    const text = kernelText(workspace);
    const alone = [...workspace.files.keys()].filter(isCuda).length === 1;
    if (!alone || /\bmain\s*\(|extern "C"|#include "|static __constant__/.test(text)) return undefined;
    const at = firstCodeLine(text);
    const wrapped = withKernelText(
      workspace,
      `${text.slice(0, at)}\nnamespace wrapped {\n${text.slice(at)}\n}  // namespace wrapped\n`,
    );
    // A spec names the function that is called with its namespaces.
    const named = wrapped && withEachText(wrapped, isSpec, (spec) => spec.replace(entryCall, "$1wrapped::"));
    return named ?? wrapped;
  },
};

const unsignedInt = rewriting("unsigned as uint32_t", (text) => {
  if (!/\bunsigned\b/.test(text) || /\buint32_t\b|unsigned (long|char|short)/.test(text)) return text;
  return `#include <cstdint>\n${text.replaceAll(/\bunsigned( int)?\b/g, "uint32_t")}`;
});

const allman = inKernel(
  "the brace of the body on its own line, tabs",
  ({ head, body }) => `${head.trimEnd()}\n{${tabbed(body.slice(1))}`,
);

const arrowBody = inKernel("the body in a block of its own", ({ head, body }) =>
  /\breturn\b/.test(body) || body.includes("#") ? head + body : `${head}{ do ${body} while (false); }`,
);

/** All mutations of CUDA sources. */
export const cudaMutations: readonly Mutation[] = [
  renamedArguments,
  renamedKernel,
  threadLocals,
  typedefs,
  braces,
  indexMacro,
  constants,
  comments,
  dimVariables,
  launchMacro,
  inHeader,
  qualifiers,
  windowsLines,
  ownNamespace,
  unsignedInt,
  allman,
  arrowBody,
];
