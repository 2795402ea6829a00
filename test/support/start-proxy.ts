import { createServer, request as forward } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface RunningProxy extends AsyncDisposable {
  readonly port: number;
  /** What it was asked for: `POST http://host/path`, `CONNECT host:port`. */
  readonly asked: string[];
  /** The credentials that came with each. */
  readonly credentials: (string | undefined)[];
}

/** A forward proxy that resolves every name to this machine. With `refuse`, it responds with that status. */
export async function startProxy({ refuse }: { readonly refuse?: number } = {}): Promise<RunningProxy> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const tunnels = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    credentials.push(incoming.headers["proxy-authorization"]);
    if (refuse !== undefined) return void outgoing.writeHead(refuse).end();
    const { port, pathname, search } = new URL(incoming.url ?? "");
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const onward = forward({
      host: "127.0.0.1",
      port,
      path: pathname + search,
      method: incoming.method,
      headers,
    });
    onward.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, client: Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    credentials.push(incoming.headers["proxy-authorization"]);
    if (refuse !== undefined) return void client.end(`HTTP/1.1 ${refuse} No\r\n\r\n`);
    const port = Number(incoming.url?.split(":").at(-1));
    const onward = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(onward).pipe(client);
    });
    for (const socket of [client, onward]) {
      tunnels.add(socket);
      socket.on("error", () => socket.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    credentials,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of tunnels) socket.destroy();
      }),
  };
}
