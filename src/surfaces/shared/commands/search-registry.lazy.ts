import type { RegistryServer } from "../../../index.ts";
import { safeLine, truncate } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";

/** Prints the servers that the registry has for the words. */
export async function searchRegistry(context: CommandContext): Promise<ExitCode> {
  const { words, json, printJson, terminal, style, program, signal } = context;
  const host = await context.openHost({ quiet: true });
  const found = await host.registry.search(words.join(" "), { signal });
  if (json) {
    printJson(found);
    return 0;
  }
  if (found.storedAt !== undefined)
    terminal.err(
      `${style.warn("!")} The registry cannot be reached. This result is from ${found.storedAt}.\n`,
    );
  if (found.servers.length === 0) {
    terminal.out("No servers match.\n");
    terminal.err("The registry searches names. Try one word, or a part of one.\n");
    return 0;
  }
  const blocks = found.servers.map((server) => renderServer(server, context).join("\n"));
  terminal.out(`${blocks.join("\n")}\n`);
  if (found.hasMore) terminal.err("There are more. Add words to narrow the search.\n");
  terminal.err(`  ${style.dim("→")} ${program} add ${found.servers[0]?.name ?? "<name>"}\n`);
  return 0;
}

function renderServer(server: RegistryServer, { style, terminal }: CommandContext): string[] {
  const { name, version, kinds, description, status, statusMessage, resembles } = server;
  const about = [version, kinds.join(", ")].filter((text) => text !== "").map(safeLine);
  const reason = statusMessage === undefined ? "" : `: ${safeLine(statusMessage)}`;
  return [
    `${style.name(safeLine(name))}  ${style.dim(about.join(" · "))}`,
    ...(description === ""
      ? []
      : [`  ${truncate(safeLine(description), Math.max(20, terminal.columns - 2))}`]),
    ...(status === "deprecated" ? [`  ${style.warn("!")} Deprecated${reason}`] : []),
    ...(resembles === undefined
      ? []
      : [`  ${style.warn("!")} Its name resembles ${resembles}. It may be an imitation.`]),
  ];
}
