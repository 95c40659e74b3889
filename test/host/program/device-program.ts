import { Device, type DeviceOptions } from "../../../server/host/program/device/device";
import { DeviceService } from "../../../server/host/program/service/device-service";
import { WireReader, WireWriter } from "../../../server/host/program/protocol/wire";

/** A module with a kernel that doubles its data and adds a global variable. */
export const ptx = `.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 counter = 7;
.visible .entry twice(.param .u64 data, .param .u32 count)
{
.reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<5>;
ld.param.u64 %rd1, [data]; ld.param.u32 %r1, [count];
mov.u32 %r2, %tid.x;
setp.ge.u32 %p1, %r2, %r1;
@%p1 bra done;
cvta.to.global.u64 %rd2, %rd1;
mul.wide.u32 %rd3, %r2, 4;
add.s64 %rd4, %rd2, %rd3;
ld.global.u32 %r3, [%rd4];
ld.global.u32 %r5, [counter];
mad.lo.u32 %r4, %r3, 2, %r5;
st.global.u32 [%rd4], %r4;
done: ret;
}
`;

/** A device, and the requests of a program to it. */
export class Program {
  readonly device: Device;
  private readonly service: DeviceService;

  constructor(sanitize = false, options: Partial<DeviceOptions> = {}) {
    this.device = new Device(
      { architecture: "sm_80", sanitize, profile: false, launchBudget: 1e9, ...options },
      { now: () => 0, worked: () => 0, say: () => undefined },
    );
    this.service = new DeviceService(this.device, () => 1.5);
  }

  /** Status, and the body or the message of a failure. */
  ask(
    operation: number,
    body: Uint8Array = new Uint8Array(),
  ): { readonly status: number; readonly body: Uint8Array; readonly message: string } {
    const answer = this.service.handle(operation, body);
    if (answer instanceof Promise) throw new Error("only a harness waits for its turn");
    const { reply, afterwards } = answer;
    const bytes = reply.body.slice();
    afterwards?.();
    return {
      status: reply.status,
      body: bytes,
      message: reply.status === 0 ? "" : new TextDecoder().decode(bytes),
    };
  }

  allocate(bytes: number): bigint {
    return new WireReader(
      this.ask(2, new WireWriter().wide(bytes).text("buffer").text("a.cu:3").bytes()).body,
    ).wide();
  }

  write(address: bigint, values: readonly number[]): number {
    const rectangle = new WireWriter()
      .wide(address)
      .wide(4 * values.length)
      .wide(4 * values.length)
      .wide(1)
      .wide(0)
      .text("")
      .bytes();
    return this.ask(4, Buffer.concat([rectangle, Buffer.from(Uint32Array.from(values).buffer)])).status;
  }

  read(
    address: bigint,
    count: number,
  ): { readonly status: number; readonly values: readonly number[]; readonly message: string } {
    const { status, body, message } = this.ask(
      5,
      new WireWriter()
        .wide(address)
        .wide(4 * count)
        .wide(4 * count)
        .wide(1)
        .text("a.cu:9")
        .bytes(),
    );
    return {
      status,
      values: status === 0 ? [...new Uint32Array(body.buffer, body.byteOffset, count)] : [],
      message,
    };
  }

  launch(
    address: bigint,
    block: number,
    options: { readonly kernel?: string; readonly count?: number; readonly dynamic?: number } = {},
  ): { readonly status: number; readonly message: string } {
    const writer = new WireWriter()
      .wide(1)
      .text(options.kernel ?? "twice")
      .count(1)
      .count(1)
      .count(1)
      .count(block)
      .count(1)
      .count(1);
    writer
      .count(options.dynamic ?? 0)
      .count(0)
      .count(0)
      .count(0)
      .count(0)
      .count(0)
      .text("a.cu:7")
      .count(12)
      .wide(address)
      .count(options.count ?? 4);
    const { status, message } = this.ask(9, writer.bytes());
    return { status, message };
  }

  load(): number {
    return this.ask(8, new WireWriter().text(ptx).count(0).bytes()).status;
  }
}
