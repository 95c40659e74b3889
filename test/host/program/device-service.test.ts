import { expect, test } from "vitest";
import { RequestDecoder } from "../../../server/host/program/service/request-decoder";
import { headerBytes } from "../../../server/host/program/protocol/messages";
import { WireReader, WireWriter } from "../../../server/host/program/protocol/wire";
import { Program, ptx } from "./device-program";

test("a program allocates, writes, launches and reads", () => {
  const program = new Program();
  expect(program.load()).toBe(0);
  const address = program.allocate(16);
  expect(program.write(address, [1, 2, 3, 4])).toBe(0);
  expect(program.launch(address, 32)).toEqual({ status: 0, message: "" });
  expect(program.read(address, 4)).toEqual({ status: 0, values: [9, 11, 13, 15], message: "" });
});

test.each([
  ["nobody has ended them", 0, "0 ", [9, 11, 13, 15]],
  ["their program was ended", 1, "719 the launch was stopped", []],
] as const)("launches where %s", (_, word, expected, values) => {
  const ending = new SharedArrayBuffer(4);
  const program = new Program(false, { ending });
  program.load();
  const address = program.allocate(16);
  program.write(address, [1, 2, 3, 4]);
  new Int32Array(ending)[0] = word;
  program.launch(address, 32);
  const read = program.read(address, 4);
  expect([`${read.status} ${read.message}`, read.values]).toEqual([expected, values]);
});

test("what is wrong with a launch is answered at once", () => {
  const program = new Program();
  program.load();
  const address = program.allocate(16);
  expect(
    [
      program.launch(address, 2048),
      program.launch(address, 0),
      program.launch(address, 32, { kernel: "thrice" }),
      program.launch(address, 32, { dynamic: 49_153 }),
      program.launch(address, 32, { dynamic: 200_000 }),
    ].map(({ status, message }) => `${status} ${message}`),
  ).toEqual([
    "1 a block of (2048, 1, 1) threads is out of range: the most is (1024, 1024, 64), and 1024 in all",
    "1 a block of (0, 1, 1) threads is out of range: the most is (1024, 1024, 64), and 1024 in all",
    "98 there is no kernel thrice",
    "1 49153 bytes of dynamic shared memory are more than 49152: allow them with cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
    "1 200000 bytes of shared memory a block are more than the 166912 that sm_80 has",
  ]);
  expect(program.read(address, 4).status).toBe(0);
});

test("a module that cannot be loaded is the virtual GPU's fault, and ends nothing", () => {
  const program = new Program();
  const load = (text: string): number => program.ask(8, new WireWriter().text(text).count(0).bytes()).status;
  const variable = (name: string): string =>
    `.version 8.0\n.target sm_80\n.address_size 64\n.global .align 4 .b8 ${name}[250000000];\n`;
  for (let count = 0; count < 3; count += 1) program.allocate(1_300_000_000);
  expect([
    load(ptx.replace("setp.ge.u32", "}")),
    load(variable("large")),
    load(variable("larger")),
    load(ptx),
  ]).toEqual([200, 0, 2, 0]);
  expect(program.device.report().findings).toEqual([]);
  expect(program.device.report().problems.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    expect.stringMatching(
      /^refused: the virtual GPU cannot run the program's kernels: the PTX is not understood on its line 10: /,
    ),
    "refused: the virtual GPU cannot run the program's kernels: the virtual GPU's memory of 4 GiB is used up",
  ]);
});

test("a fault breaks the context until it is reset, and is told in the report", () => {
  const program = new Program();
  program.load();
  const address = program.allocate(16);
  program.write(address, [1, 2, 3, 4]);
  expect(program.launch(address, 32, { count: 5 }).status).toBe(0);
  expect(program.read(address, 4).status).toBe(700);
  expect(program.launch(address, 32).status).toBe(700);
  expect(
    program.device
      .report()
      .problems.map(({ kind, where, message, allocation }) => ({ kind, where, message, allocation })),
  ).toEqual([
    {
      kind: "out-of-bounds",
      where: "a.cu:7",
      allocation: { name: "buffer 1", where: "a.cu:3" },
      message: `out of bounds: thread (4,0,0) of block (0,0,0) reads 4 bytes at 0x${(address + 16n).toString(16)}, 4 bytes behind the end of "buffer 1" (16 bytes)`,
    },
  ]);
  expect(program.ask(14).status).toBe(0);
  expect(program.read(program.allocate(16), 4).status).toBe(0);
});

