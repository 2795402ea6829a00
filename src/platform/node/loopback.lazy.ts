import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LoopbackAnswer, LoopbackRequest, LoopbackServer } from "../index.ts";

/** Listens on 127.0.0.1 alone. Bodies are never read, headers are bounded by Node, and nothing is kept open. */
export function listen(
  port: number,
  answer: (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>,
): Promise<LoopbackServer> {
  const waiting = new Set<Promise<void>>();
  const server = createServer({ keepAlive: false, requestTimeout: 10_000 }, (request, response) => {
    const { method = "", url: target = "", headers } = request;
    request.resume();
    const sent = respond(response, answer({ method, target, host: headers.host ?? "" }));
    waiting.add(sent);
    void sent.finally(() => waiting.delete(sent));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const close = async (): Promise<void> => {
        server.close();
        await Promise.allSettled(waiting);
        server.closeAllConnections();
      };
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
}

async function respond(
  response: ServerResponse,
  answer: LoopbackAnswer | Promise<LoopbackAnswer>,
): Promise<void> {
  const { status, headers, body } = await Promise.resolve(answer).catch(() => ({
    status: 500,
    headers: {},
    body: "",
  }));
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.writeHead(status, { ...headers, connection: "close" }).end(body);
  });
}
