import type { Fault, StdioScript } from "./fault.ts";
import { HELLO, LOST_IN_CALL } from "./outcomes.ts";

/** What can go wrong with the process behind a connection: how it dies, how it refuses to, and whom it leaves behind. */
export const STDIO_LIFE_FAULTS: readonly Fault<StdioScript>[] = [
  {
    name: "crashes in a call",
    server: { on: { "tools/call": [{ turns: [[{ complain: "boom\n" }, { exit: 5 }]] }] } },
    must: { ...LOST_IN_CALL, says: "with code 5; last output:\nboom" },
    again: HELLO,
    asked: { "tools/call": 2 },
  },
  {
    name: "crashes in the middle of an answer",
    server: { on: { "tools/call": [{ turns: [[{ say: '{"jsonrpc":"2.0","id":$ID,"res' }, { exit: 5 }]] }] } },
    must: LOST_IN_CALL,
    again: HELLO,
  },
  {
    name: "is killed in a call",
    server: { on: { "tools/call": [{ turns: [[{ kill: "SIGKILL" }]] }] } },
    must: { ...LOST_IN_CALL, says: "by SIGKILL" },
    again: HELLO,
  },
  {
    name: "answers and exits in the same moment",
    server: { on: { "tools/call": [{ say: "$ANSWER\n" }, { exit: 0 }] } },
    must: { text: "hello" },
  },
  {
    name: "crashes while nobody uses it",
    server: { on: { "tools/list": [{ answer: true }, { turns: [[{ exit: 7 }]] }] } },
    act: "list",
    must: { tools: ["echo", "pid"], state: ["reconnecting"] },
    again: HELLO,
  },
  {
    name: "crashes in a call while its child holds the pipes open",
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
    name: "leaves a child in a session of its own when it is closed",
    server: { start: [{ child: "session" }] },
    must: HELLO,
  },
  {
    name: "crashes and leaves a child in a session of its own",
    server: { on: { "tools/call": [{ turns: [[{ child: "session" }, { exit: 5 }]] }] } },
    must: LOST_IN_CALL,
    again: HELLO,
  },
  {
    name: "outlives the end of its input",
    server: { end: [] },
    must: HELLO,
  },
  {
    name: "outlives the end of its input and SIGTERM",
    server: { start: [{ ignore: "SIGTERM" }], end: [] },
    must: HELLO,
  },
  {
    name: "outlives SIGTERM with a child that does too",
    server: { start: [{ ignore: "SIGTERM" }, { child: "group" }], end: [] },
    must: HELLO,
  },
  {
    name: "keeps talking after its input ended",
    server: { end: [{ say: "still here\n", times: 10_000_000 }] },
    must: HELLO,
  },
  {
    name: "stands still when it is closed",
    server: { on: { "tools/call": [{ answer: true }, { kill: "SIGSTOP" }] } },
    must: { text: "hello" },
  },
  {
    name: "reports progress for ever",
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
