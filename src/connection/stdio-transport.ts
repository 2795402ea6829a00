import { isAbsolute, join } from "node:path";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { HostError } from "../model/index.ts";
import {
  delay,
  type Environment,
  type Ports,
  type ProcessEnd,
  type RunningProcess,
  settledWithin,
} from "../platform/index.ts";
import type { ResolvedLaunch } from "../values/index.ts";
import { createLineFramer } from "./line-framer.ts";
import { serverEnvironment } from "./server-environment.ts";
import { TextTail } from "./text-tail.ts";

const STDERR_KEPT = 64 * 1024;
const INPUT_GRACE_MS = 200;
const TERM_GRACE_MS = 800;
const POLL_MS = 10;
const GOING_DOWN_MS = 500;

type StdioLaunch = Extract<ResolvedLaunch, { transport: "stdio" }>;

/** Talks to a child process line by line, and ends it with everything it started. */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];

  readonly stderr: TextTail = new TextTail(STDERR_KEPT);
  /** Lines on standard output that were not JSON: a server that prints to the wrong place. */
  strayLines = 0;
  end: ProcessEnd | undefined;
  /** It ended before anybody asked it to. */
  endedItself = false;

  readonly #launch: StdioLaunch;
  readonly #ports: Ports;
  readonly #environment: Environment;
  #process: RunningProcess | undefined;
  #closing: Promise<void> | undefined;

  constructor(launch: StdioLaunch, ports: Ports, environment: Environment) {
    this.#launch = launch;
    this.#ports = ports;
    this.#environment = environment;
  }

  /** By this and `stderr` the SDK knows a child process, whose silence about eras means the legacy one. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async start(): Promise<void> {
    const { command, args, env, inheritEnv } = this.#launch;
    const cwd = await this.#folder();
    if (this.#closing !== undefined) throw new Error("The server was closed before it was started.");
    const child = this.#ports.processes.spawn({
      command,
      args,
      cwd,
      env: serverEnvironment(this.#environment, inheritEnv, env),
    });
    this.#process = child;
    child.onErrorOutput((chunk) => this.stderr.add(chunk));
    child.onOutput(
      createLineFramer({
        onLine: (line) => this.#receive(line),
        onTooLong: () => this.#complain("A message over 16 MB was dropped."),
      }),
    );
    void child.ended.then((end) => {
      this.end = end;
      this.endedItself = this.#closing === undefined;
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#process === undefined || this.end !== undefined)
      throw new Error("The server process is not running.");
    try {
      await this.#process.write(`${JSON.stringify(message)}\n`);
    } catch (error) {
      // It no longer reads because it is going down: how it ended says more than a broken pipe.
      await settledWithin(this.#ports.clock, GOING_DOWN_MS, this.#process.ended);
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  /** End of input, then SIGTERM, then SIGKILL, to the whole group: launchers such as npx leave children behind. */
  async #stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    child.endInput();
    if (!(await this.#isGoneWithin(child, INPUT_GRACE_MS))) {
      child.signal("SIGTERM");
      if (!(await this.#isGoneWithin(child, TERM_GRACE_MS))) child.signal("SIGKILL");
    }
    await child.ended;
  }

  async #isGoneWithin(child: RunningProcess, ms: number): Promise<boolean> {
    const { clock } = this.#ports;
    const deadline = clock.now() + ms;
    while (child.groupIsAlive()) {
      if (clock.now() >= deadline) return false;
      await delay(clock, POLL_MS);
    }
    return true;
  }

  async #folder(): Promise<string> {
    const { cwd = "" } = this.#launch;
    const folder = isAbsolute(cwd) ? cwd : join(this.#environment.cwd, cwd);
    // Node reports a missing folder as a missing command.
    if ((await this.#ports.files.kind(folder)) !== "folder") {
      throw new HostError("CONNECT_FAILED", `its working folder ${folder} does not exist`, {
        hint: `Correct "cwd" in its config.`,
      });
    }
    return folder;
  }

  #receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      if (line.trim() !== "") this.strayLines += 1;
      return;
    }
    for (const item of Array.isArray(message) ? message : [message]) {
      // One turn each: the SDK loses progress that it is handed in the same turn as the result after it.
      if (isMessage(item)) setImmediate(() => this.onmessage?.(item));
      else this.strayLines += 1;
    }
  }

  #complain(message: string): void {
    this.onerror?.(new Error(message));
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return typeof value === "object" && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === "2.0";
}
