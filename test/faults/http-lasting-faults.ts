import type { HttpFault } from "./fault.ts";
import { FLOODS } from "./floods.ts";
import { FAILED, HELLO, LOST_IN_CALL, REFUSED_IN_CALL } from "./outcomes.ts";

const UNADDRESSED = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"I cannot read that"}}';
const BYTES_IN_MB = 1024 * 1024;
const LEGACY = ["legacy"] as const;
const MODERN = ["modern"] as const;
const LISTENING = { tools: { listChanged: true } };
const SESSION_GONE = { respond: { status: 404, type: "text/plain", body: "no such session" } } as const;

/** Faults that a client must tolerate: sloppy responses, lost sessions, interrupted streams. */
export const HTTP_LASTING_FAULTS: readonly HttpFault[] = [
  {
    name: "returns a batch",
    server: { on: { "tools/call": [{ respond: { body: "[$ANSWER]" } }] } },
    must: HELLO,
  },
  {
    name: "starts its response with a byte order mark",
    server: { on: { "tools/call": [{ respond: { body: "\ufeff$ANSWER" } }] } },
    must: HELLO,
  },
  {
    name: "sends its content type in upper case with parameters",
    server: {
      on: { "tools/call": [{ respond: { type: "Application/JSON; charset=UTF-8", body: "$ANSWER" } }] },
    },
    must: HELLO,
  },
  {
    name: "sends early hints before the response",
    server: {
      on: {
        "tools/call": [
          { raw: "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n", times: 3 },
          { answer: true },
        ],
      },
    },
    must: HELLO,
  },
  {
    name: "uses every valid event syntax",
    server: {
      on: {
        "tools/call": [
          { open: {} },
          { send: "\ufeff: a comment\r\n\r\nevent: other\ndata: {}\n\nfoo: bar\rdata:\r\r" },
          { send: "retry: 99999999999999999999\nid: a\u0000b\n" },
          { send: "data: not json\n\nevent: message\r\ndata:$ANSWER\r\n\r\n" },
        ],
      },
    },
    must: HELLO,
  },
  {
    name: "closes a reused connection once on a list request",
    server: { on: { "tools/list": [{ turns: [[{ cut: true }]] }] } },
    eras: MODERN,
    must: HELLO,
    asked: { "tools/list": 2, "tools/call": 1 },
  },
  {
    name: "is temporarily too busy to list",
    server: {
      on: { "tools/list": [{ turns: [[{ respond: { status: 503, headers: { "retry-after": "0" } } }]] }] },
    },
    must: HELLO,
    asked: { "tools/list": 2, "tools/call": 1 },
  },
  {
    name: "temporarily rate-limits list requests",
    server: {
      on: { "tools/list": [{ turns: [[{ respond: { status: 429, headers: { "retry-after": "1" } } }]] }] },
    },
    must: HELLO,
    asked: { "tools/list": 2, "tools/call": 1 },
  },
  {
    name: "loses the session once",
    server: { on: { "tools/call": [{ turns: [[SESSION_GONE]] }] } },
    eras: LEGACY,
    must: HELLO,
    asked: { initialize: 2, "tools/call": 2 },
  },
  {
    name: "loses every session",
    server: { on: { "tools/call": [SESSION_GONE] } },
    eras: LEGACY,
    must: { code: "TOOL_CALL_FAILED", cause: "CONNECTION_LOST" },
    asked: { initialize: 2, "tools/call": 2 },
  },
  {
    name: "restarts between two calls",
    server: { on: { "tools/call": [{ turns: [[{ answer: true }, { wait: 50 }, { restart: true }]] }] } },
    eras: MODERN,
    must: { text: "hello" },
  },
  {
    name: "restarts during a call",
    server: { on: { "tools/call": [{ turns: [[{ restart: true }]] }] } },
    must: LOST_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "interrupts a resumable stream",
    server: {
      on: {
        "tools/call": [{ open: {} }, { send: "id: 7\nretry: 10\ndata: \n\n" }, { cut: true }],
        resume: [{ open: {} }, { send: "data: $ANSWER\n\n" }],
      },
    },
    eras: LEGACY,
    must: HELLO,
    asked: { "tools/call": 1 },
  },
  {
    name: "fails on the notification stream",
    server: { capabilities: LISTENING, on: { GET: [{ respond: { status: 500 } }] } },
    eras: LEGACY,
    must: HELLO,
    again: HELLO,
  },
  {
    name: "interrupts the notification stream",
    server: { capabilities: LISTENING, on: { GET: [{ open: {} }, { send: "retry: 1\n\n" }, { cut: true }] } },
    eras: LEGACY,
    must: HELLO,
    again: HELLO,
  },
  {
    name: "announces changed tools a hundred thousand times",
    bomb: true,
    server: {
      capabilities: LISTENING,
      on: {
        GET: [
          { open: {} },
          {
            send: 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n',
            times: 100_000,
          },
        ],
      },
    },
    eras: LEGACY,
    must: HELLO,
    again: HELLO,
  },
  {
    name: "refuses the notification stream",
    server: {
      capabilities: LISTENING,
      on: { "subscriptions/listen": [{ respond: { status: 500 } }] },
    },
    eras: MODERN,
    must: HELLO,
    again: HELLO,
  },
  {
    name: "interrupts every notification stream",
    server: {
      capabilities: LISTENING,
      on: { "subscriptions/listen": [{ open: {} }, { send: ": hello\n\n" }, { cut: true }] },
    },
    eras: MODERN,
    must: HELLO,
    again: HELLO,
  },
  {
    name: "refuses to end a session",
    server: { on: { DELETE: [{ respond: { status: 500 } }] } },
    eras: LEGACY,
    must: HELLO,
  },
  {
    name: "never responds to the end of a session",
    server: { on: { DELETE: [] } },
    eras: LEGACY,
    must: HELLO,
  },
  {
    name: "lists a tool that requires a forbidden header",
    server: {
      tools: [
        {
          name: "bad",
          inputSchema: {
            type: "object",
            properties: { a: { type: "string", "x-mcp-header": "X\r\nInjected: yes" } },
          },
        },
      ],
      on: {},
    },
    eras: MODERN,
    act: "list",
    must: { tools: ["echo", "pid"] },
    again: HELLO,
  },
  {
    name: "lists a tool without a name",
    server: { tools: [{ inputSchema: { type: "object" } }], on: {} },
    act: "list",
    must: { tools: ["echo", "pid"], problems: ["tool-invalid"] },
    again: HELLO,
  },
  {
    name: "lists new pages forever",
    bomb: true,
    server: {
      on: {
        "tools/list": [
          {
            respond: {
              body: '{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"echo","inputSchema":{}}],"nextCursor":"p$ID"}}',
            },
          },
        ],
      },
    },
    act: "list",
    must: { tools: ["echo"] },
    again: HELLO,
  },
  { name: "lists ten thousand tools", bomb: true, server: { manyTools: 10_000, on: {} }, must: HELLO },
];

