import type { Fault, StdioScript } from "./fault.ts";
import { FLOODS } from "./floods.ts";
import { HELLO, LOST_IN_CALL, REFUSED_IN_CALL } from "./outcomes.ts";

const BYTES_IN_MB = 1024 * 1024;
const content = (text: string): string => `{"content":[{"type":"text","text":"${text}"}]}`;
const result = (value: string): string => `{"jsonrpc":"2.0","id":$ID,"result":${value}}\n`;

const PARSE_ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"I cannot read that"}}\n';
const FLOODING = { tools: { listChanged: true }, logging: {}, resources: { subscribe: true } };

/** Faults in a server's lines, messages and responses. */
export const STDIO_TALK_FAULTS: readonly Fault<StdioScript>[] = [
  {
    name: "prints to standard output before every response",
    server: {
      start: [{ say: "Server starting up...\n" }],
      on: { "tools/call": [{ say: "[info] a call\n{ not json }\n\u0000\u0007\n$ANSWER\n[info] done\n" }] },
    },
    must: HELLO,
  },
  {
    name: "sends blank lines, null, empty lists and bare values",
    server: { on: { "tools/call": [{ say: '\n\n \nnull\n[]\n42\n"text"\n[null]\n{}\n$ANSWER\n' }] } },
    must: HELLO,
  },
  { name: "starts its output with a byte order mark", server: { start: [{ say: "\ufeff" }] }, must: HELLO },
  {
    name: "ends its lines with CRLF",
    server: { on: { initialize: [{ say: "$ANSWER\r\n" }], "tools/call": [{ say: "$ANSWER\r\n" }] } },
    must: HELLO,
  },
  {
    name: "sends one byte at a time, splitting characters",
    server: { on: { "tools/call": [{ dribble: result(content("é日😀")) }] } },
    must: { text: "é日😀" },
  },
  {
    name: "sends several responses in one write",
    server: { on: { "tools/call": [{ say: '$ANSWER\n{"jsonrpc":"2.0","id":999,"result":{}}\n$ANSWER\n' }] } },
    must: HELLO,
    again: HELLO,
  },
  { name: "returns a batch", server: { on: { "tools/call": [{ say: "[$ANSWER]\n" }] } }, must: HELLO },
  {
    name: "returns 8 MB on one line",
    bomb: true,
    server: {
      on: {
        "tools/call": [
          { say: '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"' },
          { say: "x", times: 8 * BYTES_IN_MB },
          { say: '"}]}}\n' },
        ],
      },
    },
    must: { has: "[The full text (8388608 characters, 1 lines, 8.0 MB) is in " },
  },
  {
    name: "returns a line over the limit",
    bomb: true,
    server: {
      on: {
        "tools/call": [
          {
            turns: [
              [
                { say: '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"' },
                { say: "x", times: 20 * BYTES_IN_MB },
                { say: '"}]}}\n' },
              ],
            ],
          },
        ],
      },
    },
    must: { ...REFUSED_IN_CALL, says: "larger than 16 MB" },
    again: HELLO,
  },
  {
    name: "returns a line over the limit with its ID at the end",
    bomb: true,
    server: {
      on: {
        "tools/call": [
          {
            turns: [
              [
                { say: '{"result":{"content":[{"type":"text","text":"' },
                { say: "x", times: 20 * BYTES_IN_MB },
                { say: '"}]},"jsonrpc":"2.0","id":$ID}\n' },
              ],
            ],
          },
        ],
      },
    },
    must: { ...REFUSED_IN_CALL, says: "larger than 16 MB" },
    again: HELLO,
  },
  {
    name: "sends a notification on a line over the limit",
    bomb: true,
    server: {
      on: {
        "tools/call": [
          { say: '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"' },
          { say: "x", times: 20 * BYTES_IN_MB },
          { say: '"}}\n$ANSWER\n' },
        ],
      },
    },
    must: HELLO,
  },
  {
    name: "starts a response that never ends",
    bomb: true,
    server: {
      on: {
        "tools/call": [
          { say: '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"' },
          { say: "x", times: 48 * BYTES_IN_MB },
        ],
      },
    },
    must: { ...REFUSED_IN_CALL, says: "larger than 16 MB" },
  },
  {
    name: "returns lists nested a hundred thousand levels deep",
    bomb: true,
    server: {
      on: {
        "tools/call": [
          {
            turns: [
              [
                { say: '{"jsonrpc":"2.0","id":$ID,"result":{"content":' },
                { say: "[", times: 100_000 },
                { say: "]", times: 100_000 },
                { say: "}}\n" },
              ],
            ],
          },
        ],
      },
    },
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "returns structured content nested fifty thousand objects deep",
    bomb: true,
    server: {
      on: {
        "tools/call": [
          {
            turns: [
              [
                { say: '{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"structuredContent":' },
                { say: '{"a":', times: 50_000 },
                { say: "1" },
                { say: "}", times: 50_000 },
                { say: "}}\n" },
              ],
            ],
          },
        ],
      },
    },
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "tries to change Object.prototype",
    server: {
      on: {
        "tools/call": [
          {
            say: '{"jsonrpc":"2.0","id":$ID,"__proto__":{"polluted":true},"result":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"content":[{"type":"text","text":"hello","__proto__":{"polluted":true}}]}}\n',
          },
        ],
      },
    },
    must: HELLO,
  },
  {
    name: "sends text that is not valid Unicode",
    server: { on: { "tools/call": [{ say: result(content("\\ud800 and \\udfff")) }] } },
    must: { text: "\ud800 and \udfff" },
  },
  {
    name: "returns the numeric ID as a string",
    server: {
      on: { "tools/call": [{ say: `{"jsonrpc":"2.0","id":"$ID","result":${content("hello")}}\n` }] },
    },
    must: HELLO,
  },
  {
    name: "returns neither a result nor an error",
    server: { on: { "tools/call": [{ turns: [[{ say: '{"jsonrpc":"2.0","id":$ID}\n' }]] }] } },
    must: { ...REFUSED_IN_CALL, says: "neither a result nor an error" },
    again: HELLO,
  },
  {
    name: "returns a result that is not an object",
    server: { on: { "tools/call": [{ turns: [[{ say: result('"hello"') }]] }] } },
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "returns content that is not a list",
    server: { on: { "tools/call": [{ say: result('{"content":"hello"}') }] } },
    must: { text: "" },
  },
  {
    name: "returns a malformed error",
    server: {
      on: {
        "tools/call": [
          { turns: [[{ say: '{"jsonrpc":"2.0","id":$ID,"error":{"code":"x","message":7}}\n' }]] },
        ],
      },
    },
    must: REFUSED_IN_CALL,
    again: HELLO,
  },
  {
    name: "responds to the wrong request first",
    server: { on: { "tools/call": [{ say: '{"jsonrpc":"2.0","id":12345,"result":{}}\n$ANSWER\n' }] } },
    must: HELLO,
  },
  {
    name: "responds too late, then correctly",
    server: { on: { "tools/call": [{ turns: [[{ wait: 3_500 }, { answer: true }]] }] } },
    entry: { timeout: 3_000 },
    must: { code: "TOOL_CALL_FAILED", cause: "REQUEST_TIMEOUT", state: ["connected"] },
    again: HELLO,
    asked: { "notifications/cancelled": 1 },
    unknowable: true,
  },
  {
    name: "sends twenty thousand requests before it responds",
    bomb: true,
    server: {
      on: {
        "tools/call": [
          {
            say: '{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{"messages":[]}}\n',
            times: 20_000,
          },
          { answer: true },
        ],
      },
    },
    must: HELLO,
  },
  {
    name: "reports malformed progress for unknown requests",
    server: {
      on: {
        "tools/call": [
          {
            say: '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{},"progress":"x"}}\n{"jsonrpc":"2.0","method":"notifications/progress"}\n{"jsonrpc":"2.0","method":7}\n',
            times: 1_000,
          },
          { answer: true },
        ],
      },
    },
    must: HELLO,
  },
  {
    name: "stops reading during a call",
    server: { on: { "tools/call": [{ kill: "SIGSTOP" }] } },
    entry: { timeout: 3_000 },
    must: { code: "TOOL_CALL_FAILED", cause: "REQUEST_TIMEOUT" },
    unknowable: true,
  },
  {
    name: "closes its output during a call and keeps running",
    server: { on: { "tools/call": [{ turns: [[{ close: "stdout" }]] }] } },
    must: LOST_IN_CALL,
    again: HELLO,
  },
  {
    name: "closes its input before a call and keeps running",
    server: { on: { "tools/list": [{ turns: [[{ close: "stdin" }, { answer: true }]] }] } },
    must: LOST_IN_CALL,
    again: HELLO,
  },
  {
    name: "returns an error without an ID for a call",
    server: { on: { "tools/call": [{ turns: [[{ say: PARSE_ERROR }]] }] } },
    must: { ...REFUSED_IN_CALL, says: "I cannot read that" },
    again: HELLO,
  },
  {
    name: "returns an error without an id member for a call",
    server: {
      on: {
        "tools/call": [{ turns: [[{ say: '{"jsonrpc":"2.0","error":{"code":1,"message":"no id"}}\n' }]] }],
      },
    },
    must: { ...REFUSED_IN_CALL, says: "no id" },
    again: HELLO,
  },
  {
    name: "returns an error without an ID for the handshake",
    server: { on: { "server/discover": [{ say: PARSE_ERROR }], initialize: [{ say: PARSE_ERROR }] } },
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "I cannot read that", state: ["failed"] },
  },
  {
    name: "returns errors without an ID for notifications",
    server: { on: { "notifications/initialized": [{ say: PARSE_ERROR }] } },
    must: HELLO,
  },
  ...FLOODS.flatMap(([name, message]): Fault<StdioScript>[] => [
    {
      name: `sends a hundred thousand ${name} before it answers`,
      bomb: true,
      server: {
        capabilities: FLOODING,
        on: { "tools/call": [{ say: `${message}\n`, times: 100_000 }, { answer: true }] },
      },
      must: HELLO,
    },
    {
      name: `sends a batch of thirty thousand ${name} before it answers`,
      bomb: true,
      server: {
        capabilities: FLOODING,
        on: {
          "tools/call": [
            { say: "[" },
            { say: `${message},`, times: 30_000 },
            { say: `${message}]\n` },
            { answer: true },
          ],
        },
      },
      must: HELLO,
    },
  ]),
  {
    name: "returns four million empty lists",
    bomb: true,
    server: {
      on: {
        "tools/call": [
          {
            turns: [
              [
                { say: '{"jsonrpc":"2.0","id":$ID,"result":{"content":[' },
                { say: "[],", times: 4_000_000 },
                { say: "[]]}}\n" },
              ],
            ],
          },
        ],
      },
    },
    must: { ...REFUSED_IN_CALL, says: "more than a million values" },
    again: HELLO,
  },
];
