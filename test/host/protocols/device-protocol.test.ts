import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../../../server/setup/support/layout.mjs";
import * as messages from "../../../server/host/program/protocol/messages";
import { WireError, WireReader, WireWriter } from "../../../server/host/program/protocol/wire";
import { expectCase, readCase } from "../../harness/cases";
import {
  cppArguments,
  cppPrint,
  flat,
  type Field,
  positional,
  protocol,
  replyFields,
  type Values,
} from "./device-samples";

interface Sample {
  readonly request: Values;
  readonly reply?: Values;
}

const samples = JSON.parse(readCase("protocols/device.json")) as Readonly<Record<string, Sample>>;
const names = protocol.operations.map(({ name }) => name);
const folder = mkdtempSync(join(tmpdir(), "kernelwright-protocol-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const reader = (bytes: string): WireReader => new WireReader(Buffer.from(bytes, "hex"));

/** The device's functions, by the names that the generator gives them. */
const device = messages as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

function sampleOf(name: string): Sample {
  const sample = samples[name];
  if (sample === undefined) throw new Error(`test/cases/protocols/device.json has no sample of ${name}`);
  const without = replyFields(name).find((field) => !(field.name in (sample.reply ?? {})));
  if (sample.reply !== undefined && without !== undefined)
    throw new Error(`test/cases/protocols/device.json: the reply of ${name} has no ${without.name}`);
  return sample;
}

function requestFields(name: string): readonly Field[] {
  return protocol.operations.find((operation) => operation.name === name)?.request ?? [];
}

/** What a reader gave, as a case writes it. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

function wide(fields: readonly Field[], values: Values): Values {
  const converted = fields.map(({ name, type }) => {
    const value = values[name];
    const inner = protocol.structs[type.replace("[]", "")];
    if (type === "u64") return [name, BigInt(value as number)];
    if (inner === undefined) return [name, value];
    return [
      name,
      Array.isArray(value) ? value.map((one: Values) => wide(inner, one)) : wide(inner, value as Values),
    ];
  });
  return Object.fromEntries(converted) as Values;
}

/** The device writes the reply of a sample. */
function deviceReply(name: string, values: Values): string {
  const reply = protocol.operations.find((operation) => operation.name === name)?.reply;
  const writer = new WireWriter();
  const write = device[`write${typeof reply === "string" ? reply : `${capital(name)}Reply`}`];
  write?.(writer, wide(replyFields(name), values));
  return hex(writer.bytes());
}

const withReplies = names.filter((name) => sampleOf(name).reply !== undefined);
const replies = Object.fromEntries(
  withReplies.map((name) => [name, deviceReply(name, sampleOf(name).reply ?? {})]),
);

const pythonProgram = `
import json, sys
from kernelwright_worker.script import protocol
from kernelwright_worker.script.wire import Fields

def plain(value):
    if isinstance(value, tuple) or isinstance(value, list):
        return [plain(one) for one in value]
    return value

given = json.load(sys.stdin)
requests = {}
for name, (values, data, rest) in given["requests"].items():
    for at in data:
        values[at] = bytes(values[at])
    requests[name] = (getattr(protocol, name + "_request")(*values) + bytes(rest)).hex()
replies = {
    name: plain(getattr(protocol, "read_" + function)(Fields(bytes.fromhex(body))))
    for name, (function, body) in given["replies"].items()
}
json.dump({"requests": requests, "replies": replies}, sys.stdout)
`;

function python(): { readonly requests: Values; readonly replies: Values } {
  const requests = names.map((name) => {
    const fields = requestFields(name);
    const rest = fields.find(({ type }) => type === "rest");
    const sent = fields.filter((field) => field !== rest);
    const values = positional(sent, sampleOf(name).request);
    const data = sent.flatMap(({ type }, at) => (type === "data" ? [at] : []));
    return [name, [values, data, rest ? sampleOf(name).request[rest.name] : []]];
  });
  const functions = withReplies.map((name) => {
    const reply = protocol.operations.find((operation) => operation.name === name)?.reply;
    return [name, [typeof reply === "string" ? "module_content" : `${name}_reply`, replies[name]]];
  });
  const input = JSON.stringify({
    requests: Object.fromEntries(requests),
    replies: Object.fromEntries(functions),
  });
  const environment = { ...process.env, PYTHONPATH: inRepository("server", "worker") };
  const output = execFileSync("python3", ["-c", pythonProgram], {
    input,
    env: environment,
    encoding: "utf8",
  });
  return JSON.parse(output) as { readonly requests: Values; readonly replies: Values };
}

/** A program of the runtime's own codecs: each request as hex, each reply field by field. */
function cppProgram(): string {
  const requests = names.map(
    (name) =>
      `show("${name}", protocol::${name}Request(${cppArguments(requestFields(name), sampleOf(name).request)}));`,
  );
  const read = withReplies.map((name) => {
    const reply = protocol.operations.find((operation) => operation.name === name)?.reply;
    const type = typeof reply === "string" ? reply : `${capital(name)}Reply`;
    return `{ Reply reply = bodyOf("${replies[name]}"); protocol::${type} value; protocol::take(reply, value);
      std::printf("= ${name}\\n"); ${cppPrint(replyFields(name), "value")} }`;
  });
  return `
#include <cstdio>
#include "device/protocol.hpp"
using namespace kernelwright;
template <typename Value> const Value *addressOf(const Value &value) { return &value; }
static std::string json(const std::string &text) {
  std::string result = "\\"";
  for (char each : text) result += each == '\\n' ? std::string("\\\\n") : std::string(1, each);
  return result + "\\"";
}
static void show(const char *name, const Request &request) {
  std::printf("> %s %u ", name, static_cast<unsigned>(request.operation()));
  for (unsigned char each : request.bytes()) std::printf("%02x", each);
  std::printf("\\n");
}
static Reply bodyOf(const std::string &hex) {
  Reply reply;
  for (size_t at = 0; at < hex.size(); at += 2)
    reply.body.push_back(static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  return reply;
}
int main() {
${requests.join("\n")}
${read.join("\n")}
}
`;
}

test("the files that are made of the schemas are fresh", () => {
  const script = inRepository("server", "setup", "protocols.mjs");
  expect(execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" })).toBe("");
});

test("each operation has the bytes that were reviewed, and the device and a Python program agree on them", () => {
  const { requests, replies: read } = python();
  expectCase("protocols/device-bytes.json", { requests, replies });
  for (const name of names) {
    const request = device[`read${capital(name)}Request`]?.(reader(String(requests[name]))) ?? {};
    expect([name, plain(request)]).toEqual([name, sampleOf(name).request]);
  }
  for (const name of withReplies)
    expect([name, read[name]]).toEqual([name, positional(replyFields(name), sampleOf(name).reply ?? {})]);
});

test("the CUDA runtime agrees on them", () => {
  const source = join(folder, "codecs.cpp");
  writeFileSync(source, cppProgram());
  const program = join(folder, "codecs");
  execFileSync("g++", ["-std=c++17", "-I", inRepository("server", "runtime"), source, "-o", program]);
  const lines = execFileSync(program, { encoding: "utf8" }).trimEnd().split("\n");
  const golden = JSON.parse(readCase("protocols/device-bytes.json")) as { readonly requests: Values };
  const expected = names.map((name) => {
    const { number } = protocol.operations.find((operation) => operation.name === name) ?? { number: 0 };
    const rest = requestFields(name).find(({ type }) => type === "rest");
    const beside = rest ? hex(Uint8Array.from(sampleOf(name).request[rest.name] as number[])) : "";
    return `> ${name} ${number} ${String(golden.requests[name]).slice(0, -beside.length || undefined)}`;
  });
  const fields = withReplies.flatMap((name) => [
    `= ${name}`,
    ...flat(replyFields(name), sampleOf(name).reply ?? {}).map((value) => JSON.stringify(value)),
  ]);
  expect(lines.map((line) => line.trimEnd())).toEqual([...expected, ...fields].map((line) => line.trimEnd()));
});

test("a request that ends too early, or names more elements than it has bytes, is refused", () => {
  const golden = JSON.parse(readCase("protocols/device-bytes.json")) as { readonly requests: Values };
  for (const name of names) {
    const read = device[`read${capital(name)}Request`];
    const bytes = String(golden.requests[name]);
    if (read === undefined || requestFields(name).some(({ type }) => type === "rest")) continue;
    expect(() => read(reader(bytes.slice(0, -2))), name).toThrow(WireError);
  }
  expect(() => messages.readLinkRequest(reader("ffffffff"))).toThrow(
    "a list of 4294967295 elements does not fit in the 4 bytes of a request",
  );
});
