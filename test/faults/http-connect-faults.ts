import type { HttpFault } from "./fault.ts";
import { FAILED, HELLO } from "./outcomes.ts";

const LEGACY = ["legacy"] as const;
/** Before anything was agreed on, both eras are the same. */
const EITHER = LEGACY;
const hands = (steps: HttpFault["server"]["on"][string]): HttpFault["server"] => ({ on: { "*": steps } });

/** What can go wrong until two ends have agreed. */
export const HTTP_CONNECT_FAULTS: readonly HttpFault[] = [
  {
    name: "is not there",
    server: { on: {}, url: "http://127.0.0.1:9/mcp" },
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", says: "connection refused", state: FAILED },
  },
  {
    name: "speaks no TLS where TLS is asked for",
    server: { on: {}, secure: true },
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", state: FAILED },
  },
  {
    name: "hangs up on every connection",
    server: { on: { connection: [{ cut: true }] } },
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", state: FAILED },
  },
  {
    name: "resets every connection",
    server: { on: { connection: [{ reset: true }] } },
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", state: FAILED },
  },
  {
    name: "hangs up on every request",
    server: hands([{ cut: true }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", state: FAILED },
  },
  {
    name: "speaks another protocol",
    server: { on: { connection: [{ raw: "220 smtp.example.com ESMTP\r\n" }] } },
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", state: FAILED },
  },
  {
    name: "sends headers without end",
    bomb: true,
    server: hands([
      { raw: "HTTP/1.1 200 OK\r\n" },
      { raw: "x-fill: aaaaaaaaaaaaaaaaaaaaaaaa\r\n", times: 5_000 },
    ]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", state: FAILED },
  },
  {
    name: "takes the connection and never answers",
    server: hands([]),
    eras: EITHER,
    entry: { startupTimeout: 500 },
    act: "connect",
    must: { code: "CONNECT_TIMEOUT", says: "within 500 ms", state: FAILED },
    unknowable: true,
  },
  {
    name: "starts its headers and never ends them",
    server: hands([{ raw: "HTTP/1.1 200 OK\r\ncontent-ty" }]),
    eras: EITHER,
    entry: { startupTimeout: 500 },
    act: "connect",
    must: { code: "CONNECT_TIMEOUT", state: FAILED },
    unknowable: true,
  },
  ...([400, 404, 405, 410, 429, 500, 502, 503] as const).map(
    (status): HttpFault => ({
      name: `answers everything with ${status}`,
      server: hands([{ respond: { status, type: "text/plain", body: "no" } }]),
      eras: EITHER,
      act: "connect",
      must: { code: "CONNECT_FAILED", says: `HTTP ${status}`, state: FAILED },
    }),
  ),
  {
    name: "asks to sign in",
    server: hands([{ respond: { status: 401, headers: { "www-authenticate": "Bearer" } } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "AUTH_REQUIRED", says: "HTTP 401", state: ["needs_auth"] },
  },
  {
    name: "asks to sign in with a challenge nobody can read",
    server: hands([
      { respond: { status: 401, headers: { "www-authenticate": `,,=",Bearer ${"=".repeat(8_000)}` } } },
    ]),
    eras: EITHER,
    act: "connect",
    must: { code: "AUTH_REQUIRED", state: ["needs_auth"] },
  },
  {
    name: "refuses the credentials",
    server: hands([{ respond: { status: 403 } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "REQUEST_REFUSED", says: "HTTP 403", state: FAILED },
  },
  {
    name: "answers with a web page",
    server: hands([{ respond: { type: "text/html", body: "<h1>Welcome to the hotel</h1>" } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "text/html", state: FAILED },
  },
  {
    name: "answers with nothing",
    server: hands([{ respond: {} }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", state: FAILED },
  },
  {
    name: "answers with JSON that is no message",
    server: hands([{ respond: { body: '{"status":"ok"}' } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "not a JSON-RPC message", state: FAILED },
  },
  {
    name: "answers with broken JSON",
    server: hands([{ respond: { body: '{"jsonrpc":"2.0","id":1,"resu' } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "not a JSON-RPC message", state: FAILED },
  },
  {
    name: "speaks a protocol version nobody knows",
    server: {
      on: {
        initialize: [
          { respond: { body: '{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"1999-01-01"}}' } },
        ],
      },
    },
    eras: LEGACY,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "1999-01-01", state: FAILED },
  },
  {
    name: "offers only versions nobody knows",
    server: {
      on: {
        "server/discover": [
          { respond: { body: '{"jsonrpc":"2.0","id":$ID,"result":{"supportedVersions":["2099-01-01"]}}' } },
        ],
      },
    },
    eras: ["modern"],
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "2099-01-01", state: FAILED },
  },
  {
    name: "redirects to another place",
    server: hands([{ respond: { status: 307, headers: { location: "$OTHER" } } }]),
    eras: EITHER,
    entry: { headers: { authorization: "Bearer top-secret" } },
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "redirects to", state: FAILED },
  },
  {
    name: "redirects in circles",
    server: hands([{ respond: { status: 307, headers: { location: "$SELF/mcp" } } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "HTTP 307", state: FAILED },
  },
  {
    name: "redirects to nowhere",
    server: hands([{ respond: { status: 307, headers: { location: "http://[" } } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", state: FAILED },
  },
  {
    name: "redirects once within its own place",
    server: {
      on: { initialize: [{ turns: [[{ respond: { status: 307, headers: { location: "$SELF/mcp" } } }]] }] },
    },
    eras: LEGACY,
    must: HELLO,
  },
  {
    name: "sends a header that HTTP forbids",
    server: {
      on: {
        initialize: [{ raw: "HTTP/1.1 200 OK\r\nmcp-session-id: a\u0001b\r\ncontent-length: 2\r\n\r\n{}" }],
      },
    },
    eras: LEGACY,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", state: FAILED },
  },
  {
    name: "switches to another protocol",
    server: hands([
      { raw: "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n" },
    ]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "HTTP 101", state: FAILED },
  },
  {
    name: "answers everything with an error that names no request",
    server: hands([
      {
        respond: {
          body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"I cannot read that"}}',
        },
      },
    ]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "I cannot read that", state: FAILED },
  },
];
