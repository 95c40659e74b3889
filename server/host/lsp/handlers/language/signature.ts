import type { Position, SignatureHelp, SignatureInformation } from "vscode-languageserver";
import { last } from "../../../../core/base/known";
import type { KernelFacts } from "../../../../core/language/facts";
import type { CallSite } from "../../../../core/reference/call-site";
import type { ServerContext } from "../../context";
import { parametersIn, signaturesOf } from "../../views/reference-text";
import { callAt, entryOf, helped } from "./known-name";
import { kernelsNamed } from "./kernels-named";

/** What a call takes: of CUDA or Triton by the tables, of a launch by the kernel, wherever it is defined. */
export async function signatureHelp(
  context: ServerContext,
  uri: string,
  position: Position,
): Promise<SignatureHelp | null> {
  const source = helped(context, uri);
  if (source === undefined) return null;
  const offset = source.document.offsetAt(position);
  const call = callAt(source, offset);
  if (call === undefined) return null;
  const entry = call.launch ? undefined : entryOf(source, call.callee);
  if (entry !== undefined) return helpWith(signaturesOf(entry), call);
  if (!call.launch) return null;
  const kernels = await kernelsNamed(context, uri, last(call.callee.split(/::|\./)));
  return helpWith(
    kernels.map(({ facts }) => launchSignature(facts)),
    call,
  );
}

/** `nn::scale(float* x, int n)`. */
export function kernelLabel(facts: KernelFacts): string {
  const parameters = facts.parameters.map(({ name, type, constexpr }) => {
    if (facts.dialect === "cuda") return `${type} ${name}`.trim();
    return constexpr ? `${name}: tl.constexpr` : name;
  });
  return `${facts.qualifiedName}(${parameters.join(", ")})`;
}

function launchSignature(facts: KernelFacts): SignatureInformation {
  const label = kernelLabel(facts);
  return { label, parameters: parametersIn(label).map(({ span }) => ({ label: span })) };
}

function helpWith(signatures: readonly SignatureInformation[], call: CallSite): SignatureHelp | null {
  if (signatures.length === 0) return null;
  const fitting = signatures.findIndex(({ parameters = [] }) => parameters.length > call.argument);
  const activeSignature = Math.max(0, fitting);
  const activeParameter = parameterOf(signatures[activeSignature], call);
  return { signatures: [...signatures], activeSignature, activeParameter };
}

function parameterOf(signature: SignatureInformation | undefined, call: CallSite): number {
  if (signature === undefined || call.keyword === undefined) return call.argument;
  const named = parametersIn(signature.label).findIndex(({ name }) => name === call.keyword);
  return named < 0 ? call.argument : named;
}
