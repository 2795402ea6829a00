import { type Host, HostError, type TaskView } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { answerServers, printImages, printResult, showProgress } from "../../shared/output/call-output.ts";
import { renderTable } from "../../shared/render/table.ts";
import { usageError } from "../../shared/usage-error.ts";

const SHOWN_ID = 8;

/** Lists the unfinished tasks, or waits for one, or cancels it. */
export async function showTasks(context: CommandContext): Promise<ExitCode> {
  const [action, id, ...others] = context.words;
  if (action === undefined) return list(context, await context.openHost());
  if ((action !== "wait" && action !== "cancel") || id === undefined || others.length > 0)
    throw usageError("Use plugboard tasks, tasks wait <task> or tasks cancel <task>.");
  const progress = showProgress(context);
  const host: Host = await context.openHost({
    daemon: "auto",
    ...answerServers(context, () => host, progress),
  });
  const task = await find(host, id);
  const { signal } = context;
  if (action === "cancel") {
    await host.tasks.cancel(task.id, { signal });
    if (context.json) context.printJson({ cancelled: task.id });
    else context.terminal.out(`Cancelled ${safeLine(task.server)} ${safeLine(task.tool)}.\n`);
    return 0;
  }
  const textLimit = Number.POSITIVE_INFINITY; // print the whole result
  const result = await host.tasks
    .wait(task.id, { signal, onProgress: progress.show, textLimit })
    .finally(progress.clear);
  const code = printResult(context, result);
  if (!context.json) await printImages(context, result);
  return code;
}

async function list({ json, printJson, terminal, style }: CommandContext, host: Host): Promise<ExitCode> {
  const tasks = await host.tasks.list();
  if (json) printJson({ tasks });
  else if (tasks.length === 0) terminal.out("No unfinished tasks.\n");
  else {
    const header = ["TASK", "SERVER", "TOOL", "STARTED", "WAITS"].map((text) => ({
      text,
      paint: style.bold,
    }));
    const rows = tasks.map(({ id, server, tool, createdAt, process }) =>
      [
        id.slice(0, SHOWN_ID),
        server,
        tool,
        new Date(createdAt).toISOString(),
        process === undefined ? "no program" : `process ${process}`,
      ].map((text) => ({ text: safeLine(text) })),
    );
    terminal.out(`${renderTable([header, ...rows]).join("\n")}\n`);
  }
  return 0;
}

/** Finds a task by the beginning of its id. */
async function find(host: Host, start: string): Promise<TaskView> {
  const [found, another] = (await host.tasks.list()).filter(({ id }) => id.startsWith(start));
  if (found === undefined)
    throw new HostError("TASK_UNKNOWN", `There is no unfinished task "${start}".`, {
      hint: "To see all: plugboard tasks",
    });
  if (another !== undefined)
    throw usageError(`Several tasks begin with ${start}.`, "Use a longer part of the id.");
  return found;
}
