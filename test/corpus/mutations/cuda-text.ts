import { closing, splitList } from "./workspace";

/** A `__global__` function as text: `head` is what stands before the brace, `body` has both braces. */
export interface CudaKernel {
  readonly start: number;
  readonly end: number;
  readonly head: string;
  readonly parameters: string;
  readonly body: string;
}

/** A launch as text; `start` to `end` is the statement with its semicolon. */
export interface CudaLaunch {
  readonly start: number;
  readonly end: number;
  /** The kernel with its template arguments. */
  readonly callee: string;
  readonly config: readonly string[];
  /** The arguments in their brackets, and the semicolon. */
  readonly rest: string;
}

export function isCuda(path: string): boolean {
  return /\.(cu|cuh)$/.test(path);
}

/** The definition of a kernel; undefined where the text has none that begins with `__global__`. */
export function cudaKernel(text: string, name: string): CudaKernel | undefined {
  for (const match of text.matchAll(new RegExp(`__global__[^;{}]*?\\b${name}\\s*\\(`, "g"))) {
    const open = match.index + match[0].length - 1;
    const close = closing(text, open);
    const brace = close === undefined ? -1 : text.indexOf("{", close);
    if (close === undefined || brace < 0 || text.slice(close, brace).trim() !== "") continue;
    const end = closing(text, brace);
    if (end === undefined) continue;
    return {
      start: match.index,
      end,
      head: text.slice(match.index, brace),
      parameters: text.slice(open + 1, close - 1),
      body: text.slice(brace, end),
    };
  }
  return undefined;
}

/** Launches that are statements of their own. */
export function launchesIn(text: string): readonly CudaLaunch[] {
  return [...text.matchAll(/([\w:]+(?:<[^;{}<>]*>)?)<<<([^;]*?)>>>\(/g)].flatMap((match) => {
    const open = match.index + match[0].length - 1;
    const close = closing(text, open);
    const isMacro = /^[ \t]*#define.*$/m.test(
      text.slice(text.lastIndexOf("\n", match.index) + 1, match.index),
    );
    if (close === undefined || text.charAt(close) !== ";" || isMacro) return [];
    return [
      {
        start: match.index,
        end: close + 1,
        callee: match[1] ?? "",
        config: splitList(match[2] ?? ""),
        rest: text.slice(open, close + 1),
      },
    ];
  });
}

/** Where the code begins, behind the last include and outside of comments. */
export function firstCodeLine(text: string): number {
  const last = [...text.matchAll(/^#(?:include|pragma once).*$/gm)].at(-1);
  return last ? last.index + last[0].length + 1 : 0;
}
