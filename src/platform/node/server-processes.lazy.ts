import { execFile } from "node:child_process";
import { RUN_VARIABLE } from "./marked-processes.ts";
import { createStartReader, namesIn, procTable, textOf } from "./process-table.ts";
import { usageOf } from "./process-usage.ts";
import { systemProgram } from "./system-program.ts";

/** A server's process, and the program that started it. */
export interface ServerProcess {
  readonly pid: number;
  /** Its program and arguments. */
  readonly command: string;
  readonly host: { readonly pid: number; readonly command: string };
  /** The memory of this process alone, in bytes. */
  readonly memoryBytes: number | undefined;
}

/** A process with the mark of a host. */
interface Marked {
  readonly pid: number;
  readonly parent: number;
  readonly run: string;
}

/** The value of the variable: the marks of all hosts above a process, the nearest one last. */
const RUN = new RegExp(`(?:^|[\\0 ])${RUN_VARIABLE}=(?:[\\w./-]*/)?(([0-9a-z]+)-[\\w.-]{1,100})`);
const LONGEST_OUTPUT = 64 * 1024 * 1024;

/**
 * Returns the processes of servers that Plugboard started in any process of this user. A server's own processes are not listed, and
 * neither are those of other users, whose environment cannot be read.
 */
export async function findServerProcesses(platform: string = process.platform): Promise<ServerProcess[]> {
  if (platform === "win32") return [];
  const marked = platform === "linux" ? markedInProc() : await markedInPs(platform);
  const servers = marked.filter(({ run, parent }) => parent === hostOf(run));
  const commandOf = platform === "linux" ? commandInProc : commandInPs;
  return Promise.all(
    servers.map(async ({ pid, parent }) => ({
      pid,
      command: await commandOf(pid),
      host: { pid: parent, command: await commandOf(parent) },
      memoryBytes: (await usageOf([pid], platform, true))?.memoryBytes,
    })),
  );
}

/** A mark starts with the id of the host's process. */
function hostOf(run: string): number {
  return Number.parseInt(run.split("-", 1)[0] ?? "", 36);
}

function markedInProc(): Marked[] {
  const startOf = createStartReader();
  return namesIn("/proc").flatMap((name) => {
    const pid = Number(name);
    const [, run] =
      (Number.isInteger(pid) && RUN.exec(startOf(`/proc/${pid}/environ`)?.toString("latin1") ?? "")) || [];
    const parent = run === undefined ? undefined : procTable.factsOf(pid)?.parent;
    return run === undefined || parent === undefined ? [] : [{ pid, parent, run }];
  });
}

async function markedInPs(platform: string): Promise<Marked[]> {
  const output = await runPs([platform === "darwin" ? "-AEww" : "-axeww", "-o", "pid=,ppid=,command="]);
  return output.split("\n").flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s/.exec(line) ?? [];
    const [, run] = RUN.exec(line) ?? [];
    return run === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), run }];
  });
}

async function commandInProc(pid: number): Promise<string> {
  return textOf(`/proc/${pid}/cmdline`).split("\0").join(" ").trim();
}

async function commandInPs(pid: number): Promise<string> {
  return (await runPs(["-ww", "-o", "command=", "-p", String(pid)])).trim();
}

function runPs(args: readonly string[]): Promise<string> {
  const { command, options } = systemProgram("ps", "posix");
  return new Promise((resolve) => {
    execFile(command, args, { ...options, maxBuffer: LONGEST_OUTPUT }, (_error, output) => resolve(output));
  });
}
