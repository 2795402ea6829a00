import type { Host, HostDoctor, HostError, HostOptions } from "../../index.ts";
import type { Style } from "./render/style.ts";
import type { Terminal } from "./terminal.ts";

/** 0 done, 1 failed, 2 wrong usage, 3 a person is needed, 130 cancelled. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

export interface Flag {
  /** A list may be given several times. */
  readonly type: "boolean" | "string" | "list";
  readonly short?: string;
  readonly value?: string;
  readonly summary: string;
}

export type FlagValue = string | boolean | readonly string[] | undefined;

/** What a command is given to do its work. */
export interface CommandContext {
  /** Words after the command's name. */
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, FlagValue>>;
  /** What comes after `--`, as it is. */
  readonly rest: readonly string[];
  readonly json: boolean;
  /** What a command to type begins with: `plugboard`, or `/mcp` in interactive mode. */
  readonly program: string;
  /** Every command there is, this one among them. */
  readonly vocabulary: CommandSet;
  /** Interactive mode, if the command can start it. Undefined inside interactive mode. */
  readonly interactive?: InteractiveMode | undefined;
  /** The host shows a sign-in itself, as in interactive mode. */
  readonly hostAsks?: boolean;
  readonly terminal: Terminal;
  readonly style: Style;
  /** Fires at Ctrl-C. */
  readonly signal: AbortSignal;
  /** From now on Ctrl-C is how the command is meant to end: nothing is said about it. */
  expectInterrupt(): void;
  /**
   * A host for this run; closed when the command ends. With `demo`, the demo server is there if no other has its name; with
   * `quiet`, problems are left to its listeners.
   */
  openHost(options?: HostOptions & { readonly demo?: boolean; readonly quiet?: boolean }): Promise<Host>;
  /** Prints the one JSON document of `--json`. */
  printJson(value: unknown): void;
}

/** The parts of interactive mode that commands use. The program's entry provides them, because no command may import them. */
export interface InteractiveMode {
  /** Runs interactive mode until the user leaves it. */
  run(context: CommandContext): Promise<ExitCode>;
  /** Sends one prompt to the model and prints the answer, for `--print`. */
  printTurn(context: CommandContext): Promise<ExitCode>;
  /** Returns a function that shows a server's question as a form on the terminal. */
  createTerminalQuestions(
    style: Style,
    host: () => { readonly doctor: Pick<HostDoctor, "openPage"> },
  ): Promise<NonNullable<HostOptions["onElicitation"]>>;
}

/** Whose words a line is read in: those of the command line, or of `/mcp`. */
export interface CommandSet {
  /** What a command to type begins with. */
  readonly program: string;
  readonly commands: readonly Command[];
  /** Flags that every command takes. */
  readonly flags: Readonly<Record<string, Flag>>;
  /** What no word at all means. */
  readonly bare: Command;
  renderHelp(style: Style): string;
  /** Says that there is no such command; another may have been meant. */
  unknown(name: string, close: string | undefined): HostError;
}

/** One verb, of the command line and of `/mcp`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What comes after the name, e.g. `<server> <tool>`. */
  readonly parameters: string;
  /** Lines that explain the parameters, where their names do not. */
  readonly notes?: readonly string[];
  readonly words: { readonly least: number; readonly most: number };
  readonly flags: Readonly<Record<string, Flag>>;
  readonly examples: readonly string[];
  /** Other names for it. */
  readonly aliases?: readonly string[];
  /** What comes after `--` is handed over as it is, not as words. */
  readonly takesRest?: boolean;
  run(context: CommandContext): Promise<ExitCode>;
}
