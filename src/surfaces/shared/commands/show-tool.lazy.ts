import type { Host } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { count } from "../render/server-list.ts";
import { renderToolPage } from "../render/tool-page.ts";
import { reportWhileWaiting } from "../report-while-waiting.ts";

/** Runs `tools <server> <tool>`. */
export async function showTool(
  context: CommandContext,
  host: Host,
  { server, tool, refresh }: { readonly server: string; readonly tool: string; readonly refresh: boolean },
): Promise<ExitCode> {
  const inspect = async () => {
    if (refresh) await host.tools(server, { refresh });
    return host.doctor.inspectTool(server, tool);
  };
  const { json, printJson, terminal, style, program, typed } = context;
  const inspection = await reportWhileWaiting(context, host, inspect());
  if (json) printJson(inspection);
  else terminal.out(renderToolPage(inspection, style, { program, typed, columns: terminal.columns }));
  return 0;
}

/** Runs `tools --review`: shows what the definition check found, for one server or for all that may run. */
export async function reviewTools(
  context: CommandContext,
  host: Host,
  server: string | undefined,
): Promise<ExitCode> {
  const { json, printJson, terminal, style } = context;
  const reports = await reportWhileWaiting(context, host, host.pins.review(server));
  const problems = await host.doctor.checkTools(server);
  const withheld = problems.filter(({ code }) => code === "tool-quarantined" || code === "tool-held");
  if (json) {
    printJson({
      reviews: reports.map(({ server: name, findings }) => ({ server: name, findings })),
      withheld,
    });
    return 0;
  }
  for (const { server: name, findings } of reports) {
    const own = withheld.filter((problem) => problem.server === name);
    const total = findings.length + own.length;
    const summary = total === 0 ? style.good("nothing suspicious") : style.warn(count(total, "finding"));
    terminal.out(`${style.bold(safeLine(name))} ${style.dim("·")} ${summary}\n`);
    for (const { tool, what } of findings)
      terminal.out(`  ${style.warn("!")} ${safeLine(tool)} ${safeLine(what)}\n`);
    for (const { message } of own) terminal.out(`  ${style.bad("✗")} ${safeLine(message)}\n`);
  }
  return 0;
}
