import * as z from "zod/mini";
import { isJsonObject } from "../../../core/base/json";
import { readJson } from "../../../core/base/shape";
import { patientFetch } from "../patient-fetch";

/**
 * What a server says of a fault, in the form that the protocol has for it: it may stand in a list (Gemini),
 * at the top (vLLM, SGLang), or be a mere text (Ollama, FastAPI). Undefined for a body that tells none.
 */
export function faultIn(body: unknown): object | undefined {
  if (Array.isArray(body)) return faultIn(body[0]);
  if (!isJsonObject(body)) return undefined;
  const { error, message, detail } = body;
  if (isJsonObject(error)) return error;
  if (typeof error === "string" && error !== "") return { ...body, message: error };
  if (typeof message === "string" && message !== "") return body;
  if (detail === undefined || detail === null) return undefined;
  return { message: typeof detail === "string" ? detail : JSON.stringify(detail) };
}

/** `patientFetch` whose answers tell their faults where the library looks for them. */
export async function faultFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await patientFetch(input, init);
  if (response.ok) return response;
  const text = await response.text();
  const fault = faultIn(readJson(z.unknown(), text));
  const body = fault === undefined ? text : JSON.stringify({ error: fault });
  const { status, statusText, headers } = response;
  return new Response(body === "" ? null : body, { status, statusText, headers });
}
