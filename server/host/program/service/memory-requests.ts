import type { DeviceStore } from "../device/device-store";
import * as wire from "../protocol/messages";
import { answer, done, type Handlers, written } from "./answers";
import { Refetches } from "./refetches";
import { Transfers } from "./transfers";

/** Bytes of the modelled GPU's memory. */
export const memoryBytes = 2 ** 32;

type MemoryOperations =
  | "allocate"
  | "free"
  | "write"
  | "read"
  | "fetch"
  | "refetch"
  | "fill"
  | "copy"
  | "misuse"
  | "memory";

/** Allocations, and what host code does with the bytes of device memory. */
export function memoryHandlers(store: DeviceStore): Handlers<MemoryOperations> {
  const transfers = new Transfers(store);
  const refetches = new Refetches(store, transfers);
  return {
    allocate: (reader) => {
      const { bytes, name, where } = wire.readAllocateRequest(reader);
      return answer(store.allocate(bytes, name, where), (address) =>
        written(wire.writeAllocateReply, { address }),
      );
    },
    free: (reader) => {
      const { address, where } = wire.readFreeRequest(reader);
      return answer(store.free(address, where));
    },
    write: (reader) => {
      const { target, offset, where, content } = wire.readWriteRequest(reader);
      return answer(transfers.write(filled(target), offset, content, where));
    },
    read: (reader) => {
      const { source, where } = wire.readReadRequest(reader);
      return answer(transfers.read(filled(source), where), (bytes) => bytes);
    },
    fetch: (reader) => {
      const { source, where } = wire.readFetchRequest(reader);
      // A library computes with it, and the program may go by the result; copies for later have no place.
      if (where !== "") store.memory.changed.noteRead();
      return answer(transfers.fetch(filled(source), where), (bytes) => bytes);
    },
    refetch: (reader) => {
      const { source, where } = wire.readRefetchRequest(reader);
      return answer(refetches.fetch(filled(source), where), (bytes) => bytes);
    },
    fill: (reader) => {
      const { target, value, unit, where } = wire.readFillRequest(reader);
      return answer(transfers.fill(filled(target), value, unit, where));
    },
    copy: (reader) => {
      const { target, source, width, height, ...manner } = wire.readCopyRequest(reader);
      const size = { width, height };
      return answer(transfers.copy(filled({ ...target, ...size }), filled({ ...source, ...size }), manner));
    },
    misuse: (reader) => {
      const { message, where } = wire.readMisuseRequest(reader);
      transfers.misuse(message, where);
      return done();
    },
    memory: () => {
      const free = memoryBytes - Math.min(memoryBytes, store.memory.memory.buffer.byteLength);
      return done(written(wire.writeMemoryReply, { free, total: memoryBytes }));
    },
  };
}

/** Rows without bytes are no rows, however many are named. */
function filled(rectangle: wire.Rectangle): wire.Rectangle {
  const isEmpty = rectangle.width === 0 || rectangle.height === 0;
  return isEmpty ? { ...rectangle, width: 0, height: 0 } : rectangle;
}
