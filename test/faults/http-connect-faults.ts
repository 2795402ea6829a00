import type { HttpFault } from "./fault.ts";
import { FAILED, HELLO } from "./outcomes.ts";

const LEGACY = ["legacy"] as const;
/** Before the handshake, both eras are the same. */
const EITHER = LEGACY;
const hands = (steps: HttpFault["server"]["on"][string]): HttpFault["server"] => ({ on: { "*": steps } });

/** Faults before the handshake is complete. */
export const HTTP_CONNECT_FAULTS: readonly HttpFault[] = [
  {
    name: "is not running",
    server: { on: {}, url: "http://127.0.0.1:9/mcp" },
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", says: "connection refused", state: FAILED },
  },
  {
    name: "does not use TLS for an https URL",
    server: { on: {}, secure: true },
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", state: FAILED },
  },
  {
    name: "closes every connection",
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
    name: "closes the connection on every request",
    server: hands([{ cut: true }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", state: FAILED },
  },
  {
    name: "uses another protocol",
    server: { on: { connection: [{ raw: "220 smtp.example.com ESMTP\r\n" }] } },
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_UNREACHABLE", state: FAILED },
  },
  {
    name: "sends endless headers",
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
    name: "accepts the connection and never responds",
    server: hands([]),
    eras: EITHER,
    entry: { startupTimeout: 500 },
    act: "connect",
    must: { code: "CONNECT_TIMEOUT", says: "within 500 ms", state: FAILED },
    unknowable: true,
  },
  {
    name: "never completes its headers",
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
    name: "requires a sign-in",
    server: hands([{ respond: { status: 401, headers: { "www-authenticate": "Bearer" } } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "AUTH_REQUIRED", says: "HTTP 401", state: ["needs_auth"] },
  },
  {
    name: "requires a sign-in with an invalid challenge",
    server: hands([
      { respond: { status: 401, headers: { "www-authenticate": `,,=",Bearer ${"=".repeat(8_000)}` } } },
    ]),
    eras: EITHER,
    act: "connect",
    must: { code: "AUTH_REQUIRED", state: ["needs_auth"] },
  },
  {
    name: "rejects the credentials",
    server: hands([{ respond: { status: 403 } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "REQUEST_REFUSED", says: "HTTP 403", state: FAILED },
  },
  {
    name: "returns a web page",
    server: hands([{ respond: { type: "text/html", body: "<h1>Welcome to the hotel</h1>" } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "text/html", state: FAILED },
  },
  {
    name: "returns an empty body",
    server: hands([{ respond: {} }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", state: FAILED },
  },
  {
    name: "returns JSON that is not a message",
    server: hands([{ respond: { body: '{"status":"ok"}' } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "not a JSON-RPC message", state: FAILED },
  },
  {
    name: "returns invalid JSON",
    server: hands([{ respond: { body: '{"jsonrpc":"2.0","id":1,"resu' } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "not a JSON-RPC message", state: FAILED },
  },
  {
    name: "uses an unknown protocol version",
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
    name: "supports only unknown versions",
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
    name: "redirects to another origin",
    server: hands([{ respond: { status: 307, headers: { location: "$OTHER" } } }]),
    eras: EITHER,
    entry: { headers: { authorization: "Bearer top-secret" } },
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "redirects to", state: FAILED },
  },
  {
    name: "redirects endlessly",
    server: hands([{ respond: { status: 307, headers: { location: "$SELF/mcp" } } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "HTTP 307", state: FAILED },
  },
  {
    name: "redirects to an invalid URL",
    server: hands([{ respond: { status: 307, headers: { location: "http://[" } } }]),
    eras: EITHER,
    act: "connect",
    must: { code: "CONNECT_FAILED", state: FAILED },
  },
  {
    name: "redirects once within its origin",
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
    name: "returns an error without an ID for everything",
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
