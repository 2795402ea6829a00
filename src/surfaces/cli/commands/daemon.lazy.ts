import { findDaemonService } from "../../../daemon-service.lazy.ts";
import { type DaemonControl, findDaemon } from "../../../find-daemon.lazy.ts";
import type { JsonObject, JsonValue } from "../../../index.ts";
import { runDaemon } from "../../../run-daemon.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { usageError } from "../../shared/usage-error.ts";

type Action = (context: CommandContext, control: DaemonControl) => Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Action>> = { start, stop, restart, status, run, install, uninstall };

/** Flags that belong to one action. */
const FLAG_OF = { keep: "run", print: "install" } as const;

/** Controls the user's daemon. */
export async function daemon(context: CommandContext): Promise<ExitCode> {
  const [word = ""] = context.words;
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (action === undefined)
    throw usageError(`Unknown action: ${word}`, `Use one of: ${Object.keys(ACTIONS).join(", ")}.`);
  const misplaced = Object.entries(FLAG_OF).find(
    ([flag, only]) => context.flags[flag] === true && only !== word,
  );
  if (misplaced !== undefined)
    throw usageError(`--${misplaced[0]} can be used with "plugboard daemon ${misplaced[1]}" only.`);
  return action(context, findDaemon());
}

async function start(context: CommandContext, control: DaemonControl): Promise<ExitCode> {
  const outcome = await control.start();
  await control.agree();
  const running = await control.status();
  if (context.json) context.printJson({ outcome, ...running });
  else
    context.terminal.out(
      outcome === "started"
        ? `The daemon runs (process ${String(running?.["pid"])}).\nTo stop it: plugboard daemon stop\n`
        : `The daemon is already running (process ${String(running?.["pid"])}).\n`,
    );
  return 0;
}

async function stop(context: CommandContext, control: DaemonControl): Promise<ExitCode> {
  const wasRunning = await control.stop();
  if (context.json) context.printJson({ outcome: wasRunning ? "stopped" : "not running" });
  else context.terminal.out(wasRunning ? "The daemon has stopped.\n" : "The daemon is not running.\n");
  return 0;
}

async function restart(context: CommandContext, control: DaemonControl): Promise<ExitCode> {
  await control.stop();
  return start(context, control);
}

async function status(context: CommandContext, control: DaemonControl): Promise<ExitCode> {
  const found = await control.status();
  const others = (await control.others()).map(({ version, status: { pid, draining, clients } }) => ({
    version,
    pid: pid ?? null,
    draining: draining === true,
    clients: Array.isArray(clients) ? clients.length : 0,
  }));
  if (context.json) context.printJson({ running: found !== undefined, ...found, others });
  else
    context.terminal.out(
      `${found === undefined ? NOT_RUNNING : describe(found)}${others.map(describeOther).join("")}`,
    );
  return 0;
}

function describeOther({ version, pid, draining, clients }: JsonObject): string {
  const why = draining === true ? ", and ends with its last client" : "";
  const programs = `${String(clients)} connected ${clients === 1 ? "program" : "programs"}`;
  return `The daemon of version ${safeLine(String(version))} also runs (process ${String(pid)}, ${programs})${why}.\n`;
}

const NOT_RUNNING = "The daemon is not running.\nTo start it: plugboard daemon start\n";

function describe(found: JsonObject): string {
  const { pid, version, startedAt, clients, workspaces } = found;
  const since = typeof startedAt === "number" ? new Date(startedAt).toLocaleString() : "unknown";
  const lines = [`The daemon runs (process ${String(pid)}, version ${String(version)}, since ${since}).`];
  const count = Array.isArray(clients) ? clients.length : 0;
  lines.push(
    count === 0 ? "No program is connected." : `${count} connected ${count === 1 ? "program" : "programs"}`,
  );
  for (const workspace of Array.isArray(workspaces) ? workspaces : []) {
    if (typeof workspace !== "object" || workspace === null || Array.isArray(workspace)) continue;
    const { cwd, servers, otherVariables } = workspace as JsonObject;
    const names = Array.isArray(servers) && servers.length > 0 ? servers.join(", ") : "no running servers";
    const others = namesIn(otherVariables);
    const note = others === "" ? "" : ` (started with other values of ${others})`;
    lines.push(`  ${safeLine(String(cwd))}: ${safeLine(names)}${note}`);
  }
  const changed = namesIn(found["changedVariables"]);
  if (changed !== "")
    lines.push(
      `The daemon was started with other values of ${changed}, so programs with your values do not use it.`,
      "To use them: plugboard daemon restart",
    );
  return `${lines.join("\n")}\n`;
}

const MOST_NAMES = 5;

/** Returns the first names of a list, as text. */
function namesIn(list: JsonValue | undefined): string {
  const names = Array.isArray(list) ? list.map(String) : [];
  const shown = safeLine(names.slice(0, MOST_NAMES).join(", "));
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

async function run(context: CommandContext): Promise<ExitCode> {
  context.expectInterrupt();
  const running = await runDaemon({
    ...(context.flags["keep"] === true && { idleMs: Number.POSITIVE_INFINITY }),
    print: (text) => context.terminal.out(`${safeLine(text)}\n`),
  });
  if (running === undefined) {
    context.terminal.out("The daemon is already running.\n");
    return 0;
  }
  context.standalone?.onExit({ close: () => running.stop() });
  const interrupted = new Promise<void>((resolve) =>
    context.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  await Promise.race([running.ended, interrupted]);
  await running.stop();
  return 0;
}

async function install(
  { flags, json, printJson, terminal }: CommandContext,
  control: DaemonControl,
): Promise<ExitCode> {
  const { file, text, commands, install: enable } = await findDaemonService();
  const lines = commands.map((words) => words.join(" "));
  if (flags["print"] === true) {
    if (json) printJson({ file, text, commands: lines });
    else
      terminal.out(
        `${text}\nSave this as ${safeLine(file)}, then run:\n${lines.map((line) => `  ${line}\n`).join("")}`,
      );
    return 0;
  }
  await enable();
  await control.agree();
  if (json) printJson({ outcome: "installed", file });
  else
    terminal.out(
      `The daemon starts with each login. Its service is in ${safeLine(file)}\nTo remove it: plugboard daemon uninstall\n`,
    );
  return 0;
}

async function uninstall({ json, printJson, terminal }: CommandContext): Promise<ExitCode> {
  const service = await findDaemonService();
  const wasInstalled = await service.uninstall();
  if (json) printJson({ outcome: wasInstalled ? "uninstalled" : "not installed" });
  else terminal.out(wasInstalled ? "The service was removed.\n" : "No service is installed.\n");
  return 0;
}
