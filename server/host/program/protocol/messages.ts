// Made of device-protocol.json by `npm run protocols`: change it there.

import type { WireReader, WireWriter } from "./wire";

export const protocolVersion = 1;
/** Bytes before the body of a request or a reply. */
export const headerBytes = 16;

/** Numbers of the operations. */
export const operations = {
  hello: 1,
  allocate: 2,
  free: 3,
  write: 4,
  read: 5,
  fill: 6,
  copy: 7,
  load: 8,
  launch: 9,
  synchronize: 10,
  mark: 11,
  occupancy: 12,
  memory: 13,
  reset: 14,
  elapsed: 15,
  limit: 16,
  fetch: 17,
  tell: 18,
  misuse: 19,
  image: 20,
  drop: 21,
  link: 22,
  turn: 23,
  refetch: 24,
} as const;

export type OperationName = keyof typeof operations;

/** Numbers of `cudaError_t` that the device answers with. */
export const statuses = {
  success: 0,
  invalidValue: 1,
  memoryAllocation: 2,
  invalidConfiguration: 9,
  invalidFilterSetting: 26,
  invalidDeviceFunction: 98,
  invalidImage: 200,
  illegalAddress: 700,
  launchOutOfResources: 701,
  launchTimeout: 702,
  assertion: 710,
  misalignedAddress: 716,
  launchFailure: 719,
  cooperativeLaunchTooLarge: 720,
  notSupported: 801,
  invalidClusterSize: 912,
} as const;

export const deviceFlags = {
  sanitizes: 1,
  profiles: 2,
} as const;

export const launchFlags = {
  cooperative: 1,
  counted: 2,
  breaksWhenRefused: 4,
  triton: 8,
  sampled: 16,
  programmatic: 32,
  largeClusters: 64,
} as const;

export const imageKinds = {
  texture: 1,
  surface: 2,
} as const;

export const imageShapes = {
  linear: 0,
  oneDimensional: 1,
  twoDimensional: 2,
  threeDimensional: 3,
  layeredOneDimensional: 4,
  layeredTwoDimensional: 5,
  cube: 6,
} as const;

export const samplerFlags = {
  normalized: 1,
  readsNormalized: 2,
  srgb: 4,
} as const;

export const turnEnds = {
  none: 0,
  returned: 1,
  raised: 2,
  crashed: 3,
  failed: 4,
} as const;

export const turnFlags = {
  latestStreamFirst: 1,
  callsTwice: 2,
  othersFirst: 4,
  secondDevice: 8,
  roundedUp: 16,
  roundedDown: 32,
} as const;

export const deviceLimits = {
  stackSize: 0,
  mallocHeapSize: 2,
} as const;

function readList<Element>(reader: WireReader, read: (reader: WireReader) => Element): readonly Element[] {
  return Array.from({ length: reader.listLength() }, () => read(reader));
}

function writeList<Element>(
  writer: WireWriter,
  values: readonly Element[],
  write: (writer: WireWriter, value: Element) => void,
): void {
  writer.count(values.length);
  for (const value of values) write(writer, value);
}

export interface Rectangle {
  readonly address: bigint;
  readonly pitch: number;
  readonly width: number;
  readonly height: number;
}

export interface Side {
  readonly address: bigint;
  readonly pitch: number;
}

