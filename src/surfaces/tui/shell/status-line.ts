import type { Host, ServerView, ToolBudget } from "../../../index.ts";
import { count } from "../../cli/render/server-list.ts";
import type { Style } from "../../cli/render/style.ts";

/** What the line below the input is made of. */
export interface StatusFacts {
  readonly servers: readonly Pick<ServerView, "state">[];
  readonly tools: number | undefined;
  readonly tokens: number | undefined;
}

const ATTENTION: ReadonlySet<ServerView["state"]> = new Set([
  "needs_auth",
  "needs_client_registration",
  "untrusted",
  "failed",
  "invalid",
]);

/** How the servers are, in one line. */
export function renderStatus({ servers, tools, tokens }: StatusFacts, style: Style): string {
  const number = (wanted: (state: ServerView["state"]) => boolean): number =>
    servers.filter(({ state }) => wanted(state)).length;
  const connected = number((state) => state === "connected");
  const connecting = number((state) => state === "connecting" || state === "reconnecting");
  const attention = number((state) => ATTENTION.has(state));
  if (servers.length === 0) return style.dim("no servers yet · /mcp add");
  const parts = [
    connected > 0 && `${style.good("●")} ${style.dim(`${connected} connected`)}`,
    connecting > 0 && `${style.warn("◌")} ${style.dim(`${connecting} connecting`)}`,
    attention > 0 &&
      `${style.warn("!")} ${style.dim(`${attention} ${attention === 1 ? "needs" : "need"} you`)}`,
    tools !== undefined && style.dim(count(tools, "tool")),
    tokens !== undefined && tokens > 0 && style.dim(`~${shortNumber(tokens)} tokens`),
  ].filter((part) => part !== false);
  return parts.length === 0 ? style.dim(count(servers.length, "server")) : parts.join(style.dim(" · "));
}

function shortNumber(value: number): string {
  return value < 1_000 ? String(value) : `${(value / 1_000).toFixed(value < 10_000 ? 1 : 0)}k`;
}

/** States come in bursts; the tools are counted once they calm down, so that no key waits for it. */
const CALM_MS = 50;
const COUNT_MS = 400;

/** Keeps the status line true. The answer stops it. */
export function keepStatus(host: Host, style: Style, show: (text: string) => void): () => void {
  let cost: ToolBudget | undefined;
  let isCounting = false;
  let showTimer: NodeJS.Timeout | undefined;
  let countTimer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const showNow = (): void => {
    showTimer = undefined;
    const tools = cost?.servers.reduce((sum, server) => sum + server.tools, 0);
    show(renderStatus({ servers: host.servers(), tools, tokens: cost?.direct }, style));
  };
  const countTools = async (): Promise<void> => {
    countTimer = undefined;
    // While one is on its way, the count would wait for it.
    const isBusy = host.servers().some(({ state }) => state === "connecting");
    if (isCounting || isBusy || isStopped) return;
    isCounting = true;
    try {
      cost = await host.budget();
    } catch {
      cost = undefined; // the host is closing
    }
    isCounting = false;
    if (!isStopped) showNow();
  };
  const onChange = (): void => {
    showTimer ??= setTimeout(showNow, CALM_MS);
    clearTimeout(countTimer);
    countTimer = setTimeout(() => void countTools(), COUNT_MS);
  };
  const unsubscribe = host.subscribe(({ type }) => {
    if (type === "server.state" || type === "tools.changed" || type === "catalog.changed") onChange();
  });
  showNow();
  onChange();
  return () => {
    isStopped = true;
    clearTimeout(showTimer);
    clearTimeout(countTimer);
    unsubscribe();
  };
}
