/**
 * HTTP servers that follow fault scripts, each on its own port. The first line of input is `{ <name>: script }`; `fault.ts`
 * defines the scripts. Prints one line, `{ urls, control }`, and exits when its input ends. `GET <control>/<name>` returns the
 * requests of that server (`seen`), its open connections (`open`) and the time of the fault (`at`). Requests that a script
 * does not mention get a correct response.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { fill, pieces, wellBehaved } from "./well-behaved.mjs";

const STREAM = "text/event-stream";

class FaultyServer {
  seen = [];
  open = new Set();
  at = 0;
  #script;
  #other;
  #turns = 0;
  /** The last request that expects a response. */
  #asked = {};
  #sessions = new Set();
  /** The stream of the legacy SSE transport. */
  #stream;
  #server;

  constructor(script, other) {
    this.#script = script;
    this.#other = other;
  }

  async listen(port = 0) {
    this.#server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      void this.#serve(request, response).catch(() => response.destroy());
    });
    this.#server.on("connection", (socket) => {
      this.open.add(socket);
      socket.on("error", () => {}).on("close", () => this.open.delete(socket));
      const steps = this.#script.on.connection;
      if (steps !== undefined) void this.#perform(steps, { socket, message: {} });
    });
    await new Promise((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.#server.address().port}/mcp`;
  }

  async #serve(request, response) {
    const socket = request.socket;
    response.on("error", () => {});
    const message = request.method === "POST" ? JSON.parse(await bodyOf(request)) : {};
    if (message.id !== undefined && message.method !== undefined) this.#asked = message;
    const what = message.method ?? nameOf(request);
    this.seen.push(what);
    const exchange = { request, response, socket, message: what === "resume" ? this.#asked : message };
    const steps = this.#script.on[what] ?? this.#script.on["*"];
    if (steps === undefined) this.#behave(exchange);
    else await this.#perform(steps, exchange);
  }

  /** What a correct server would do. */
  #behave({ request, response, message }) {
    const { era, sse } = this.#script;
    const proper = wellBehaved(this.#script, message);
    if (sse) {
      if (request.method === "GET") return this.#openStream(response);
      if (!request.url.startsWith("/messages")) return respond(response, { status: 405 });
      respond(response, { status: 202 });
      if (proper !== undefined) this.#stream?.write(`event: message\ndata: ${JSON.stringify(proper)}\n\n`);
      return;
    }
    if (request.method !== "POST") return respond(response, { status: request.method === "GET" ? 405 : 200 });
    if (era !== "modern") {
      const session = request.headers["mcp-session-id"];
      if (message.method === "initialize") this.#sessions.add((response.sessionId = randomUUID()));
      else if (!this.#sessions.has(session))
        return respond(response, {
          status: session === undefined ? 400 : 404,
          body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no valid session"}}',
        });
    }
    if (proper === undefined) return respond(response, { status: 202 });
    respond(response, { body: JSON.stringify(proper) });
  }

  #openStream(response) {
    this.#stream = response;
    response.writeHead(200, { "content-type": STREAM });
    response.write("event: endpoint\ndata: /messages\n\n");
  }

  async #perform(steps, exchange) {
    for (const step of steps) {
      const [[verb, value]] = Object.entries(step);
      this.at = Date.now();
      await this.#steps[verb](value, exchange, step);
    }
    if (steps.length > 0) this.at = Date.now();
  }

  async #write(stream, text, times) {
    for (const piece of pieces(text, times)) {
      if (stream.destroyed) return;
      this.at = Date.now();
      if (!stream.write(piece)) await drained(stream);
    }
  }

  #fill(text, { message, request }) {
    const own = `http://${request?.headers.host}`;
    return fill(text.replaceAll("$OTHER", this.#other).replaceAll("$SELF", own), this.#script, message);
  }

  #steps = {
    respond: ({ body = "", ...head }, exchange) => {
      const headers = Object.entries(head.headers ?? {}).map(([name, text]) => [
        name,
        this.#fill(text, exchange),
      ]);
      respond(exchange.response, {
        ...head,
        headers: Object.fromEntries(headers),
        body: this.#fill(body, exchange),
      });
    },
    open({ status = 200, type = STREAM, headers = {} }, { response }) {
      response.writeHead(status, { "content-type": type, ...headers });
      response.flushHeaders();
    },
    send: (text, exchange, { times }) => this.#write(exchange.response, this.#fill(text, exchange), times),
    /** Sends this number of zero bytes, compressed. */
    bomb(size, { response }) {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(size, " ")));
    },
    end: (_, { response }) => void response.end(),
    cut: async (_, { socket }) => {
      await flushed(socket);
      socket.destroy();
    },
    reset: async (_, { socket }) => {
      await flushed(socket);
      socket.resetAndDestroy();
    },
    raw: (text, exchange, { times }) => this.#write(exchange.socket, this.#fill(text, exchange), times),
    push: (text, exchange, { times }) => this.#write(this.#stream, this.#fill(text, exchange), times),
    hangUp: () => void this.#stream?.destroy(),
    answer: (_, exchange) => this.#behave(exchange),
    wait: (ms) => delay(ms),
    restart: async () => {
      const { port } = this.#server.address();
      const before = [...this.open];
      this.#sessions.clear();
      this.#server.close();
      await this.listen(port);
      for (const socket of before) socket.destroy(); // last, so that disconnected clients can reconnect at once
    },
    /** The first request runs the first steps, the second the next ones. After that the server behaves. */
    turns: async (all, exchange) => {
      const steps = all[this.#turns] ?? [{ answer: true }];
      this.#turns += 1;
      await this.#perform(steps, exchange);
    },
  };
}

/** The name in a script of a request without a JSON-RPC method. */
function nameOf({ method, headers }) {
  if (method === "GET" && headers["last-event-id"] !== undefined) return "resume";
  return method === "POST" ? "answer" : method;
}

function respond(response, { status = 200, type = "application/json", headers = {}, body = "" }) {
  const session = response.sessionId === undefined ? {} : { "mcp-session-id": response.sessionId };
  const content = body === "" ? {} : { "content-type": type };
  response.writeHead(status, { ...content, ...session, ...headers });
  response.end(body);
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Resolves when all data is written. */
function flushed(socket) {
  return new Promise((resolve) => (socket.writable ? socket.write("", resolve) : resolve()));
}

/** Resolves when the buffer has room again or the connection is closed. */
function drained(stream) {
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}

const servers = new Map();
const elsewhere = new FaultyServer({ on: { "*": [{ respond: { status: 500 } }] } }, "");
servers.set("elsewhere", elsewhere);
const other = await elsewhere.listen();
const control = createServer((request, response) => {
  const { seen, open, at } = servers.get(decodeURIComponent(request.url.slice(1)));
  respond(response, {
    headers: { connection: "close" },
    body: JSON.stringify({ seen, open: open.size, at }),
  });
});
await new Promise((resolve) => control.listen(0, "127.0.0.1", resolve));

const input = createInterface({ input: process.stdin });
input.once("line", (line) => void start(JSON.parse(line)));
input.once("close", () => process.exit(0));

async function start(scripts) {
  const urls = {};
  for (const [name, script] of Object.entries(scripts)) {
    const server = new FaultyServer(script, other);
    servers.set(name, server);
    urls[name] = await server.listen();
  }
  process.stdout.write(
    `${JSON.stringify({ urls, control: `http://127.0.0.1:${control.address().port}` })}\n`,
  );
}
