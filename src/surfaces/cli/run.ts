import { resolve } from "node:path";
import { createHost, type Host, nearest, VERSION } from "../../index.ts";
import type { Command, CommandContext, ExitCode } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import { overview } from "./commands/overview.ts";
import { demoServer } from "./demo-server.ts";
import { exitCodeOf } from "./exit-code.ts";
import { parseWords } from "./parse-words.ts";
import { renderError, toErrorDocument } from "./render/error.ts";
import { renderCommandHelp, renderHelp } from "./render/help.ts";
import { createStderrLog } from "./stderr-log.ts";
import type { Terminal } from "./terminal.ts";
import { usageError } from "./usage-error.ts";

export interface Surroundings {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** One command, from its words to its exit code. Never rejects. */
export async function run(args: readonly string[], { terminal, signal }: Surroundings): Promise<ExitCode> {
  const words = args[0] === "mcp" ? args.slice(1) : args;
  const json = args.includes("--json");
  const color = !args.includes("--no-color");
  const hosts: Host[] = [];
  try {
    return await dispatch(words, { terminal, signal, json, color, hosts });
  } catch (error) {
    const running = words.find((word) => !word.startsWith("-")) ?? "";
    if (json) terminal.out(`${JSON.stringify(toErrorDocument(error, running), undefined, 2)}\n`);
    else if (!signal.aborted) terminal.err(renderError(error, terminal.errStyle(color), running));
    return signal.aborted ? 130 : exitCodeOf(error);
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
  }
}

interface Dispatch extends Surroundings {
  readonly json: boolean;
  readonly color: boolean;
  readonly hosts: Host[];
}

async function dispatch(args: readonly string[], context: Dispatch): Promise<ExitCode> {
  const { terminal, signal, json, color, hosts } = context;
  const style = terminal.style(color);
  const name = args.find((word) => !word.startsWith("-"));
  if (name === "help" || (name === undefined && args.some((word) => word === "--help" || word === "-h"))) {
    const topic = args.filter((word) => !word.startsWith("-"))[1];
    terminal.out(topic === undefined ? renderHelp(COMMANDS, style) : renderCommandHelp(find(topic), style));
    return 0;
  }
  if (name === undefined && args.some((word) => word === "--version" || word === "-v")) {
    terminal.out(`${VERSION}\n`);
    return 0;
  }
  const command = name === undefined ? overview : find(name);
  const { words, flags } = parseWords(command, args);
  const rest = name === undefined ? words : words.slice(1);
  if (flags["help"] === true) {
    terminal.out(renderCommandHelp(command, style));
    return 0;
  }
  if (rest.length < command.words.least || rest.length > command.words.most) {
    throw usageError(
      rest.length < command.words.least
        ? "Something is missing."
        : `Too many words: ${rest.slice(command.words.most).join(" ")}`,
      `Usage: plugboard ${command.name} ${command.parameters}`,
    );
  }
  const openHost: CommandContext["openHost"] = async ({ demo = false, ...options } = {}) => {
    const open = async (extra: Parameters<typeof createHost>[0]): Promise<Host> => {
      const host = await createHost({
        ...(typeof flags["cwd"] === "string" && { cwd: resolve(flags["cwd"]) }),
        trustProject: flags["trust-project"] === true,
        ...(flags["verbose"] === true && { log: createStderrLog(terminal) }),
        ...options,
        ...extra,
      });
      hosts.push(host);
      return host;
    };
    const host = await open({});
    const wanted = demo && !host.servers().some((server) => server.name === "demo");
    return wanted ? open({ servers: { ...options.servers, demo: demoServer() } }) : host;
  };
  return command.run({
    words: rest,
    flags,
    json,
    terminal,
    style,
    signal,
    openHost,
    printJson: (value) => terminal.out(`${JSON.stringify(value, undefined, 2)}\n`),
  });
}

function find(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const close = nearest(
    name,
    COMMANDS.map((candidate) => candidate.name),
  );
  const hint = close === undefined ? "See plugboard --help." : `Did you mean "plugboard ${close}"?`;
  throw usageError(`Unknown command: ${name}`, hint);
}
