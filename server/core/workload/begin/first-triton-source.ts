import { last } from "../../base/known";
import { type Outcome, fail, succeed } from "../../base/outcome";
import type { ArgumentSpec, KernelSpec } from "../spec";

const plainName = /^[A-Za-z_]\w*$/;

/** An empty kernel, and the function that is to call it. */
export function firstTritonSource(spec: KernelSpec): Outcome<string, string> {
  const { run } = spec;
  const kernel = last(spec.kernel.split("::"));
  if (run.kind !== "entry") return fail('a Triton kernel needs an "entry", the function that launches it');
  const name = run.entry.call.slice(spec.file.length + "::".length);
  if (!plainName.test(name) || name === kernel || !plainName.test(kernel))
    return fail(`the entry ${run.entry.call} is no function with a plain name of its own`);
  const parameters = run.entry.arguments.map(parameterOf);
  const doubled = parameters.find((each, index) => parameters.indexOf(each) !== index);
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

function parameterOf(argument: ArgumentSpec, index: number): string {
  if (typeof argument === "string") return argument;
  if ("value" in argument && typeof argument.value === "string" && plainName.test(argument.value))
    return argument.value;
  return `value${index}`;
}
