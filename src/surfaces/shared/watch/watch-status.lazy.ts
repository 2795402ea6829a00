import type { Host } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { toStatusDocument } from "../commands/gather-overview.ts";
import { count } from "../render/server-list.ts";
import { stateLabel } from "../render/state.ts";
import { openLiveScreen } from "./live-screen.ts";
import { renderWatch } from "./render-watch.ts";
import { type WatchedServer, watchServers } from "./watched-servers.ts";

/** Runs `plugboard status --watch`: a live table on a terminal, otherwise one line per change. */
export async function watchStatus(context: CommandContext): Promise<ExitCode> {
  const host = await context.openHost();
  host.config.watch();
  context.expectInterrupt();
  if (context.terminal.outIsTty && !context.json) return watchOnScreen(context, host);
  return watchInLines(context, host);
}

async function watchOnScreen({ style, signal, terminal }: CommandContext, host: Host): Promise<ExitCode> {
  const watched = watchServers(host, () => draw());
  const screen = openLiveScreen(() => draw());
  const draw = (): void => screen.draw(renderWatch(watched.servers(), style, screen.columns));
  signal.addEventListener("abort", screen.close, { once: true });
  draw();
  void host.connectAll().then(draw, () => {});
  const key = await screen.left;
  const last = renderWatch(watched.servers(), style, screen.columns).slice(0, -1);
  watched.stop();
  screen.close();
  terminal.out(`${last.join("\n")}\n`);
  return key === "q" ? 0 : 130;
}

/** Prints one line per change: the document with `--json`, otherwise the server and its state. Ends on a signal. */
async function watchInLines(context: CommandContext, host: Host): Promise<never> {
  const seen = new Set<string>();
  let before = "";
  const show = (): void => {
    const servers = watched.servers();
    if (!context.json) {
      for (const line of servers.map(describe)) if (!seen.has(line)) context.terminal.out(`${line}\n`);
      seen.clear();
      for (const line of servers.map(describe)) seen.add(line);
      return;
    }
    const document = toStatusDocument(servers.map(({ view, tools = [] }) => ({ view, tools })));
    const line = context.jsonLine({ servers: document, problems: host.snapshot().problems });
    if (line !== before) context.terminal.out(line);
    before = line;
  };
  const watched = watchServers(host, show);
  show();
  await host.connectAll();
  return new Promise<never>(() => {}); // the signal ends the wait
}

function describe({ view, tools }: WatchedServer): string {
  const facts = [
    stateLabel(view.state),
    tools && count(tools.length, "tool"),
    view.because && safeLine(view.because),
  ];
  return `${safeLine(view.name)}: ${facts.filter(Boolean).join(", ")}`;
}
