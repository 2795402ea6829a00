import type { HttpFault, HttpStep } from "./fault.ts";
import { FLOODS } from "./floods.ts";
import { HELLO, LOST_IN_CALL, REFUSED_IN_CALL } from "./outcomes.ts";

const BYTES_IN_MB = 1024 * 1024;
const LEGACY = ["legacy"] as const;
const MODERN = ["modern"] as const;
const inCall = (...steps: readonly HttpStep[]): HttpFault["server"] => ({ on: { "tools/call": steps } });
/** Once, then it behaves: the connection must still be of use. */
const onceInCall = (...steps: readonly HttpStep[]): HttpFault["server"] => inCall({ turns: [steps] });

const UNADDRESSED = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"I cannot read that"}}';

/** What can be wrong with one answer of a connection that stands. */
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
    name: "asks to sign in at a call",
    server: onceInCall({ respond: { status: 401, headers: { "www-authenticate": "Bearer" } } }),
    must: { code: "AUTH_REQUIRED", says: "HTTP 401" },
    again: { text: "hello" },
    asked: { "tools/call": 2 },
  },
  {
    name: "answers a call with a web page",
    server: onceInCall({ respond: { type: "text/html", body: "<h1>Welcome to the hotel</h1>" } }),
    must: { ...REFUSED_IN_CALL, says: "text/html" },
    again: HELLO,
  },
  {
    name: "answers a call with broken JSON",
    server: onceInCall({ respond: { body: '{"jsonrpc":"2.0","id":$ID,"resu' } }),
    must: { ...REFUSED_IN_CALL, says: "not a JSON-RPC message" },
    again: HELLO,
  },
  {
    name: "cuts an answer short",
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
    name: "breaks its own chunks",
    server: onceInCall(
      { raw: "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n" },
      { raw: '5\r\n{"jso\r\nZZZ\r\n' },
    ),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "sends compressed rubbish",
    server: onceInCall({
      respond: { headers: { "content-encoding": "gzip" }, body: "not compressed at all" },
    }),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "compresses in a way nobody asked for",
    server: onceInCall({
      respond: { headers: { "content-encoding": "zstd" }, body: "\u0028\u00b5\u002f\u00fd" },
    }),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "sends a small answer that unfolds to 64 MB",
    bomb: true,
    server: onceInCall({ bomb: 64 * BYTES_IN_MB }),
    must: { ...REFUSED_IN_CALL, says: "larger than" },
    again: HELLO,
  },
  {
    name: "answers with 64 MB",
    bomb: true,
    server: onceInCall({ open: { type: "application/json" } }, { send: " ", times: 64 * BYTES_IN_MB }),
    must: { ...REFUSED_IN_CALL, says: "larger than" },
    again: HELLO,
  },
  {
    name: "answers with an event of 40 MB",
    bomb: true,
    server: onceInCall({ open: {} }, { send: "data: " }, { send: "x", times: 40 * BYTES_IN_MB }),
    must: { ...REFUSED_IN_CALL, says: "larger than" },
    again: HELLO,
  },
  {
    name: "answers with an event of a million lines",
    bomb: true,
    server: onceInCall({ open: {} }, { send: "data: xxxxxxxxxxxxxxxxxxxxxxxx\n", times: 1_000_000 }),
    must: { ...REFUSED_IN_CALL, says: "larger than" },
    again: HELLO,
  },
  {
    name: "answers another request",
    server: onceInCall({ respond: { body: '{"jsonrpc":"2.0","id":99999,"result":{}}' } }),
    must: REFUSED_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "takes a call for a notice",
    server: onceInCall({ respond: { status: 202 } }),
    must: REFUSED_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "has no content to answer with",
    server: onceInCall({ respond: { status: 204 } }),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "redirects a call to another place",
    server: onceInCall({ respond: { status: 307, headers: { location: "$OTHER" } } }),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "ends the stream without an answer",
    server: onceInCall({ open: {} }, { send: ": one moment\n\n" }, { end: true }),
    must: { ...REFUSED_IN_CALL, says: "ended without a response" },
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "cuts the stream without an answer",
    server: onceInCall({ open: {} }, { send: ": one moment\n\n" }, { cut: true }),
    must: REFUSED_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "resets the stream without an answer",
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
    name: "answers another request on the stream",
    server: onceInCall(
      { open: {} },
      { send: 'data: {"jsonrpc":"2.0","id":99999,"result":{}}\n\n' },
      { end: true },
    ),
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "hangs up on a call",
    server: onceInCall({ cut: true }),
    must: LOST_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "resets the connection at a call",
    server: onceInCall({ reset: true }),
    must: LOST_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "answers with 10,000 headers",
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
    name: "keeps a stream alive with comments for ever",
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
    name: "sends an answer drop by drop and never ends",
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
    name: "nests an answer a hundred thousand lists deep",
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
    name: "answers with a result of an unknown kind",
    server: onceInCall({ respond: { body: '{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"later"}}' } }),
    eras: MODERN,
    must: { ...REFUSED_IN_CALL, says: "unknown type" },
    again: HELLO,
  },
  {
    name: "asks for more input for ever",
    server: inCall({
      respond: {
        body: '{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{}}}',
      },
    }),
    eras: MODERN,
    must: { ...REFUSED_IN_CALL, says: "more than" },
  },
  {
    name: "has a stream whose end can be asked for again, and refuses that",
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
    name: "switches to another protocol at a call",
    server: onceInCall({
      raw: "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    }),
    must: { ...REFUSED_IN_CALL, says: "HTTP 101" },
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "switches to a protocol that it does not name",
    server: onceInCall({ raw: "HTTP/1.1 101 Switching Protocols\r\n\r\n" }),
    must: { ...REFUSED_IN_CALL, says: "HTTP 101" },
    again: HELLO,
  },
  {
    name: "answers a call with an error that names no request",
    server: onceInCall({ respond: { body: UNADDRESSED } }),
    must: { ...REFUSED_IN_CALL, says: "I cannot read that" },
    again: HELLO,
  },
  {
    name: "sends an error that names no request and keeps the stream open",
    server: onceInCall({ open: {} }, { send: `data: ${UNADDRESSED}\n\n` }),
    must: { ...REFUSED_IN_CALL, says: "I cannot read that" },
    again: HELLO,
  },
  {
    name: "answers with a batch that lacks the answer",
    server: onceInCall({ respond: { body: '[{"jsonrpc":"2.0","id":99999,"result":{}}]' } }),
    must: { ...REFUSED_IN_CALL, says: "without a response" },
    again: HELLO,
  },
  {
    name: "sends a status that is none",
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
