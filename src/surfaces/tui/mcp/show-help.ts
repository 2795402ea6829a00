import type { Command } from "../../shared/command.ts";
import { renderTable } from "../../shared/render/table.ts";
import { createPagerPanel } from "../screen/pager-panel.ts";
import type { Screen } from "../screen.ts";

/** Shows the commands of `/mcp` page by page, one row each. */
export async function showHelp(
  screen: Screen,
  commands: readonly Command[],
  signal: AbortSignal,
): Promise<void> {
  const lines = renderTable(
    commands.map(({ name, summary }) => [{ text: `  ${name}`, paint: screen.style.name }, { text: summary }]),
  );
  const page = { title: "/mcp <command> [options]", lines, footer: "/mcp help <command> for its options" };
  await screen.dialogs.openPanel<void>((tools) => createPagerPanel(page, screen.style, tools), signal);
}
