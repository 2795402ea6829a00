import { messageOf } from "../model/index.ts";
import {
  delay,
  type Environment,
  elapsed,
  type Ports,
  type ProcessEnd,
  type RunningProcess,
  settledWithin,
} from "../platform/index.ts";
import type { RunLog } from "../state/index.ts";
import { createLineFramer, LONGEST_LINE } from "./line-framer.ts";
import { OutputBuffer } from "./output-buffer.ts";
import { oversizedLineId } from "./oversized-line-id.ts";
import { serverEnvironment } from "./server-environment.ts";
import { type StdioLaunch, startProgram } from "./start-program.ts";
import type { Channel } from "./wire/channel.ts";
import { Inbox } from "./wire/inbox.ts";
import type { Message } from "./wire/message.ts";
import { serialize } from "./wire/serialize.ts";
import { WireError } from "./wire/wire-error.ts";

const STDERR_KEPT = { head: 8 * 1024, tail: 64 * 1024 };
const STRAY_KEPT = 4 * 1024;
const LONGEST_LOGGED_LINE = 64 * 1024;
const INPUT_GRACE_MS = 200;
const TERM_GRACE_MS = 800;
const KILL_ROUNDS = 20;
const POLL_MS = 10;
/** Finding processes outside of the group is slower than checking the group. */
const STRAY_POLL_MS = 50;
/** Longer than the 150 ms that an exit event waits for the last output, and short enough to report the exit within 250 ms. */
const SHUTDOWN_MS = 180;
/** Error messages for the caller whose response was dropped. */
const TOO_LONG = `the server's response is larger than ${LONGEST_LINE / 1024 / 1024} MB`;
const TOO_COMPLEX = "the server's response contains more than a million values";
/** The matching lines for the server's log, where the message need not be a response. */
const NOTES: Readonly<Record<string, string>> = {
  [TOO_LONG]: `a message of more than ${LONGEST_LINE / 1024 / 1024} MB was dropped`,
  [TOO_COMPLEX]: "a message of more than a million values was dropped",
};
/** How many characters of each end of a dropped line are searched for the request ID. */
const ENDS = 256;
const NEW_LINE = new Uint8Array([10]);

export interface StdioContext {
  readonly ports: Ports;
  readonly environment: Environment;
  /** The log for its output outside of the protocol. */
  readonly log?: RunLog | undefined;
  /** The process, if it was started before this module was loaded. */
  readonly started?: Promise<RunningProcess> | undefined;
}

/** Exchanges messages with a child process, one per line. Closing it ends the process and all of its descendants. */
export class StdioChannel implements Channel {
  readonly transport = "stdio";
  readonly perRequest = false;
  readonly ended: Promise<void>;

  readonly stderr: OutputBuffer = new OutputBuffer(STDERR_KEPT);
  /** The number of lines on standard output that were not messages. */
  strayLines = 0;
  /** The beginning of the first of them. */
  firstStray = "";
  /** The number of messages that were dropped because they were too large. */
  droppedLines = 0;
  end: ProcessEnd | undefined;
  /** The process ended before it was asked to. */
  endedItself = false;
  /** It closed its standard output but keeps running, so no more messages can arrive. */
  fellSilent = false;

  readonly #launch: StdioLaunch;
  readonly #context: StdioContext;
  readonly #given: Readonly<Record<string, string>>;
  #markEnded: () => void = () => {};
  #process: RunningProcess | undefined;
  #closing: Promise<void> | undefined;
  /** The write of the last posted message. */
  #written: Promise<void> | undefined;

  constructor(launch: StdioLaunch, context: StdioContext) {
    this.#launch = launch;
    this.#context = context;
    this.#given = serverEnvironment(context.environment, launch.inheritEnv, launch.env);
    this.ended = new Promise((resolve) => {
      this.#markEnded = resolve;
    });
  }

  /** The process, once it was started. */
  get process(): RunningProcess | undefined {
    return this.#process;
  }

