import { last } from "../../base/known";
import { type Outcome, fail, succeed } from "../../base/outcome";
import type { KernelSpec } from "../spec";
import { argumentName, doubledName, plainName } from "./argument-names";

/** An empty kernel, and the function that is to call it. */
export function firstTritonSource(spec: KernelSpec): Outcome<string, string> {
  const { run } = spec;
  const kernel = last(spec.kernel.split("::"));
  if (run.kind !== "entry") return fail('a Triton kernel needs an "entry", the function that launches it');
  const name = run.entry.call.slice(spec.file.length + "::".length);
  if (!plainName.test(name) || name === kernel || !plainName.test(kernel))
    return fail(`the entry ${run.entry.call} is no function with a plain name of its own`);
  const parameters = run.entry.arguments.map(argumentName);
  const doubled = doubledName(parameters);
  if (doubled !== undefined) return fail(`two arguments are called ${doubled}`);
  return succeed(
    [
      "import torch",
      "import triton",
      "import triton.language as tl",
      "",
      "",
      "@triton.jit",
      `def ${kernel}():`,
      "    pass",
      "",
      "",
      `def ${name}(${parameters.join(", ")}):`,
      `    raise NotImplementedError("${name} computes nothing yet")`,
      "",
    ].join("\n"),
  );
}
