import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { anthropicWire } from "./anthropic-wire.ts";
import { chatWire } from "./chat-wire.ts";
import { geminiWire } from "./gemini-wire.ts";
import { responsesWire } from "./responses-wire.ts";
import type { Body, Failing, OfferedTool, Turn, Wire } from "./wire.ts";

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** The requests, in order. */
  readonly requests: Body[];
  /** The rejected requests, and why. */
  readonly refused: string[];
  /** The names of the tools offered with each request. */
  offered(): string[][];
  /** The tools offered with the first request. */
  firstTools(): OfferedTool[];
  /** The tools' results, as text if they are text. */
  results(): unknown[];
  /** The tools' results in each request. */
  resultsOf(): unknown[][];
}

const WIRES: readonly Wire[] = [chatWire, responsesWire, anthropicWire, geminiWire];

/**
 * Serves a scripted model, turn by turn, in the wire format of the request. It rejects what the provider rejects: schemas, names, and
 * calls without a result. `models` are listed for `GET …/models`. A turn may be a function that is called when the turn is due, with the names of the tools in the request.
 */
export async function startModel(
  turns: readonly (Turn | Failing | ((offered: string[]) => Turn | Failing | Promise<Turn>))[],
  { models, port: wantedPort = 0 }: { readonly models?: readonly string[]; readonly port?: number } = {},
): Promise<ModelServer> {
  const requests: Body[] = [];
  const refused: string[] = [];
  const wires: Wire[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "GET" && models !== undefined && request.url?.endsWith("/models") === true) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: models.map((id) => ({ id })) }));
      return;
    }
    const wire = WIRES.find(({ path }) => path.test(request.url ?? ""));
    const body = JSON.parse(await text(request)) as Body;
    const turn = turns[requests.length];
    if (wire === undefined || turn === undefined) {
      response.writeHead(404).end();
      return;
    }
    requests.push(body);
    wires.push(wire);
    const wrong = wire.refusals(body);
    refused.push(...wrong);
    if (wrong.length > 0) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { type: "invalid_request_error", message: wrong.join("; ") } }));
      return;
    }
    const said = typeof turn === "function" ? await turn(wire.tools(body).map(({ name }) => name)) : turn;
    if ("status" in said) {
      response.writeHead(said.status, { "content-type": "application/json", ...said.headers });
      response.end(JSON.stringify({ error: { type: "error", message: said.message } }));
      return;
    }
    const isStreamed = body["stream"] === true || request.url?.includes(":stream") === true;
    if (isStreamed && wire.stream) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of wire.stream(said)) response.write(toSse(event));
      response.end(wire.endsWith === undefined ? undefined : `data: ${wire.endsWith}\n\n`);
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(wire.answer(said)));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((listening, failed) =>
    server.once("error", failed).listen(wantedPort, "127.0.0.1", listening),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    refused,
    offered: () => requests.map((body, index) => (wires[index]?.tools(body) ?? []).map(({ name }) => name)),
    firstTools: () => requests.slice(0, 1).flatMap((body) => wires[0]?.tools(body) ?? []),
    results: () => {
      const wire = wires.at(-1);
      const isContinued = requests.slice(-1).some((body) => wire?.continues?.(body) === true);
      return (isContinued ? requests : requests.slice(-1)).flatMap((body) => wire?.results(body) ?? []);
    },
    resultsOf: () => requests.map((body, index) => wires[index]?.results(body) ?? []),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Formats an event of a stream. Anthropic's SDK needs its name, too. */
function toSse(event: Body): string {
  const { type } = event;
  return `${typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
}
