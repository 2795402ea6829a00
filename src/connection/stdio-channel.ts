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
import { KeptOutput } from "./kept-output.ts";
import { createLineFramer, LONGEST_LINE } from "./line-framer.ts";
import { oversizedLineId } from "./oversized-line-id.ts";
import { serverEnvironment } from "./server-environment.ts";
import { type StdioLaunch, startProgram } from "./start-program.ts";
import type { Channel } from "./wire/channel.ts";
import { Inbox } from "./wire/inbox.ts";
import type { Message } from "./wire/message.ts";
import { WireError } from "./wire/wire-error.ts";

const STDERR_KEPT = { head: 8 * 1024, tail: 64 * 1024 };
const STRAY_KEPT = 4 * 1024;
const LONGEST_LOGGED_LINE = 64 * 1024;
const INPUT_GRACE_MS = 200;
const TERM_GRACE_MS = 800;
const KILL_ROUNDS = 20;
const POLL_MS = 10;
/** Looking for what left the group costs more than asking for the group. */
const STRAY_POLL_MS = 50;
/** Long enough for the news of its end, which waits 150 ms for its last output; short enough that the caller is told within 250. */
const GOING_DOWN_MS = 180;
/** Why a message is not read, for the one who waits for it. */
const TOO_LONG = `the server's response is larger than ${LONGEST_LINE / 1024 / 1024} MB`;
const TOO_COMPLEX = "the server's response contains more than a million values";
/** The same for the server's log, where it need not be an answer. */
const NOTES: Readonly<Record<string, string>> = {
  [TOO_LONG]: `a message of more than ${LONGEST_LINE / 1024 / 1024} MB was dropped`,
  [TOO_COMPLEX]: "a message of more than a million values was dropped",
};
/** What is looked at of a dropped line to find the request that it answers. */
const ENDS = 256;
const NEW_LINE = new Uint8Array([10]);

export interface StdioSurroundings {
  readonly ports: Ports;
  readonly environment: Environment;
  /** Where what it says beside the protocol is kept. */
  readonly log?: RunLog | undefined;
  /** Its process, where that was started before this part of the program was loaded. */
  readonly started?: Promise<RunningProcess> | undefined;
}

/** Talks to a child process line by line, and ends it with everything it started. */
export class StdioChannel implements Channel {
  readonly transport = "stdio";
  readonly perRequest = false;
  readonly ended: Promise<void>;

  readonly stderr: KeptOutput = new KeptOutput(STDERR_KEPT);
  /** Lines on standard output that were no messages: a server that prints to the wrong place. */
  strayLines = 0;
  /** The beginning of the first of them. */
  firstStray = "";
  /** Messages that were dropped because they were too long. */
  droppedLines = 0;
  end: ProcessEnd | undefined;
  /** It ended before anybody asked it to. */
  endedItself = false;
  /** It closed its output and goes on without: nothing can come any more. */
  fellSilent = false;

  readonly #launch: StdioLaunch;
  readonly #context: StdioSurroundings;
  readonly #given: Readonly<Record<string, string>>;
  #markEnded: () => void = () => {};
  #process: RunningProcess | undefined;
  #closing: Promise<void> | undefined;
  /** What was posted last is on its way. */
  #written: Promise<void> | undefined;

  constructor(launch: StdioLaunch, context: StdioSurroundings) {
    this.#launch = launch;
    this.#context = context;
    this.#given = serverEnvironment(context.environment, launch.inheritEnv, launch.env);
    this.ended = new Promise((resolve) => {
      this.#markEnded = resolve;
    });
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
      this.#safely(() => frame(chunk));
      return inbox.busy;
    });
    child.onOutputEnd(() => void this.#endWithoutOutput(child));
    void child.ended.then(async (end) => {
      await inbox.busy; // its last answer may be a long one
      this.end = end;
      this.endedItself = this.#closing === undefined;
      this.#safely(() => {
        complain(NEW_LINE); // the last line may have no end
        log?.end(end, this.endedItself);
      });
      this.#markEnded();
    });
  }

  async send(message: Message): Promise<void> {
    try {
      await this.#write(message);
    } catch (error) {
      await this.#endWithoutInput();
      throw closed(error);
    }
  }

  post(message: Message): void {
    const written = this.#write(message);
    if (written === this.#written) return; // those that go out together fail together
    this.#written = written;
    written.catch(() => this.#endWithoutInput());
  }

  #write(message: Message): Promise<void> {
    if (this.#process === undefined || this.end !== undefined) return Promise.reject(closed());
    return this.#process.write(`${JSON.stringify(message)}\n`);
  }

  /** It no longer reads because it is going down: how it ended says more than a broken pipe. */
  async #endWithoutInput(): Promise<void> {
    if (this.#process !== undefined) await this.#waitForNews(this.#process);
    this.#markEnded(); // it may live on, but not for this conversation: the next caller gets another
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  /** The variables of the person that a text names and that the server was not given. */
  withheldIn(text: string): readonly string[] {
    const { variables } = this.#context.environment;
    const names = new Set(text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g));
    return [...names].filter((name) => variables[name] !== undefined && this.#given[name] === undefined);
  }

  /** Whether it was given less than the person has. */
  get isRestricted(): boolean {
    return this.#launch.inheritEnv !== true;
  }

  /** End of input, then SIGTERM, then SIGKILL, to all of it: launchers such as npx leave children behind, and some leave the group. */
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

  /** Again while something is found, for what was started meanwhile. The group is no longer asked for: where nobody collects the dead, it never ends. */
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
      // Its own end is worth no waiting; what it leaves behind is looked for now and then.
      if (this.end === undefined) await settledWithin(clock, POLL_MS, child.ended);
      else await delay(clock, groupIsAlive ? POLL_MS : STRAY_POLL_MS);
    }
  }

  /** Usually the end of the output is the end of the process, which says more; one that lives on is of no use any more. */
  async #endWithoutOutput(child: RunningProcess): Promise<void> {
    await this.#waitForNews(child);
    if (this.end !== undefined || this.#closing !== undefined) return;
    this.fellSilent = true;
    this.#markEnded();
  }

  /** Of its end, which comes late on a busy machine: for sure where it is over, for a while where it is not yet. */
  async #waitForNews(child: RunningProcess): Promise<void> {
    await settledWithin(this.#context.ports.clock, GOING_DOWN_MS, child.ended);
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

  /** Output arrives in events of streams: what is thrown there, by a log for one, would end the process. */
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
      // There is no other place to report it to.
    }
  }

  #note(text: string): void {
    this.#context.log?.add("stdout", `[${text}]`);
  }

  /** Nobody waits for the end of a line that is too long already: it may never come. */
  #drop(why: string, head: string, receive: (message: Message) => void): void {
    this.droppedLines += 1;
    this.#note(NOTES[why] ?? why);
    this.#refuse(why, head, "", receive);
  }

  /** Only the one who waits for this answer is told; the conversation goes on. */
  #refuse(why: string, head: string, tail: string, receive: (message: Message) => void): void {
    const id = oversizedLineId(head, tail);
    if (id !== undefined) receive({ jsonrpc: "2.0", id, error: { code: -32603, message: why } });
  }
}

/** Where nobody can look, something may be left. */
function signalStrays(child: RunningProcess, name: "SIGTERM" | "SIGKILL" | 0): Promise<boolean> {
  return child.signalStrays(name).catch(() => true);
}

function closedBefore(): WireError {
  return new WireError({ kind: "closed" }, "the connection was closed before the server started");
}

function closed(cause?: unknown): WireError {
  return new WireError({ kind: "closed" }, "the server process is not running", { cause });
}