test("a sanitizer tells what host code does with device memory", () => {
  const program = new Program(true);
  const address = program.allocate(16);
  program.write(address, [1, 2]);
  program.read(address, 4);
  program.read(address, 5);
  const free = (): number => program.ask(3, new WireWriter().wide(address).text("a.cu:11").bytes()).status;
  expect([free(), free(), program.read(address, 1).status]).toEqual([0, 1, 1]);
  expect(program.device.report().findings.map(({ message, where }) => `${where}: ${message}`)).toEqual([
    'a.cu:9: never written: 8 of the 16 bytes that the host reads from "buffer 1"',
    'a.cu:9: out of bounds: the host reads 20 bytes, and they end 4 bytes behind the end of "buffer 1" (16 bytes)',
    'a.cu:11: double free: "buffer 1" is freed a second time',
    'a.cu:9: use after free: the host reads 4 bytes of "buffer 1"',
  ]);
});

test("a loop over new allocations tells of one cause once", () => {
  const program = new Program(true);
  program.load();
  for (let turn = 0; turn < 3; turn += 1) {
    const address = program.allocate(16);
    program.write(address, [1, 2, 3, 4]);
    program.launch(address, 32, { count: 5 });
    program.read(address, 5);
  }
  const told = ({
    where,
    message,
    count,
  }: {
    readonly where: string;
    readonly message: string;
    readonly count: number;
  }): string => `${where}: ${message.replace(/ at 0x[0-9a-f]+/, "")}; ${count} times`;
  expect(program.device.report().findings.map(told)).toEqual([
    'a.cu:7: out of bounds: thread (4,0,0) of block (0,0,0) reads 4 bytes, 4 bytes behind the end of "buffer 1" (16 bytes); 3 times',
    'a.cu:7: out of bounds: thread (4,0,0) of block (0,0,0) writes 4 bytes, 4 bytes behind the end of "buffer 1" (16 bytes); 3 times',
    'a.cu:9: out of bounds: the host reads 20 bytes, and they end 4 bytes behind the end of "buffer 1" (16 bytes); 3 times',
  ]);
});

test("rectangles are copied row by row", () => {
  const program = new Program();
  const [from, to] = [program.allocate(64), program.allocate(64)];
  program.write(
    from,
    Array.from({ length: 16 }, (_, index) => index),
  );
  const copy = new WireWriter()
    .wide(to)
    .wide(8)
    .wide(from)
    .wide(16)
    .wide(8)
    .wide(3)
    .count(3)
    .text("")
    .bytes();
  expect(program.ask(7, copy).status).toBe(0);
  expect(program.read(to, 6).values).toEqual([0, 1, 4, 5, 8, 9]);
  const fill = new WireWriter().wide(to).wide(8).wide(4).wide(2).count(0x0102).count(2).text("").bytes();
  expect(program.ask(6, fill).status).toBe(0);
  expect(program.read(to, 4).values).toEqual([0x01020102, 1, 0x01020102, 5]);
});

test("rectangles without bytes touch nothing, however many rows are named", () => {
  const program = new Program(true);
  const address = program.allocate(16);
  const extents = [
    [0n, 2n ** 63n],
    [2n ** 63n, 0n],
    [0n, 0n],
  ] as const;
  const statuses = extents.map(([width, height]) => {
    const rectangle = (): WireWriter => new WireWriter().wide(address).wide(0).wide(width).wide(height);
    const requests: readonly (readonly [number, WireWriter])[] = [
      [4, rectangle().wide(0).text("")],
      [5, rectangle().text("")],
      [6, rectangle().count(7).count(1).text("")],
      [
        7,
        new WireWriter()
          .wide(address)
          .wide(0)
          .wide(address)
          .wide(0)
          .wide(width)
          .wide(height)
          .count(3)
          .text(""),
      ],
      [17, rectangle().text("")],
    ];
    return requests.map(([operation, body]) => program.ask(operation, body.bytes()).status);
  });
  expect([statuses, program.device.report().findings]).toEqual([extents.map(() => [0, 0, 0, 0, 0]), []]);
});

/** What is not as in a surface of 2 × 2 floats; `sampler` makes it a texture: filter and flags. */
interface Unusual {
  readonly kind?: number;
  readonly sizes?: readonly (number | bigint)[];
  readonly shape?: number;
  readonly format?: readonly number[];
  readonly sampler?: readonly [number, number];
}

