import type { Host } from "../../../../index.ts";
import type { DisplayContext } from "../../../shared/render/place.ts";
import type { Screen } from "../../screen.ts";
import { readDetails } from "./server-details.ts";
import { type BrowserPlace, createServerPanel, type ServerAction } from "./server-panel.ts";

export interface BrowseOptions {
  readonly host: Host;
  readonly screen: Screen;
  readonly display: DisplayContext;
  /** Runs a command of `/mcp`, which may print and ask. */
  run(action: ServerAction): Promise<void>;
  readonly signal: AbortSignal;
}

/** Shows the servers until the user closes the list. The panel closes while a command runs, and then opens again. */
export async function browseServers({ host, screen, display, run, signal }: BrowseOptions): Promise<void> {
  const place: BrowserPlace = { filter: "", marked: undefined, isOpen: false };
  const showOnce = async (): Promise<ServerAction | undefined> => {
    let stop = (): void => {};
    const answer = await screen.dialogs.openPanel<ServerAction>((tools) => {
      const details = readDetails(host, tools.repaint);
      const unsubscribe = host.subscribe(({ type }) => {
        if (type === "server.state" || type === "tools.changed") tools.repaint();
      });
      stop = () => {
        unsubscribe();
        details.stop();
      };
      return createServerPanel(
        { servers: () => host.servers(), details, place, style: screen.style, display },
        tools,
      );
    }, signal);
    stop();
    return answer.kind === "value" ? answer.value : undefined;
  };
  for (let action = await showOnce(); action !== undefined; action = await showOnce()) {
    if (action.verb === "stop") await host.close(action.server);
    else await run(action);
    if (signal.aborted) return;
  }
}
