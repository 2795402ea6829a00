import type { Fault, StdioScript } from "./fault.ts";
import { HELLO, LOST_IN_CALL } from "./outcomes.ts";

/** Faults of a server's process: how it exits, how it refuses to exit, and which processes it leaves behind. */
export const STDIO_LIFE_FAULTS: readonly Fault<StdioScript>[] = [
  {
    name: "crashes during a call",
    server: { on: { "tools/call": [{ turns: [[{ complain: "boom\n" }, { exit: 5 }]] }] } },
    must: { ...LOST_IN_CALL, says: "with code 5; last output:\nboom" },
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "crashes in the middle of a response",
    server: { on: { "tools/call": [{ turns: [[{ say: '{"jsonrpc":"2.0","id":$ID,"res' }, { exit: 5 }]] }] } },
    must: LOST_IN_CALL,
    again: HELLO,
  },
  {
    name: "is killed during a call",
    server: { on: { "tools/call": [{ turns: [[{ kill: "SIGKILL" }]] }] } },
    must: { ...LOST_IN_CALL, says: "by SIGKILL" },
    again: HELLO,
  },
  {
    name: "responds and exits at once",
    server: { on: { "tools/call": [{ say: "$ANSWER\n" }, { exit: 0 }] } },
    must: { text: "hello" },
  },
  {
    name: "crashes while idle",
    server: { on: { "tools/list": [{ answer: true }, { turns: [[{ exit: 7 }]] }] } },
    act: "list",
    must: { tools: ["echo", "pid"], state: ["reconnecting"] },
    again: HELLO,
  },
  {
    name: "crashes during a call while its child keeps the pipes open",
    server: { on: { "tools/call": [{ turns: [[{ child: "group" }, { exit: 5 }]] }] } },
    must: { ...LOST_IN_CALL, says: "with code 5" },
    again: HELLO,
  },
  {
    name: "leaves a child in its group when it is closed",
    server: { start: [{ child: "group" }] },
    must: HELLO,
  },
  {
    name: "leaves a child in another session when it is closed",
    server: { start: [{ child: "session" }] },
    must: HELLO,
  },
  {
    name: "crashes and leaves a child in another session",
    server: { on: { "tools/call": [{ turns: [[{ child: "session" }, { exit: 5 }]] }] } },
    must: LOST_IN_CALL,
    again: HELLO,
  },
  {
    name: "keeps running after its input ends",
    server: { end: [] },
    must: HELLO,
  },
  {
    name: "keeps running after its input ends and after SIGTERM",
    server: { start: [{ ignore: "SIGTERM" }], end: [] },
    must: HELLO,
  },
  {
    name: "keeps running after SIGTERM, like its child",
    server: { start: [{ ignore: "SIGTERM" }, { child: "group" }], end: [] },
    must: HELLO,
  },
  {
    name: "keeps sending after its input ended",
    server: { end: [{ say: "still here\n", times: 10_000_000 }] },
    must: HELLO,
  },
  {
    name: "is stopped (SIGSTOP) when it is closed",
    server: { on: { "tools/call": [{ answer: true }, { kill: "SIGSTOP" }] } },
    must: { text: "hello" },
  },
  {
    name: "reports progress forever",
    server: {
      era: "modern",
      on: {
        "tools/call": [
          {
            say: '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$ID,"progress":1}}\n',
          },
          { wait: 300 },
          {
            say: '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$ID,"progress":2}}\n',
            times: 5,
          },
        ],
      },
    },
    hurry: true,
    entry: { timeout: 30_000, startupTimeout: 30_000 },
    must: { code: "TOOL_CALL_FAILED", cause: "REQUEST_TIMEOUT", state: ["connected"] },
    asked: { "notifications/cancelled": 1 },
    unknowable: true,
  },
];
