import type { Host, ServerView, ToolBudget } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { count } from "../../shared/render/server-list.ts";
import { shortNumber } from "../../shared/render/short-number.ts";
import { STATE_TRAITS } from "../../shared/render/state.ts";
import type { Style } from "../../shared/render/style.ts";

/** The data for the status line. */
export interface StatusFacts {
  readonly servers: readonly Pick<ServerView, "state" | "because">[];
  readonly tools: number | undefined;
  readonly tokens: number | undefined;
}

/** Renders the status line in several forms, the longest first. */
export function renderStatus({ servers, tools, tokens }: StatusFacts, style: Style): string[] {
  const howMany = (wanted: (state: ServerView["state"]) => boolean): number =>
    servers.filter(({ state }) => wanted(state)).length;
  const connected = howMany((state) => state === "connected");
  const installing = servers.filter(({ state }) => state === "installing");
  const [first] = installing;
  const connecting = howMany((state) => state !== "installing" && STATE_TRAITS[state].isUnderWay);
  const isFailed = (state: ServerView["state"]): boolean => STATE_TRAITS[state].tone === "bad";
  const failed = howMany(isFailed);
  const attention = howMany((state) => STATE_TRAITS[state].needsPerson && !isFailed(state));
  if (servers.length === 0) return [style.dim("no servers yet · /mcp add"), style.dim("no servers yet")];
  const form = ({ isShort = false, isDetailed = false } = {}): string => {
    const state = (mark: string, amount: number, words: string): string | undefined =>
      amount === 0 ? undefined : `${mark} ${style.dim(isShort ? `${amount}` : `${amount} ${words}`)}`;
    const parts = [
      state(style.good("●"), connected, "connected"),
      state(style.warn("◌"), connecting, "connecting"),
      installing.length === 1 && first?.because !== undefined && isDetailed
        ? `${style.warn("◌")} ${style.dim(safeLine(first.because))}`
        : state(style.warn("◌"), installing.length, "installing"),
      state(style.warn("!"), attention, attention === 1 ? "needs attention" : "need attention"),
      state(style.bad("✗"), failed, "failed"),
      tools === undefined ? undefined : style.dim(count(tools, "tool")),
      tokens === undefined || tokens === 0
        ? undefined
        : style.dim(`~${shortNumber(tokens)}${isShort ? "" : " tokens"}`),
    ].filter((part) => part !== undefined);
    return parts.length === 0
      ? style.dim(count(servers.length, "server"))
      : parts.join(style.dim(isShort ? "  " : " · "));
  };
  return [...new Set([form({ isDetailed: true }), form(), form({ isShort: true })])];
}

/**
 * State changes come in bursts, so they are shown together. Tools are counted less often, to keep typing responsive.
 */
const BATCH_MS = 50;
const COUNT_MS = 300;

/** Keeps the status line up to date. Returns a function that stops it. */
export function trackStatus(
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
    // Above the budget, the model gets search tools instead, which use fewer tokens.
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
  /** Schedules a count. A change during a count schedules another one. */
  const countSoon = (): void => {
    isCountOld = countTimer !== undefined;
    countTimer ??= setTimeout(() => {
      isCountOld = false;
      void countTools();
    }, COUNT_MS);
  };
  const onChange = (): void => {
    if (isStopped) return;
    showTimer ??= setTimeout(showNow, BATCH_MS);
    countSoon();
  };
  const unsubscribe = host.subscribe((event) => {
    if (event.type === "server.state" || event.type === "tools.changed") onChange();
    // The tools of a new server are known a little later than its state.
    if (event.type === "server.state" && event.state === "connected")
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