  async start(receive: (message: Message) => void): Promise<void> {
    const { log, started } = this.#context;
    if (this.#closing !== undefined && started === undefined) throw closedBefore();
    const child = await (started ?? startProgram(this.#launch, this.#context));
    this.#process = child;
    if (this.#closing !== undefined) {
      await this.#end(child);
      throw closedBefore();
    }
    const complain = createLineFramer({
      onLine: (line) => log?.add("stderr", line),
      onTooLong: () => log?.add("stderr", "[a line longer than 64 KB was omitted]"),
      limit: LONGEST_LOGGED_LINE,
    });
    child.onErrorOutput((chunk) => {
      this.stderr.add(chunk);
      this.#safely(() => complain(chunk));
    });
    const inbox = this.#createInbox(receive);
    const frame = createLineFramer({
      onLine: (line) => {
        if (line !== "") inbox.accept(line);
      },
      onOverflow: (head) => this.#drop(TOO_LONG, head, receive),
      onTooLong: (head, tail) => this.#refuse(TOO_LONG, head, tail, receive),
    });
    child.onOutput((chunk) => {
      try {
        frame(chunk);
      } catch (error) {
        this.#report(error);
      }
      return inbox.busy;
    });
    child.onOutputEnd(() => void this.#endWithoutOutput(child));
    void child.ended.then(async (end) => {
      await inbox.busy; // the last response may still be parsed
      this.end = end;
      this.endedItself = this.#closing === undefined;
      this.#safely(() => {
        complain(NEW_LINE); // the last line may have no line break
        log?.end(end, this.endedItself);
      });
      this.#markEnded();
    });
  }

  async send(message: Message): Promise<void> {
    const text = serialize(message);
    try {
      await this.#write(text);
    } catch (error) {
      await this.#endWithoutInput();
      throw closed(error);
    }
  }

  post(message: Message, isAlone: boolean): void {
    const written = this.#write(serialize(message), isAlone);
    if (written === this.#written) return; // messages that are written together fail together
    this.#written = written;
    written.catch(this.#endWithoutInput);
  }

  #write(text: string, isAlone = false): Promise<void> {
    if (this.#process === undefined || this.end !== undefined) return Promise.reject(closed());
    return this.#process.write(`${text}\n`, isAlone);
  }

  /** Waits for the exit of a process that no longer reads. Its exit code explains more than a broken pipe. */
  readonly #endWithoutInput = async (): Promise<void> => {
    if (this.#process !== undefined) await this.#waitForNews(this.#process);
    this.#markEnded(); // it may still run, but this connection is unusable
  };

  close(): Promise<void> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  /** Returns the user's environment variables that a text names and that the server did not inherit. */
  withheldIn(text: string): readonly string[] {
    const { variables } = this.#context.environment;
    const names = new Set(text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g));
    return [...names].filter((name) => variables[name] !== undefined && this.#given[name] === undefined);
  }

  /** Whether it inherits only part of the user's environment. */
  get isRestricted(): boolean {
    return this.#launch.inheritEnv !== true;
  }

  /** Closes standard input, then sends SIGTERM, then SIGKILL to all descendants: launchers such as npx leave children behind. */
  async #stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined) {
      this.#markEnded();
      return;
    }
    await this.#end(child);
  }

  async #end(child: RunningProcess): Promise<void> {
    child.endInput();
    if (!(await this.#isGoneWithin(child, INPUT_GRACE_MS))) {
      await this.#signal(child, "SIGTERM");
      if (!(await this.#isGoneWithin(child, TERM_GRACE_MS))) await this.#kill(child);
    }
    await child.ended;
    child.release();
    await this.#context.log?.saved();
  }

  async #signal(child: RunningProcess, name: "SIGTERM" | "SIGKILL"): Promise<boolean> {
    child.signal(name);
    return signalStrays(child, name);
  }

  /** Repeats SIGKILL while processes are found. The group is not checked, because without a reaper it never becomes empty. */
  async #kill(child: RunningProcess): Promise<void> {
    const { clock } = this.#context.ports;
    for (let round = 0; round < KILL_ROUNDS && (await this.#signal(child, "SIGKILL")); round += 1)
      await delay(clock, POLL_MS);
  }

  async #isGoneWithin(child: RunningProcess, ms: number): Promise<boolean> {
    const { clock } = this.#context.ports;
    const deadline = elapsed(clock) + ms;
    for (;;) {
      const groupIsAlive = child.groupIsAlive();
      if (!groupIsAlive && !(await signalStrays(child, 0))) return true;
      if (elapsed(clock) >= deadline) return false;
      // The exit of the process itself is detected immediately. Its descendants are polled.
      if (this.end === undefined) await settledWithin(clock, POLL_MS, child.ended);
      else await delay(clock, groupIsAlive ? POLL_MS : STRAY_POLL_MS);
    }
  }

  /** The end of output usually means that the process exits, so wait for that. A process that keeps running is unusable. */
  async #endWithoutOutput(child: RunningProcess): Promise<void> {
    await this.#waitForNews(child);
    if (this.end !== undefined || this.#closing !== undefined) return;
    this.fellSilent = true;
    this.#markEnded();
  }

  /** Waits for the exit event, which may be late on a busy machine. Stops after a moment if the process still runs. */
  async #waitForNews(child: RunningProcess): Promise<void> {
    await settledWithin(this.#context.ports.clock, SHUTDOWN_MS, child.ended);
    if (child.hasExited()) await child.ended;
  }

  #createInbox(receive: (message: Message) => void): Inbox {
    return new Inbox({
      receive,
      onError: (error) => this.#report(error),
      onNoise: (text, count) => {
        if (text.trim() !== "") this.#stray(text, count);
      },
      onDropped: (count) => this.#note(`${count} requests of one batch were dropped`),
      onTooComplex: (text) => {
        this.#drop(TOO_COMPLEX, text.slice(0, ENDS), receive);
        this.#refuse(TOO_COMPLEX, text.slice(0, ENDS), text.slice(-ENDS), receive);
      },
    });
  }

  #stray(line: string, count: number): void {
    if (this.strayLines === 0) this.firstStray = line.slice(0, STRAY_KEPT);
    this.strayLines += count;
    if (line.length > LONGEST_LOGGED_LINE) this.#note("a line longer than 64 KB was omitted");
    else this.#context.log?.add("stdout", line);
  }

  /** Errors thrown in a stream event, such as by a log, would end this process. */
  #safely(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    try {
      this.#context.ports.log.log("error", "message.failed", { error: messageOf(error) });
    } catch {
      // The log itself failed.
    }
  }

  #note(text: string): void {
    this.#context.log?.add("stdout", `[${text}]`);
  }

  /** Drops a message without waiting for its end, which may never arrive. */
  #drop(why: string, head: string, receive: (message: Message) => void): void {
    this.droppedLines += 1;
    this.#note(NOTES[why] ?? why);
    this.#refuse(why, head, "", receive);
  }

  /** Fails only the request that the dropped message answers. The connection stays open. */
  #refuse(why: string, head: string, tail: string, receive: (message: Message) => void): void {
    const id = oversizedLineId(head, tail);
    if (id !== undefined) receive({ jsonrpc: "2.0", id, error: { code: -32603, message: why } });
  }
}

/** If the processes cannot be listed, some may be left. */
function signalStrays(child: RunningProcess, name: "SIGTERM" | "SIGKILL" | 0): Promise<boolean> {
  return child.signalStrays(name).catch(() => true);
}

function closedBefore(): WireError {
  return new WireError({ kind: "closed" }, "the connection was closed before the server started");
}

function closed(cause?: unknown): WireError {
  return new WireError({ kind: "closed" }, "the server process is not running", { cause });
}