export interface Triple {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface ImageLayout {
  readonly address: bigint;
  readonly shape: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly pitch: number;
  readonly slice: number;
  readonly channels: number;
  readonly bits: number;
  readonly format: number;
}

export interface SamplerSettings {
  readonly addressing: Triple;
  readonly filter: number;
  readonly flags: number;
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

export interface SourcePart {
  readonly name: string;
  readonly ptx: string;
}

export interface KeptThings {
  readonly events: number;
  readonly streams: number;
  readonly graphs: number;
  readonly hostBytes: number;
  readonly strays: number;
}

export interface Attribute {
  readonly attribute: number;
  readonly value: number;
}

export interface LentBuffer {
  readonly address: bigint;
  readonly bytes: number;
}

export interface Word {
  readonly value: bigint;
}

export interface ParameterPlace {
  readonly offset: number;
  readonly bytes: number;
}

export interface KernelFacts {
  readonly name: string;
  readonly sharedBytes: number;
  readonly localBytes: number;
  readonly registers: number;
  readonly maxThreads: number;
  readonly parameters: readonly ParameterPlace[];
}

export interface VariableFacts {
  readonly name: string;
  readonly address: bigint;
  readonly bytes: number;
  readonly isConstant: number;
}

export interface ModuleContent {
  readonly module: bigint;
  readonly kernels: readonly KernelFacts[];
  readonly variables: readonly VariableFacts[];
}

export function readRectangle(reader: WireReader): Rectangle {
  const address = reader.wide();
  const pitch = reader.size();
  const width = reader.size();
  const height = reader.size();
  return { address, pitch, width, height };
}

export function readSide(reader: WireReader): Side {
  const address = reader.wide();
  const pitch = reader.size();
  return { address, pitch };
}

export function readTriple(reader: WireReader): Triple {
  const x = reader.count();
  const y = reader.count();
  const z = reader.count();
  return { x, y, z };
}

export function readImageLayout(reader: WireReader): ImageLayout {
  const address = reader.wide();
  const shape = reader.count();
  const width = reader.size();
  const height = reader.size();
  const depth = reader.size();
  const pitch = reader.size();
  const slice = reader.size();
  const channels = reader.count();
  const bits = reader.count();
  const format = reader.count();
  return { address, shape, width, height, depth, pitch, slice, channels, bits, format };
}

export function readSamplerSettings(reader: WireReader): SamplerSettings {
  const addressing = readTriple(reader);
  const filter = reader.count();
  const flags = reader.count();
  const red = reader.count();
  const green = reader.count();
  const blue = reader.count();
  const alpha = reader.count();
  return { addressing, filter, flags, red, green, blue, alpha };
}

export function readSourcePart(reader: WireReader): SourcePart {
  const name = reader.text();
  const ptx = reader.text();
  return { name, ptx };
}

export function readKeptThings(reader: WireReader): KeptThings {
  const events = reader.size();
  const streams = reader.size();
  const graphs = reader.size();
  const hostBytes = reader.size();
  const strays = reader.count();
  return { events, streams, graphs, hostBytes, strays };
}

export function writeAttribute(writer: WireWriter, value: Attribute): void {
  writer.count(value.attribute);
  writer.count(value.value);
}

export function writeLentBuffer(writer: WireWriter, value: LentBuffer): void {
  writer.wide(value.address);
  writer.wide(value.bytes);
}

export function writeWord(writer: WireWriter, value: Word): void {
  writer.wide(value.value);
}

export function writeParameterPlace(writer: WireWriter, value: ParameterPlace): void {
  writer.count(value.offset);
  writer.count(value.bytes);
}

export function writeKernelFacts(writer: WireWriter, value: KernelFacts): void {
  writer.text(value.name);
  writer.count(value.sharedBytes);
  writer.count(value.localBytes);
  writer.count(value.registers);
  writer.count(value.maxThreads);
  writeList(writer, value.parameters, writeParameterPlace);
}

export function writeVariableFacts(writer: WireWriter, value: VariableFacts): void {
  writer.text(value.name);
  writer.wide(value.address);
  writer.wide(value.bytes);
  writer.count(value.isConstant);
}

export function writeModuleContent(writer: WireWriter, value: ModuleContent): void {
  writer.wide(value.module);
  writeList(writer, value.kernels, writeKernelFacts);
  writeList(writer, value.variables, writeVariableFacts);
}

export interface HelloRequest {
  readonly version: number;
}

export function readHelloRequest(reader: WireReader): HelloRequest {
  const version = reader.count();
  return { version };
}

export interface AllocateRequest {
  readonly bytes: number;
  readonly name: string;
  readonly where: string;
}

export function readAllocateRequest(reader: WireReader): AllocateRequest {
  const bytes = reader.size();
  const name = reader.text();
  const where = reader.text();
  return { bytes, name, where };
}

export interface FreeRequest {
  readonly address: bigint;
  readonly where: string;
}

export function readFreeRequest(reader: WireReader): FreeRequest {
  const address = reader.wide();
  const where = reader.text();
  return { address, where };
}

export interface WriteRequest {
  readonly target: Rectangle;
  readonly offset: number;
  readonly where: string;
  readonly content: Uint8Array;
}

export function readWriteRequest(reader: WireReader): WriteRequest {
  const target = readRectangle(reader);
  const offset = reader.size();
  const where = reader.text();
  const content = reader.rest();
  return { target, offset, where, content };
}

export interface ReadRequest {
  readonly source: Rectangle;
  readonly where: string;
}

export function readReadRequest(reader: WireReader): ReadRequest {
  const source = readRectangle(reader);
  const where = reader.text();
  return { source, where };
}

export interface FillRequest {
  readonly target: Rectangle;
  readonly value: number;
  readonly unit: number;
  readonly where: string;
}

export function readFillRequest(reader: WireReader): FillRequest {
  const target = readRectangle(reader);
  const value = reader.count();
  const unit = reader.count();
  const where = reader.text();
  return { target, value, unit, where };
}

export interface CopyRequest {
  readonly target: Side;
  readonly source: Side;
  readonly width: number;
  readonly height: number;
  readonly direction: number;
  readonly where: string;
}

export function readCopyRequest(reader: WireReader): CopyRequest {
  const target = readSide(reader);
  const source = readSide(reader);
  const width = reader.size();
  const height = reader.size();
  const direction = reader.count();
  const where = reader.text();
  return { target, source, width, height, direction, where };
}

export interface LoadRequest {
  readonly ptx: string;
  readonly cubin: Uint8Array;
}

export function readLoadRequest(reader: WireReader): LoadRequest {
  const ptx = reader.text();
  const cubin = reader.sized();
  return { ptx, cubin };
}

export interface LaunchRequest {
  readonly module: bigint;
  readonly kernel: string;
  readonly grid: Triple;
  readonly block: Triple;
  readonly dynamicSharedBytes: number;
  readonly dynamicSharedLimit: number;
  readonly flags: number;
  readonly cluster: Triple;
  readonly where: string;
  readonly parameters: Uint8Array;
}

export function readLaunchRequest(reader: WireReader): LaunchRequest {
  const module = reader.wide();
  const kernel = reader.text();
  const grid = readTriple(reader);
  const block = readTriple(reader);
  const dynamicSharedBytes = reader.count();
  const dynamicSharedLimit = reader.count();
  const flags = reader.count();
  const cluster = readTriple(reader);
  const where = reader.text();
  const parameters = reader.sized();
  return {
    module,
    kernel,
    grid,
    block,
    dynamicSharedBytes,
    dynamicSharedLimit,
    flags,
    cluster,
    where,
    parameters,
  };
}

export interface SynchronizeRequest {
  readonly where: string;
}

export function readSynchronizeRequest(reader: WireReader): SynchronizeRequest {
  const where = reader.text();
  return { where };
}

export interface OccupancyRequest {
  readonly module: bigint;
  readonly kernel: string;
  readonly threads: number;
  readonly dynamicSharedBytes: number;
}

export function readOccupancyRequest(reader: WireReader): OccupancyRequest {
  const module = reader.wide();
  const kernel = reader.text();
  const threads = reader.count();
  const dynamicSharedBytes = reader.count();
  return { module, kernel, threads, dynamicSharedBytes };
}

export interface LimitRequest {
  readonly limit: number;
  readonly value: number;
}

export function readLimitRequest(reader: WireReader): LimitRequest {
  const limit = reader.count();
  const value = reader.size();
  return { limit, value };
}

export interface FetchRequest {
  readonly source: Rectangle;
  readonly where: string;
}

export function readFetchRequest(reader: WireReader): FetchRequest {
  const source = readRectangle(reader);
  const where = reader.text();
  return { source, where };
}

export interface TellRequest {
  readonly message: string;
  readonly where: string;
}

export function readTellRequest(reader: WireReader): TellRequest {
  const message = reader.text();
  const where = reader.text();
  return { message, where };
}

export interface MisuseRequest {
  readonly message: string;
  readonly where: string;
}

export function readMisuseRequest(reader: WireReader): MisuseRequest {
  const message = reader.text();
  const where = reader.text();
  return { message, where };
}

export interface ImageRequest {
  readonly kind: number;
  readonly layout: ImageLayout;
  readonly sampler?: SamplerSettings;
  readonly where: string;
}

export function readImageRequest(reader: WireReader): ImageRequest {
  const kind = reader.count();
  const layout = readImageLayout(reader);
  const sampler = kind === imageKinds.texture ? readSamplerSettings(reader) : undefined;
  const where = reader.text();
  return { kind, layout, sampler, where };
}

export interface DropRequest {
  readonly kind: number;
  readonly object: number;
  readonly where: string;
}

export function readDropRequest(reader: WireReader): DropRequest {
  const kind = reader.count();
  const object = reader.size();
  const where = reader.text();
  return { kind, object, where };
}

export interface LinkRequest {
  readonly parts: readonly SourcePart[];
  readonly cubin: Uint8Array;
}

export function readLinkRequest(reader: WireReader): LinkRequest {
  const parts = readList(reader, readSourcePart);
  const cubin = reader.sized();
  return { parts, cubin };
}

export interface TurnRequest {
  readonly status: number;
  readonly message: string;
  readonly where: string;
  readonly hostSteps: number;
  readonly kept: KeptThings;
}

export function readTurnRequest(reader: WireReader): TurnRequest {
  const status = reader.count();
  const message = reader.text();
  const where = reader.text();
  const hostSteps = reader.size();
  const kept = readKeptThings(reader);
  return { status, message, where, hostSteps, kept };
}

export interface RefetchRequest {
  readonly source: Rectangle;
  readonly where: string;
}

export function readRefetchRequest(reader: WireReader): RefetchRequest {
  const source = readRectangle(reader);
  const where = reader.text();
  return { source, where };
}

export interface HelloReply {
  readonly version: number;
  readonly flags: number;
  readonly name: string;
  readonly memoryBytes: number;
  readonly windowBase: bigint;
  readonly windowBytes: bigint;
  readonly attributes: readonly Attribute[];
}

export function writeHelloReply(writer: WireWriter, value: HelloReply): void {
  writer.count(value.version);
  writer.count(value.flags);
  writer.text(value.name);
  writer.wide(value.memoryBytes);
  writer.wide(value.windowBase);
  writer.wide(value.windowBytes);
  writeList(writer, value.attributes, writeAttribute);
}

export interface AllocateReply {
  readonly address: bigint;
}

export function writeAllocateReply(writer: WireWriter, value: AllocateReply): void {
  writer.wide(value.address);
}

export interface SynchronizeReply {
  readonly printed: string;
}

export function writeSynchronizeReply(writer: WireWriter, value: SynchronizeReply): void {
  writer.text(value.printed);
}

export interface MarkReply {
  readonly wall: bigint;
  readonly modelled: bigint;
  readonly sampled: bigint;
}

export function writeMarkReply(writer: WireWriter, value: MarkReply): void {
  writer.wide(value.wall);
  writer.wide(value.modelled);
  writer.wide(value.sampled);
}

export interface OccupancyReply {
  readonly blocks: number;
}

export function writeOccupancyReply(writer: WireWriter, value: OccupancyReply): void {
  writer.count(value.blocks);
}

export interface MemoryReply {
  readonly free: number;
  readonly total: number;
}

export function writeMemoryReply(writer: WireWriter, value: MemoryReply): void {
  writer.wide(value.free);
  writer.wide(value.total);
}

export interface ImageReply {
  readonly object: bigint;
}

export function writeImageReply(writer: WireWriter, value: ImageReply): void {
  writer.wide(value.object);
}

export interface TurnReply {
  readonly buffers: readonly LentBuffer[];
  readonly arguments: readonly Word[];
  readonly flags: number;
}

export function writeTurnReply(writer: WireWriter, value: TurnReply): void {
  writeList(writer, value.buffers, writeLentBuffer);
  writeList(writer, value.arguments, writeWord);
  writer.count(value.flags);
}
