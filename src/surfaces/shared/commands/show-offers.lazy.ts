import type { Host, ServerPrompt, ServerResource, ServerResourceTemplate } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { type Block, renderBlocks } from "../render/offers.ts";
import { reportWhileWaiting } from "../report-while-waiting.ts";
import { type Failure, failuresOf } from "./failures.ts";

/** Runs `plugboard resources`. */
export async function showResources(context: CommandContext): Promise<ExitCode> {
  const { host, server, refresh } = await openFor(context);
  // In parallel, so that each server is connected once.
  const reading = Promise.all([
    host.resources.list(server, { refresh }),
    host.resources.templates(server, { refresh }),
  ]);
  const [resources, templates] = await reportWhileWaiting(context, host, reading);
  const failures = server === undefined ? failuresOf(host, context.program) : [];
  if (context.json) context.printJson({ resources, resourceTemplates: templates, failures });
  else
    print(context, [...resources.map(toResourceRow), ...templates.map(toTemplateRow)], "resource", failures);
  return resources.length + templates.length === 0 && failures.length > 0 ? 1 : 0;
}

/** Runs `plugboard prompts`. */
export async function showPrompts(context: CommandContext): Promise<ExitCode> {
  const { host, server, refresh } = await openFor(context);
  const prompts = await reportWhileWaiting(context, host, host.prompts.list(server, { refresh }));
  const failures = server === undefined ? failuresOf(host, context.program) : [];
  if (context.json) context.printJson({ prompts, failures });
  else print(context, prompts.map(toPromptRow), "prompt", failures);
  return prompts.length === 0 && failures.length > 0 ? 1 : 0;
}

async function openFor(
  context: CommandContext,
): Promise<{ host: Host; server: string | undefined; refresh: boolean }> {
  const [server] = context.words;
  const host = await context.openHost({ daemon: "auto", demo: server === "demo" });
  return { host, server, refresh: context.flags["refresh"] === true };
}

type Row = Block["rows"][number] & { readonly server: string; readonly stale: boolean };

function toResourceRow({ server, stale, uri, name, title, mimeType, description }: ServerResource): Row {
  const label = title ?? (name === uri ? "" : name);
  return { server, stale, name: uri, details: [label, mimeType ?? ""], description: description ?? "" };
}

function toTemplateRow({ uriTemplate, ...template }: ServerResourceTemplate): Row {
  return toResourceRow({ ...template, uri: uriTemplate });
}

function toPromptRow({ server, stale, name, title, description, arguments: args }: ServerPrompt): Row {
  const signature = args.map((argument) => `${argument.name}${argument.required ? "" : "?"}`).join(", ");
  const text = description ?? title ?? "";
  return { server, stale, name, signature: `(${signature})`, details: [], description: text };
}

function print(
  { terminal, style, words }: CommandContext,
  rows: readonly Row[],
  noun: string,
  failures: readonly Failure[],
): void {
  const servers = [...new Set(rows.map(({ server }) => server))];
  const blocks = servers.map((server): Block => {
    const own = rows.filter((row) => row.server === server);
    return { server, noun, rows: own, stale: own.some(({ stale }) => stale) };
  });
  const [server] = words;
  if (blocks.length > 0) terminal.out(renderBlocks(blocks, style, terminal.columns));
  else if (server !== undefined) terminal.out(`"${safeLine(server)}" offers no ${noun}s.\n`);
  else if (failures.length === 0) terminal.out(`No ${noun}s: none of your servers offers any.\n`);
  for (const failure of failures)
    terminal.err(`! ${safeLine(failure.server)}: ${safeLine(failure.message)}\n`);
}
