import type { HttpFault, HttpStep } from "./fault.ts";
import { FLOODS } from "./floods.ts";
import { HELLO, LOST_IN_CALL, REFUSED_IN_CALL } from "./outcomes.ts";

const BYTES_IN_MB = 1024 * 1024;
const LEGACY = ["legacy"] as const;
const MODERN = ["modern"] as const;
const inCall = (...steps: readonly HttpStep[]): HttpFault["server"] => ({ on: { "tools/call": steps } });
/** Misbehaves once: the connection must remain usable. */
const onceInCall = (...steps: readonly HttpStep[]): HttpFault["server"] => inCall({ turns: [steps] });

const UNADDRESSED = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"I cannot read that"}}';

/** Faults in one response on an open connection. */
export const HTTP_CALL_FAULTS: readonly HttpFault[] = [
  ...([400, 429, 500, 502, 503, 504] as const).map(
    (status): HttpFault => ({
      name: `answers a call with ${status}`,
      server: onceInCall({ respond: { status, type: "text/plain", body: "no" } }),
      must: { ...REFUSED_IN_CALL, says: `HTTP ${status}` },
      again: HELLO,
      asked: { "tools/call": 2 },
    }),
  ),
  {
    name: "requires a sign-in for a call",
    server: onceInCall({ respond: { status: 401, headers: { "www-authenticate": "Bearer" } } }),
    must: { code: "AUTH_REQUIRED", says: "HTTP 401" },
    again: { text: "hello" },
    asked: { "tools/call": 2 },
  },
  {
    name: "returns a web page for a call",
    server: onceInCall({ respond: { type: "text/html", body: "<h1>Welcome to the hotel</h1>" } }),
    must: { ...REFUSED_IN_CALL, says: "text/html" },
    again: HELLO,
  },
  {
    name: "returns invalid JSON for a call",
    server: onceInCall({ respond: { body: '{"jsonrpc":"2.0","id":$ID,"resu' } }),
    must: { ...REFUSED_IN_CALL, says: "not a JSON-RPC message" },
    again: HELLO,
  },
  {
    name: "closes the connection in the middle of a response",
    server: onceInCall(
      { open: { type: "application/json", headers: { "content-length": "5000" } } },
      { send: '{"jsonrpc":"2.0","id":$ID,' },
      { cut: true },
    ),
    must: REFUSED_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "sends invalid chunks",
    server: onceInCall(
      { raw: "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n" },
      { raw: '5\r\n{"jso\r\nZZZ\r\n' },
    ),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "sends invalid compressed data",
    server: onceInCall({
      respond: { headers: { "content-encoding": "gzip" }, body: "not compressed at all" },
    }),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "uses a compression that was not requested",
    server: onceInCall({
      respond: { headers: { "content-encoding": "zstd" }, body: "\u0028\u00b5\u002f\u00fd" },
    }),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "sends a small response that decompresses to 64 MB",
    bomb: true,
    server: onceInCall({ bomb: 64 * BYTES_IN_MB }),
    must: { ...REFUSED_IN_CALL, says: "larger than" },
    again: HELLO,
  },
  {
    name: "returns 64 MB",
    bomb: true,
    server: onceInCall({ open: { type: "application/json" } }, { send: " ", times: 64 * BYTES_IN_MB }),
    must: { ...REFUSED_IN_CALL, says: "larger than" },
    again: HELLO,
  },
  {
    name: "returns an event of 40 MB",
    bomb: true,
    server: onceInCall({ open: {} }, { send: "data: " }, { send: "x", times: 40 * BYTES_IN_MB }),
    must: { ...REFUSED_IN_CALL, says: "larger than" },
    again: HELLO,
  },
  {
    name: "returns an event of a million lines",
    bomb: true,
    server: onceInCall({ open: {} }, { send: "data: xxxxxxxxxxxxxxxxxxxxxxxx\n", times: 1_000_000 }),
    must: { ...REFUSED_IN_CALL, says: "larger than" },
    again: HELLO,
  },
  {
    name: "returns the response to another request",
    server: onceInCall({ respond: { body: '{"jsonrpc":"2.0","id":99999,"result":{}}' } }),
    must: REFUSED_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "treats a call as a notification",
    server: onceInCall({ respond: { status: 202 } }),
    must: REFUSED_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "returns no content",
    server: onceInCall({ respond: { status: 204 } }),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "redirects a call to another origin",
    server: onceInCall({ respond: { status: 307, headers: { location: "$OTHER" } } }),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "ends the stream without a response",
    server: onceInCall({ open: {} }, { send: ": one moment\n\n" }, { end: true }),
    must: { ...REFUSED_IN_CALL, says: "ended without a response" },
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "closes the stream without a response",
    server: onceInCall({ open: {} }, { send: ": one moment\n\n" }, { cut: true }),
    must: REFUSED_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "resets the stream without a response",
    server: onceInCall({ open: {} }, { send: ": one moment\n\n" }, { reset: true }),
    must: REFUSED_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "ends the stream in the middle of an event",
    server: onceInCall({ open: {} }, { send: 'data: {"jsonrpc":"2.0","id":$ID,"result"' }, { end: true }),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "returns the response to another request on the stream",
    server: onceInCall(
      { open: {} },
      { send: 'data: {"jsonrpc":"2.0","id":99999,"result":{}}\n\n' },
      { end: true },
    ),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "closes the connection on a call",
    server: onceInCall({ cut: true }),
    must: LOST_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "resets the connection on a call",
    server: onceInCall({ reset: true }),
    must: LOST_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "returns 10,000 headers",
    bomb: true,
    server: onceInCall({ raw: "HTTP/1.1 200 OK\r\n" }, { raw: "x-fill: aaaaaaaaaa\r\n", times: 10_000 }),
    must: LOST_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "never answers a call",
    server: onceInCall(),
    entry: { timeout: 3_000 },
    must: { code: "TOOL_CALL_FAILED", cause: "REQUEST_TIMEOUT", state: ["connected"] },
    again: HELLO,
    unknowable: true,
  },
  {
    name: "keeps a stream alive with comments forever",
    server: onceInCall(
      { open: {} },
      ...Array.from({ length: 80 }, () => [{ send: ": ping\n\n" }, { wait: 100 }]).flat(),
    ),
    entry: { timeout: 3_000 },
    must: { code: "TOOL_CALL_FAILED", cause: "REQUEST_TIMEOUT", state: ["connected"] },
    again: HELLO,
    unknowable: true,
  },
  {
    name: "sends an endless response byte by byte",
    server: onceInCall(
      { open: { type: "application/json" } },
      ...Array.from({ length: 80 }, () => [{ send: " " }, { wait: 100 }]).flat(),
    ),
    entry: { timeout: 3_000 },
    must: { code: "TOOL_CALL_FAILED", cause: "REQUEST_TIMEOUT", state: ["connected"] },
    again: HELLO,
    unknowable: true,
  },
  {
    name: "returns lists nested a hundred thousand levels deep",
    bomb: true,
    server: onceInCall(
      { open: { type: "application/json" } },
      { send: '{"jsonrpc":"2.0","id":$ID,"result":{"content":' },
      { send: "[", times: 100_000 },
      { send: "]", times: 100_000 },
      { send: "}}" },
      { end: true },
    ),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "returns a result of an unknown type",
    server: onceInCall({ respond: { body: '{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"later"}}' } }),
    eras: MODERN,
    must: { ...REFUSED_IN_CALL, says: "unknown type" },
    again: HELLO,
  },
  {
    name: "requests input forever",
    server: inCall({
      respond: {
        body: '{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{}}}',
      },
    }),
    eras: MODERN,
    must: { ...REFUSED_IN_CALL, says: "more than" },
  },
  {
    name: "has a resumable stream but refuses to resume it",
    server: {
      on: {
        "tools/call": [{ turns: [[{ open: {} }, { send: "id: 7\nretry: 10\ndata: \n\n" }, { end: true }]] }],
        resume: [{ respond: { status: 404 } }],
      },
    },
    eras: LEGACY,
    must: { code: "TOOL_CALL_FAILED" },
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "switches to another protocol on a call",
    server: onceInCall({
      raw: "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    }),
    must: { ...REFUSED_IN_CALL, says: "HTTP 101" },
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "switches to an unnamed protocol",
    server: onceInCall({ raw: "HTTP/1.1 101 Switching Protocols\r\n\r\n" }),
    must: { ...REFUSED_IN_CALL, says: "HTTP 101" },
    again: HELLO,
  },
  {
    name: "returns an error without an ID for a call",
    server: onceInCall({ respond: { body: UNADDRESSED } }),
    must: { ...REFUSED_IN_CALL, says: "I cannot read that" },
    again: HELLO,
  },
  {
    name: "sends an error without an ID and keeps the stream open",
    server: onceInCall({ open: {} }, { send: `data: ${UNADDRESSED}\n\n` }),
    must: { ...REFUSED_IN_CALL, says: "I cannot read that" },
    again: HELLO,
  },
  {
    name: "returns a batch without the response",
    server: onceInCall({ respond: { body: '[{"jsonrpc":"2.0","id":99999,"result":{}}]' } }),
    must: { ...REFUSED_IN_CALL, says: "without a response" },
    again: HELLO,
  },
  {
    name: "returns an invalid status",
    server: onceInCall({ raw: "HTTP/1.1 299 Odd\r\ncontent-length: 0\r\n\r\n" }),
    must: { ...REFUSED_IN_CALL, says: "no content type" },
    again: HELLO,
  },
  ...FLOODS.flatMap(([name, message]): HttpFault[] => [
    {
      name: `sends thirty thousand ${name} in a stream before it answers`,
      bomb: true,
      server: inCall(
        { open: {} },
        { send: `data: ${message}\n\n`, times: 30_000 },
        { send: "data: $ANSWER\n\n" },
        { end: true },
      ),
      eras: LEGACY,
      must: HELLO,
    },
    {
      name: `answers with a batch of thirty thousand ${name}`,
      bomb: true,
      server: inCall(
        { open: { type: "application/json" } },
        { send: "[" },
        { send: `${message},`, times: 30_000 },
        { send: "$ANSWER]" },
        { end: true },
      ),
      must: HELLO,
    },
  ]),
];
