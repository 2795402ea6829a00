import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LoopbackAnswer, LoopbackRequest, LoopbackServer } from "../index.ts";

/** Listens on 127.0.0.1 only. Never reads bodies and keeps no connection open; Node limits the size of headers. */
export function listen(
  port: number,
  answer: (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>,
): Promise<LoopbackServer> {
  const pending = new Set<Promise<void>>();
  const server = createServer({ keepAlive: false, requestTimeout: 10_000 }, (request, response) => {
    const { method = "", url: target = "", headers } = request;
    request.resume();
    const sent = respond(response, answer({ method, target, host: headers.host ?? "" }));
    pending.add(sent);
    void sent.finally(() => pending.delete(sent));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const close = async (): Promise<void> => {
        server.close();
        await Promise.allSettled(pending);
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
