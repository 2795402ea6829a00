import type { FormField, FormValue, Host, HostDoctor, HostError, HostOptions } from "../../index.ts";
import type { Style } from "./render/style.ts";
import type { Terminal } from "./terminal.ts";

/** 0 success, 1 failure, 2 usage error, 3 user action required, 130 cancelled. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

export interface Flag {
  /** A `list` flag can be repeated. */
  readonly type: "boolean" | "string" | "list";
  readonly short?: string;
  readonly value?: string;
  readonly summary: string;
}

export type FlagValue = string | boolean | readonly string[] | undefined;

/** The input and the services of a running command. */
export interface CommandContext {
  /** The arguments after the command's name. */
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, FlagValue>>;
  /** The arguments after `--`, unparsed. */
  readonly rest: readonly string[];
  /** The end of the command line if it types its server: `--url <url>` or `-- <command…>`. */
  readonly typed?: string | undefined;
  readonly json: boolean;
  /** The prefix of every command: `plugboard`, or `/mcp` in interactive mode. */
  readonly program: string;
  /** All commands, including this one. */
  readonly vocabulary: CommandSet;
  /** Interactive mode, if the command can start it. Undefined inside interactive mode. */
  readonly interactive?: InteractiveMode | undefined;
  /** Whether the host shows sign-ins itself, as in interactive mode. */
  readonly hostAsks?: boolean;
  /** Asks for values in interactive mode. Resolves with `undefined` if the user cancels. */
  readonly askFields?: AskFields | undefined;
  readonly terminal: Terminal;
  readonly style: Style;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Declares that Ctrl-C is the normal way to end the command, so that it is not reported as an error. */
  expectInterrupt(): void;
  /**
   * Creates a host for this run. It is closed when the command ends. `demo` adds the demo server if no other server has
   * its name. `quiet` does not print problems.
   */
  openHost(options?: HostOptions & { readonly demo?: boolean; readonly quiet?: boolean }): Promise<Host>;
  /** For commands that need more than a host. Undefined inside interactive mode. */
  readonly standalone?: Standalone | undefined;
  /** Prints the one JSON document of `--json`. */
  printJson(value: unknown): void;
  /** Renders one line of a command that prints a document per line, or the values that `--select` finds in it. */
  jsonLine(value: unknown): string;
}

/** Asks for the values of fields, one after the other. Resolves with `undefined` if the user cancels. */
export type AskFields = (
  fields: readonly FormField[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, FormValue> | undefined>;

/** The dependencies of a command that creates something other than a host, such as a gateway. */
export interface Standalone {
  /** Returns the options of a host for this run. */
  hostOptions(): HostOptions;
  /** Registers what must be closed before the process exits. */
  onExit(closable: { close(): Promise<void> }): void;
}

/**
 * The parts of interactive mode that commands use. The entry point provides them, because commands must not import
 * them.
 */
export interface InteractiveMode {
  /** Runs interactive mode until the user quits. */
  run(context: CommandContext): Promise<ExitCode>;
  /** Sends one prompt to the model and prints the answer, for `--print`. */
  printTurn(context: CommandContext): Promise<ExitCode>;
  /** Returns a function that shows a server's question as a form on the terminal. */
  createTerminalQuestions(
    style: Style,
    host: () => { readonly doctor: Pick<HostDoctor, "openPage"> },
  ): Promise<NonNullable<HostOptions["onElicitation"]>>;
  /** Asks for a tool's arguments on the terminal. Resolves with `undefined` if the user cancels. */
  askArguments(
    style: Style,
    fields: readonly FormField[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, FormValue> | undefined>;
}

/** The commands and flags of one surface: the command line, or `/mcp`. */
export interface CommandSet {
  /** The prefix of every command: `plugboard` or `/mcp`. */
  readonly program: string;
  readonly commands: readonly Command[];
  /** Flags that every command accepts. */
  readonly flags: Readonly<Record<string, Flag>>;
  /** The command that runs if no command is named. */
  readonly bare: Command;
  renderHelp(style: Style, columns: number): Promise<string>;
  /** Returns the error for an unknown command. `close` is the most similar command name. */
  unknown(name: string, close: string | undefined): HostError;
}

/** One command of the command line or of `/mcp`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The parameters shown in the usage line, for example `<server> <tool>`. */
  readonly parameters: string;
  /** Help lines that explain the parameters. */
  readonly notes?: readonly string[];
  readonly words: { readonly least: number; readonly most: number };
  readonly flags: Readonly<Record<string, Flag>>;
  readonly examples: readonly string[];
  /** Alternative names. */
  readonly aliases?: readonly string[];
  /** Whether the arguments after `--` are passed unparsed, as `rest`. */
  readonly takesRest?: boolean;
  /** Whether the server can be typed instead of named: `--url <url>` or `-- <command…>`. Has `TYPED_SERVER_FLAGS`. */
  readonly takesTypedServer?: boolean;
  run(context: CommandContext): Promise<ExitCode>;
}
