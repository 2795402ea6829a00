import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** A load balancer that sends each request to the next node, whatever was sent before. */
export interface Balancer extends AsyncDisposable {
  readonly origin: string;
  /** The addresses of the nodes, as host:port. */
  nodes: string[];
}

/** Tries the next node only if a connection failed: then no node got the request. */
export async function startBalancer(nodes: readonly string[] = [], port = 0): Promise<Balancer> {
  let turn = 0;
  const balancer = { nodes: [...nodes] };
  const pass = (
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    [target, ...others]: readonly string[],
  ): void => {
    if (target === undefined) return void response.writeHead(502).end();
    const [host, to] = target.split(":");
    const { method, url: path, headers } = request;
    let isConnected = false;
    const upstream = send({ host, port: Number(to), method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    upstream.on("socket", (socket) => socket.once("connect", () => (isConnected = true)));
    upstream.on("error", () => {
      if (isConnected || response.headersSent) response.destroy();
      else pass(request, response, body, others);
    });
    response.on("close", () => upstream.destroy());
    upstream.end(body);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const first = turn++ % Math.max(1, balancer.nodes.length);
      const inTurn = [...balancer.nodes.slice(first), ...balancer.nodes.slice(0, first)];
      pass(request, response, Buffer.concat(chunks), inTurn);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return Object.assign(balancer, {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