/** A request for an object. */
function image(address: bigint, other: Unusual = {}): Uint8Array {
  const { sizes = [2, 2, 1, 8, 16], shape = 2, format = [1, 32, 2], sampler } = other;
  const writer = new WireWriter()
    .count(other.kind ?? (sampler ? 1 : 2))
    .wide(address)
    .count(shape);
  for (const size of sizes) writer.wide(size);
  for (const part of format) writer.count(part);
  if (sampler) for (const part of [1, 1, 1, ...sampler, 0, 0, 0, 0]) writer.count(part);
  return writer.text("a.cu:4").bytes();
}

test.each([
  ["a surface", {}, 0],
  ["a texture", { sampler: [1, 0] }, 0],
  ["a texture of bytes that are mixed as they are", { format: [4, 8, 1], sampler: [1, 0] }, 26],
  ["a texture of bytes that are mixed as floats", { format: [4, 8, 1], sampler: [1, 2] }, 0],
  ["a texture of words that are mixed", { format: [1, 32, 1], sampler: [1, 2] }, 26],
  ["no width", { sizes: [0, 2, 1, 8, 16] }, 1],
  ["an absurd width", { sizes: [2n ** 62n, 2, 1, 2n ** 63n, 16] }, 1],
  ["an absurd height", { sizes: [2, 2n ** 63n, 1, 8, 16] }, 1],
  ["rows that overlap", { sizes: [2, 2, 1, 4, 16] }, 1],
  ["slices that overlap", { sizes: [1, 2, 2, 4, 4] }, 1],
  ["more than the memory has", { sizes: [2, 3, 1, 8, 24] }, 1],
  ["three channels", { format: [3, 8, 1] }, 1],
  ["channels of 64 bits", { format: [1, 64, 1] }, 1],
  ["floats of 8 bits", { format: [1, 8, 2] }, 1],
  ["an unknown format", { format: [1, 8, 7] }, 1],
  ["an unknown shape", { shape: 9 }, 1],
  ["an unknown kind", { kind: 3 }, 1],
  ["an unknown filter", { sampler: [2, 0] }, 1],
] as const)("an object with %s", (_, other, status) => {
  const program = new Program();
  expect(program.ask(20, image(program.allocate(16), other)).status).toBe(status);
});

test("an object is destroyed once, as what it is, and a reset destroys all", () => {
  const program = new Program(true);
  const address = program.allocate(16);
  const drop = (kind: number, object: bigint): number =>
    program.ask(21, new WireWriter().count(kind).wide(object).text("a.cu:9").bytes()).status;
  const make = (): bigint => new WireReader(program.ask(20, image(address)).body).wide();
  const first = make();
  const second = make();
  expect([drop(1, first), drop(2, first), drop(2, first), drop(2, 77n), drop(1, 2n ** 64n - 1n)]).toEqual([
    1, 0, 1, 1, 1,
  ]);
  expect(program.ask(14).status).toBe(0);
  expect(drop(2, second)).toBe(1);
  expect(program.device.report().findings.map(({ message }) => message)).toEqual([
    "invalid object: 0x1 is no texture object",
    "invalid object: 0x1 was destroyed before",
    "invalid object: 0x4d is no surface object",
    "invalid object: 0x1fffffffffffff is no texture object",
    "invalid object: 0x2 was destroyed before",
  ]);
});

test("requests come out whole however the stream is cut", () => {
  const request = (operation: number, body: Uint8Array): Buffer => {
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32LE(operation, 0);
    header.writeBigUInt64LE(BigInt(body.byteLength), 8);
    return Buffer.concat([header, body]);
  };
  const stream = Buffer.concat([
    request(10, new Uint8Array()),
    request(4, Buffer.from("abcdef")),
    request(14, new Uint8Array()),
    request(2, Buffer.from("g")),
  ]);
  for (let size = 1; size <= stream.byteLength; size += 1) {
    const decoder = new RequestDecoder();
    const seen: string[] = [];
    for (let at = 0; at < stream.byteLength; at += size) {
      for (const { operation, body } of decoder.push(stream.subarray(at, at + size)))
        seen.push(`${operation}:${Buffer.from(body).toString()}`);
    }
    expect(seen).toEqual(["10:", "4:abcdef", "14:", "2:g"]);
  }
});
