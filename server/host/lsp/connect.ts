import { ProposedFeatures, createConnection, type Connection } from "vscode-languageserver/node";

/**
 * A connection over given streams, or over what the command line names. No proposed feature is used; the set
 * is the library's name for "all".
 */
export function connect(input?: NodeJS.ReadableStream, output?: NodeJS.WritableStream): Connection {
  return input === undefined || output === undefined
    ? createConnection(ProposedFeatures.all)
    : createConnection(ProposedFeatures.all, input, output);
}
