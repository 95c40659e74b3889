/** A Python file's CUDA code as a source of its own: `gelu.py` has `gelu.py.cu`. */
const embedded = /^(.+\.py)\.cu$/;

/** The name of the source that a Python file's CUDA code is. */
export function embeddedSource(file: string): string {
  return `${file}.cu`;
}

/** The Python file of such a source; undefined for other names. */
export function embeddingFile(source: string): string | undefined {
  return embedded.exec(source)?.[1];
}

/** A text of Python over several lines: its prefix, and what stands in it. */
const longText = /(?<![\w"'])([A-Za-z]{0,2})("""|''')([^]*?)\2/g;
/** Code for the GPU. */
const deviceCode = /\b__(?:global|device)__\b/;
/** A place in a formatted text that Python fills. */
const filled = /(?<!\{)\{(?!\{)/;

/**
 * The CUDA code that stands in texts of Python (`load_inline`, `RawKernel`), each character on the line where
 * Python has it and everything else blank. Undefined where no text holds a kernel. A formatted text with
 * places to fill is left out: what it says is not known. Before it stand what PyTorch puts before
 * the code of an inline extension, and the name of the Python file, so that the compiler tells places there.
 */
export function cudaInPython(python: string, file: string): string | undefined {
  let lines = "";
  let done = 0;
  let isFirst = true;
  for (const { index, 0: whole, 1: prefix = "", 3: inside = "" } of python.matchAll(longText)) {
    const text = deviceCode.test(inside) ? codeOf(inside, prefix.toLowerCase()) : undefined;
    if (text === undefined) continue;
    const before = python.slice(done, index).replace(/[^\n]+/g, "");
    lines += isFirst ? headed(before, { isInline: /\bload_inline\b/.test(python), file }) : before;
    lines += text;
    done = index + whole.length;
    isFirst = false;
  }
  return /\b__global__\b/.test(lines) ? `${lines}\n` : undefined;
}

/** The empty lines before the first text, with directives on the first of them as far as there is room. */
function headed(
  lines: string,
  { isInline, file }: { readonly isInline: boolean; readonly file: string },
): string {
  const empty = lines.split("\n").length - 1;
  const include = isInline ? ["#include <torch/extension.h>"] : [];
  const all = [...include, `#line ${include.length + 2} ${JSON.stringify(file)}`];
  const used = empty >= all.length ? all : include.slice(0, empty);
  return `${used.map((line) => `${line}\n`).join("")}${lines.slice(used.length)}`;
}

/** What Python makes of a text; undefined where only a run tells. */
function codeOf(inside: string, prefix: string): string | undefined {
  const isFormatted = prefix.includes("f");
  if (prefix.includes("b") || (isFormatted && filled.test(inside))) return undefined;
  const text = isFormatted ? inside.replace(/\{\{/g, "{").replace(/\}\}/g, "}") : inside;
  if (prefix.includes("r")) return text;
  // A line end that is written as an escape stays one of the C++ text: it stands inside of a literal.
  return text.replace(/\\([\\'"])/g, "$1");
}
