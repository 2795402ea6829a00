import { isAbsolute, join } from "node:path";
import { HostError } from "../model/index.ts";
import {
  delay,
  type Environment,
  type Ports,
  type ProcessEnd,
  type RunningProcess,
} from "../platform/index.ts";
import type { ResolvedLaunch } from "../values/index.ts";
import { createLineFramer } from "./line-framer.ts";
import { serverEnvironment } from "./server-environment.ts";
import { TextTail } from "./text-tail.ts";
import type { Channel } from "./wire/channel.ts";
import { type Message, messagesIn } from "./wire/message.ts";
import { WireError } from "./wire/wire-error.ts";

const STDERR_KEPT = 64 * 1024;
const INPUT_GRACE_MS = 200;
const TERM_GRACE_MS = 800;
const POLL_MS = 10;
const GOING_DOWN_MS = 500;

type StdioLaunch = Extract<ResolvedLaunch, { transport: "stdio" }>;

/** Talks to a child process line by line, and ends it with everything it started. */
export class StdioChannel implements Channel {
  readonly transport = "stdio";
  readonly perRequest = false;
  readonly ended: Promise<void>;

  readonly stderr: TextTail = new TextTail(STDERR_KEPT);
  /** Lines on standard output that were no messages: a server that prints to the wrong place. */
  strayLines = 0;
  /** Messages that were dropped because they were too long. */
  droppedLines = 0;
  end: ProcessEnd | undefined;
  /** It ended before anybody asked it to. */
  endedItself = false;

  readonly #launch: StdioLaunch;
  readonly #ports: Ports;
  readonly #environment: Environment;
  #markEnded: () => void = () => {};
  #process: RunningProcess | undefined;
  #closing: Promise<void> | undefined;

  constructor(launch: StdioLaunch, ports: Ports, environment: Environment) {
    this.#launch = launch;
    this.#ports = ports;
    this.#environment = environment;
    this.ended = new Promise((resolve) => {
      this.#markEnded = resolve;
    });
  }

  async start(receive: (message: Message) => void): Promise<void> {
    const { command, args, env, inheritEnv } = this.#launch;
    const cwd = await this.#folder();
    if (this.#closing !== undefined)
      throw new WireError({ kind: "closed" }, "it was closed before it was started");
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
        onLine: (line) => this.#read(line, receive),
        onTooLong: () => {
          this.droppedLines += 1;
        },
      }),
    );
    void child.ended.then((end) => {
      this.end = end;
      this.endedItself = this.#closing === undefined;
      this.#markEnded();
    });
  }

  async send(message: Message): Promise<void> {
    const child = this.#process;
    if (child === undefined || this.end !== undefined) throw closed();
    try {
      await child.write(`${JSON.stringify(message)}\n`);
    } catch (error) {
      // It no longer reads because it is going down: how it ended says more than a broken pipe.
      await Promise.race([child.ended, delay(this.#ports.clock, GOING_DOWN_MS)]);
      throw closed(error);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  /** End of input, then SIGTERM, then SIGKILL, to the whole group: launchers such as npx leave children behind. */
  async #stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined) {
      this.#markEnded();
      return;
    }
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

  #read(line: string, receive: (message: Message) => void): void {
    if (line === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line.charCodeAt(0) === 0xfeff ? line.slice(1) : line);
    } catch {
      if (line.trim() !== "") this.strayLines += 1;
      return;
    }
    const { messages, noise } = messagesIn(value);
    this.strayLines += noise;
    for (const message of messages) receive(message);
  }
}

function closed(cause?: unknown): WireError {
  return new WireError({ kind: "closed" }, "the server process is not running", { cause });
}
