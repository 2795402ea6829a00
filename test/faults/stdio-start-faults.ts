import type { Fault, StdioScript } from "./fault.ts";
import { FAILED, HELLO } from "./outcomes.ts";

/** Faults before the handshake is complete. */
export const STDIO_START_FAULTS: readonly Fault<StdioScript>[] = [
  {
    name: "is not installed",
    server: {},
    entry: { command: "no-such-program-of-plugboard" },
    act: "connect",
    must: { code: "CONNECT_COMMAND_NOT_FOUND", says: "was not found", state: FAILED },
  },
  {
    name: "is a file that cannot be run",
    server: {},
    entry: { command: import.meta.filename },
    act: "connect",
    must: { code: "CONNECT_COMMAND_NOT_FOUND", says: "is not executable", state: FAILED },
  },
  {
    name: "has a working folder that does not exist",
    server: {},
    entry: { cwd: "/no/such/folder" },
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "does not exist", state: FAILED },
  },
  {
    name: "exits at once",
    server: { start: [{ complain: "boom: missing API_KEY\n" }, { exit: 3 }] },
    act: "connect",
    must: { code: "CONNECT_EXITED", says: "with code 3", state: FAILED },
  },
  {
    name: "exits at once and explains it on standard error",
    server: { start: [{ complain: "boom: missing API_KEY\n" }, { exit: 3 }] },
    must: { code: "CONNECT_EXITED", says: "boom: missing API_KEY" },
  },
  {
    name: "exits at once with code 0",
    server: { start: [{ exit: 0 }] },
    act: "connect",
    must: { code: "CONNECT_EXITED", says: "with code 0", state: FAILED },
  },
  {
    name: "is killed while it starts",
    server: { start: [{ kill: "SIGKILL" }] },
    act: "connect",
    must: { code: "CONNECT_EXITED", says: "by SIGKILL", state: FAILED },
  },
  {
    name: "prints a long text on standard error before it exits",
    bomb: true,
    server: {
      start: [{ complain: "a long story\n", times: 10_000 }, { complain: "the end\n" }, { exit: 1 }],
    },
    act: "connect",
    must: { code: "CONNECT_EXITED", says: "the end", state: FAILED },
  },
  {
    name: "prints terminal control sequences before it exits",
    server: { start: [{ complain: "\u001b[2J\u001b]0;owned\u0007red\n" }, { exit: 1 }] },
    act: "connect",
    must: { code: "CONNECT_EXITED", says: "\\x1b[2J", state: FAILED },
  },
  {
    name: "exits on the era probe",
    server: { on: { "server/discover": [{ exit: 6 }] } },
    must: HELLO,
  },
  {
    name: "exits at initialize",
    server: { on: { initialize: [{ exit: 4 }] } },
    act: "connect",
    must: { code: "CONNECT_EXITED", says: "with code 4", state: FAILED },
  },
  {
    name: "exits as soon as it is initialized",
    server: { on: { "notifications/initialized": [{ turns: [[{ exit: 4 }]] }] } },
    must: { code: "CONNECTION_LOST", says: "with code 4" },
    again: HELLO,
  },
  {
    name: "never responds",
    server: { deaf: true },
    entry: { startupTimeout: 500 },
    act: "connect",
    must: { code: "CONNECT_TIMEOUT", says: "within 500 ms", state: FAILED },
    unknowable: true,
  },
  {
    name: "does not answer the era probe",
    server: { on: { "server/discover": [] } },
    must: HELLO,
  },
  {
    name: "refuses to initialize",
    server: {
      on: { initialize: [{ say: '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32603,"message":"no"}}\n' }] },
    },
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "the server returned an error: no", state: FAILED },
  },
  {
    name: "uses an unknown protocol version",
    server: {
      on: { initialize: [{ say: '{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"1999-01-01"}}\n' }] },
    },
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "1999-01-01", state: FAILED },
  },
  {
    name: "returns no protocol version",
    server: { on: { initialize: [{ say: '{"jsonrpc":"2.0","id":$ID,"result":{}}\n' }] } },
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "protocol version", state: FAILED },
  },
  {
    name: "returns neither a result nor an error for initialize",
    server: { on: { initialize: [{ say: '{"jsonrpc":"2.0","id":$ID}\n' }] } },
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "neither a result nor an error", state: FAILED },
  },
  {
    name: "supports only unknown modern versions",
    server: {
      era: "modern",
      on: {
        "server/discover": [
          { say: '{"jsonrpc":"2.0","id":$ID,"result":{"supportedVersions":["2099-01-01"]}}\n' },
        ],
      },
    },
    act: "connect",
    must: { code: "CONNECT_FAILED", says: "2099-01-01", state: FAILED },
  },
  {
    name: "closes its output at the start and keeps running",
    server: { start: [{ close: "stdout" }] },
    act: "connect",
    must: { code: "CONNECT_FAILED", state: FAILED },
  },
  {
    name: "closes its input at the start and keeps running",
    server: { start: [{ close: "stdin" }], deaf: true },
    act: "connect",
    must: { code: "CONNECT_FAILED", state: FAILED },
    unknowable: true, // data written before it closed is lost without an error
  },
  {
    name: "floods standard error before it responds",
    bomb: true,
    server: { start: [{ complain: "a line of complaint\n", times: 500_000 }] },
    must: HELLO,
  },
];
