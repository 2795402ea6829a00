import type { Command } from "../../shared/command.ts";
import { createPagerPanel } from "../screen/pager-panel.ts";
import type { Screen } from "../screen.ts";

/** Shows the commands of `/mcp` page by page, one row each. */
export async function showHelp(
  screen: Screen,
  commands: readonly Command[],
  signal: AbortSignal,
): Promise<void> {
  const { renderCommandList } = await import("../../shared/help/help-pages.lazy.ts");
  const lines = renderCommandList(commands, screen.style);
  const page = { title: "/mcp <command> [options]", lines, footer: "/mcp help <command> for its options" };
  await screen.dialogs.openPanel<void>((tools) => createPagerPanel(page, screen.style, tools), signal);
}
