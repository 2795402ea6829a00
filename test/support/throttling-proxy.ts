import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface ThrottlingProxy extends AsyncDisposable {
  readonly url: string;
}

const SLICE_MS = 20;

/** A forward proxy for HTTPS on loopback. All downloads share this many bytes per second. */
export async function startThrottlingProxy(bytesPerSecond: number): Promise<ThrottlingProxy> {
  const sockets = new Set<Socket>();
  let allowed = 0;
  let waiting: (() => void)[] = [];
  const timer = setInterval(() => {
    allowed = Math.min(allowed + (bytesPerSecond * SLICE_MS) / 1000, bytesPerSecond / 10);
    const ready = waiting;
    waiting = [];
    for (const resume of ready) resume();
  }, SLICE_MS);
  const passOn = (chunk: Buffer, from: Socket, to: Socket): void => {
    from.pause();
    const send = (rest: Buffer): void => {
      const size = Math.min(rest.length, Math.floor(allowed));
      allowed -= size;
      if (size > 0 && !to.destroyed) to.write(rest.subarray(0, size));
      if (size < rest.length) waiting.push(() => send(rest.subarray(size)));
      else from.resume();
    };
    send(chunk);
  };
  const server = createServer((_, response) => void response.writeHead(405).end());
  server.on("connect", (request, client: Socket) => {
    const [host = "", port = "443"] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(onward);
      onward.on("data", (chunk: Buffer) => passOn(chunk, onward, client));
      onward.on("end", () => waiting.push(() => client.end()));
    });
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
