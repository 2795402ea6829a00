import type { Host, ServerView, ToolBudget } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { count } from "../../shared/render/server-list.ts";
import { STATE_TRAITS } from "../../shared/render/state.ts";
import type { Style } from "../../shared/render/style.ts";

/** What the line below the input is made of. */
export interface StatusFacts {
  readonly servers: readonly Pick<ServerView, "state" | "because">[];
  readonly tools: number | undefined;
  readonly tokens: number | undefined;
}

/** How the servers are, in one line; the second form does with fewer words. */
export function renderStatus({ servers, tools, tokens }: StatusFacts, style: Style): [string, string] {
  const howMany = (wanted: (state: ServerView["state"]) => boolean): number =>
    servers.filter(({ state }) => wanted(state)).length;
  const connected = howMany((state) => state === "connected");
  const installing = servers.filter(({ state }) => state === "installing");
  const [first] = installing;
  const connecting = howMany((state) => state !== "installing" && STATE_TRAITS[state].isUnderWay);
  const attention = howMany((state) => STATE_TRAITS[state].needsPerson);
  if (servers.length === 0) return [style.dim("no servers yet · /mcp add"), style.dim("no servers yet")];
  const form = (isShort: boolean): string => {
    const state = (mark: string, amount: number, words: string): string | undefined =>
      amount === 0 ? undefined : `${mark} ${style.dim(isShort ? `${amount}` : `${amount} ${words}`)}`;
    const parts = [
      state(style.good("●"), connected, "connected"),
      state(style.warn("◌"), connecting, "connecting"),
      installing.length === 1 && first?.because !== undefined && !isShort
        ? `${style.warn("◌")} ${style.dim(safeLine(first.because))}`
        : state(style.warn("◌"), installing.length, "installing"),
      state(style.warn("!"), attention, attention === 1 ? "needs attention" : "need attention"),
      tools === undefined ? undefined : style.dim(count(tools, "tool")),
      tokens === undefined || tokens === 0
        ? undefined
        : style.dim(`~${shortNumber(tokens)}${isShort ? "" : " tokens"}`),
    ].filter((part) => part !== undefined);
    return parts.length === 0
      ? style.dim(count(servers.length, "server"))
      : parts.join(style.dim(isShort ? "  " : " · "));
  };
  return [form(false), form(true)];
}

function shortNumber(value: number): string {
  return value < 1_000 ? String(value) : `${(value / 1_000).toFixed(value < 10_000 ? 1 : 0)}k`;
}

/** States come in bursts; they are shown together, and the tools are counted less often still, so that no key waits for it. */
const CALM_MS = 50;
const COUNT_MS = 300;

/** Keeps the status line true. The answer stops it. */
export function keepStatus(
  host: Host,
  style: Style,
  show: (...forms: readonly string[]) => void,
): () => void {
  let cost: ToolBudget | undefined;
  let showTimer: NodeJS.Timeout | undefined;
  let countTimer: NodeJS.Timeout | undefined;
  let isCountOld = false;
  let isStopped = false;

  const showNow = (): void => {
    showTimer = undefined;
    const tools = cost?.servers.reduce((sum, server) => sum + server.tools, 0);
    // Too many for the model are searched for instead, and that has a price of its own.
    const tokens = cost && (cost.direct > cost.budget ? cost.meta : cost.direct);
    show(...renderStatus({ servers: host.servers(), tools, tokens }, style));
  };
  const countTools = async (): Promise<void> => {
    try {
      cost = await host.doctor.budget({ connect: false });
    } catch {
      cost = undefined; // the host is closing
    }
    countTimer = undefined;
    if (isStopped) return;
    showNow();
    if (isCountOld) countSoon();
  };
  /** One count at a time; what changes during one asks for another. */
  const countSoon = (): void => {
    isCountOld = countTimer !== undefined;
    countTimer ??= setTimeout(() => {
      isCountOld = false;
      void countTools();
    }, COUNT_MS);
  };
  const onChange = (): void => {
    if (isStopped) return;
    showTimer ??= setTimeout(showNow, CALM_MS);
    countSoon();
  };
  const unsubscribe = host.subscribe((event) => {
    if (event.type === "server.state" || event.type === "tools.changed") onChange();
    // The tools of a server that was never asked before are known a little later.
    if (event.type === "server.state" && event.state.kind === "connected")
      void host.tools(event.server).then(onChange, () => {});
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