const old = (on: HttpFault["server"]["on"]): HttpFault["server"] => ({ sse: true, on });

/** The legacy SSE transport, where one stream delivers everything. */
export const SSE_FAULTS: readonly HttpFault[] = [
  {
    name: "names an endpoint on another origin",
    server: old({ GET: [{ open: {} }, { send: "event: endpoint\ndata: $OTHER\n\n" }] }),
    entry: { headers: { authorization: "Bearer top-secret" } },
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "on the same origin", state: FAILED },
  },
  {
    name: "ends its stream before the endpoint event",
    server: old({ GET: [{ open: {} }, { end: true }] }),
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "ended before the endpoint event", state: FAILED },
  },
  {
    name: "never sends an endpoint event",
    server: old({ GET: [{ open: {} }, { send: ": ping\n\n" }] }),
    entry: { startupTimeout: 500 },
    act: "connect",
    must: { code: "CONNECT_TIMEOUT", state: FAILED },
    unknowable: true,
  },
  {
    name: "names an invalid endpoint",
    server: old({ GET: [{ open: {} }, { send: "event: endpoint\ndata: http://[\n\n" }] }),
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "on the same origin", state: FAILED },
  },
  {
    name: "sends a second endpoint event",
    server: old({
      "tools/list": [{ push: "event: endpoint\ndata: $OTHER\n\n" }, { answer: true }],
    }),
    entry: { headers: { authorization: "Bearer top-secret" } },
    must: HELLO,
  },
  {
    name: "closes the connection during a call",
    server: old({ "tools/call": [{ turns: [[{ respond: { status: 202 } }, { hangUp: true }]] }] }),
    must: LOST_IN_CALL,
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "rejects the POST of a call",
    server: old({ "tools/call": [{ turns: [[{ respond: { status: 500 } }]] }] }),
    must: { ...REFUSED_IN_CALL, says: "HTTP 500" },
    again: HELLO,
  },
  {
    name: "no longer recognizes the session",
    server: old({ "tools/call": [{ turns: [[{ respond: { status: 404 } }]] }] }),
    must: { ...REFUSED_IN_CALL, says: "HTTP 404" },
    again: HELLO,
  },
  {
    name: "sends an event over the limit",
    bomb: true,
    server: old({
      "tools/call": [
        {
          turns: [[{ respond: { status: 202 } }, { push: "data: " }, { push: "x", times: 20 * BYTES_IN_MB }]],
        },
      ],
    }),
    must: { code: "TOOL_CALL_FAILED" },
    again: HELLO,
  },
  {
    name: "sends invalid data before every response",
    server: old({
      "tools/call": [
        { push: "data: not json\n\nevent: other\ndata: {}\n\ndata: []\n\n:\n\n" },
        { answer: true },
      ],
    }),
    must: HELLO,
  },
  {
    name: "closes the connection while idle",
    server: old({ "tools/list": [{ answer: true }, { wait: 50 }, { turns: [[{ hangUp: true }]] }] }),
    act: "list",
    must: { tools: ["echo", "pid"], state: ["reconnecting"] },
    again: HELLO,
  },
  {
    name: "sends an error without an ID",
    server: old({
      "tools/call": [{ turns: [[{ respond: { status: 202 } }, { push: `data: ${UNADDRESSED}\n\n` }]] }],
    }),
    must: { ...REFUSED_IN_CALL, says: "I cannot read that" },
    again: HELLO,
  },
  {
    name: "returns an error without an ID for the POST of a call",
    server: old({ "tools/call": [{ turns: [[{ respond: { body: UNADDRESSED } }]] }] }),
    must: { ...REFUSED_IN_CALL, says: "I cannot read that" },
    again: HELLO,
  },
  {
    name: "switches to another protocol on a call",
    server: old({ "tools/call": [{ turns: [[{ raw: "HTTP/1.1 101 Switching Protocols\r\n\r\n" }]] }] }),
    must: { ...REFUSED_IN_CALL, says: "HTTP 101" },
    again: HELLO,
  },
  ...FLOODS.map(
    ([name, message]): HttpFault => ({
      name: `sends thirty thousand ${name} before it answers`,
      bomb: true,
      server: old({ "tools/call": [{ push: `data: ${message}\n\n`, times: 30_000 }, { answer: true }] }),
      must: HELLO,
    }),
  ),
];
