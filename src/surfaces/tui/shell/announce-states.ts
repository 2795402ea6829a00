import type { Host, ServerView } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { type DisplayContext, shortenPaths } from "../../shared/render/place.ts";
import { count } from "../../shared/render/server-list.ts";
import { adviceFor, nextStep, STATE_TRAITS, stateLabel, stateMark } from "../../shared/render/state.ts";
import { PROGRAM } from "../mcp/mcp-commands.ts";
import { wrap } from "../screen/wrap.ts";
import type { Screen } from "../screen.ts";

/** A server's new state and tool count. */
interface StateChange {
  readonly view: ServerView;
  readonly tools?: number;
}

/** State changes within this time are printed together. */
const BATCH_MS = 150;
const MOST_LINES = 3;

/** Prints a line when a server connects, fails or needs the user. Returns a function that stops it. */
export function announceStates(
  host: Host,
  screen: Screen,
  display: DisplayContext,
  /** Returns whether another part reports the server's state. */
  isReportedElsewhere: (server: string) => boolean = () => false,
): () => void {
  const announced = new Map<string, string>();
  let pendingChanges = new Map<string, StateChange>();
  let timer: NodeJS.Timeout | undefined;

  const printGathered = (): void => {
    timer = undefined;
    for (const line of renderChanges([...pendingChanges.values()], screen, display))
      screen.print(wrap(line, screen.columns, { indent: 2 }).join("\n"));
    pendingChanges = new Map();
  };
  const add = (news: StateChange): void => {
    pendingChanges.set(news.view.name, news);
    timer ??= setTimeout(printGathered, BATCH_MS);
  };
  const viewOf = (name: string): ServerView | undefined =>
    host.servers().find((server) => server.name === name);
  const look = async (view: ServerView): Promise<void> => {
    const { name, state } = view;
    if (announced.get(name) === state || !mustAnnounce(state)) return;
    if (isReportedElsewhere(name)) return void announced.set(name, state);
    const tools = state === "connected" ? await countTools(host, name) : undefined;
    // Skip servers that disconnected before listing their tools.
    if (announced.get(name) === state || viewOf(name)?.state !== state) return;
    announced.set(name, state);
    add({ view, ...(tools !== undefined && { tools }) });
  };
  const stop = host.subscribe((event) => {
    if (event.type === "problem")
      screen.print(`${screen.style.warn("!")} ${shortenPaths(event.problem.message, display)}`);
    if (event.type !== "server.state") return;
    const view = viewOf(event.server);
    if (view !== undefined) void look(view);
  });
  for (const view of host.servers()) void look(view);
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** Returns `undefined` if the tools cannot be listed. */
async function countTools(host: Host, server: string): Promise<number | undefined> {
  try {
    return (await host.tools(server)).length;
  } catch {
    return undefined;
  }
}

function mustAnnounce(state: ServerView["state"]): boolean {
  const { isTrouble, needsPerson } = STATE_TRAITS[state];
  return state === "connected" || isTrouble || needsPerson;
}

function renderChanges(news: readonly StateChange[], screen: Screen, display: DisplayContext): string[] {
  const states = [...new Set(news.map(({ view }) => view.state))];
  return states.flatMap((state) => {
    const same = news.filter(({ view }) => view.state === state);
    return same.length > MOST_LINES
      ? [renderMany(same, screen)]
      : same.flatMap((one) => renderOne(one, screen, display));
  });
}

function renderOne({ view, tools }: StateChange, { style }: Screen, display: DisplayContext): string[] {
  const next = nextStep(view, PROGRAM);
  const facts = [tools === undefined ? undefined : count(tools, "tool"), next && style.name(next)];
  const head = `${stateMark(view.state, style)} ${style.bold(safeLine(view.name))} ${stateLabel(view.state)}`;
  const line = [head, ...facts.filter(Boolean)].join(style.dim(" · "));
  const isPlain = view.state === "connected" || view.state === "needs_auth" || view.state === "untrusted";
  const reasons = isPlain ? [] : [reasonOf(view), adviceFor(view)];
  return [
    line,
    ...reasons.filter((text) => text !== "").map((text) => `  ${style.dim(shortenPaths(text, display))}`),
  ];
}

/** A line that names the error, such as `TypeError: …`. */
const NAMES_ERROR = /^(?:[\w.]*(?:Error|Exception)\b|error\b|fatal\b)/i;
const TELLING = /error|exception|cannot|can't|not found|no such|missing|denied|refused|fatal|invalid/i;

/** Returns the reason without the part that the line above already shows, and one line of long output. */
function reasonOf({ because = "", name }: ServerView): string {
  const [reason = "", ...output] = because.replace(`Failed to connect to "${name}": `, "").split(/\s*\n\s*/);
  if (output.length < 3) return [reason, ...output].join(" ");
  const line = [NAMES_ERROR, TELLING].map((pattern) => output.find((text) => pattern.test(text)));
  return `${reason} ${line.find((text) => text !== undefined) ?? output.at(-1)}`;
}

function renderMany(news: readonly StateChange[], { style }: Screen): string {
  const [first] = news;
  if (first === undefined) return "";
  const tools = news.reduce((sum, one) => sum + (one.tools ?? 0), 0);
  const names = news.map(({ view }) => safeLine(view.name)).join(", ");
  const next = nextStep({ ...first.view, name: "name" }, PROGRAM)?.replace(" name", " <name>");
  const facts = [
    first.view.state === "connected" ? count(tools, "tool") : undefined,
    next && style.name(next),
  ];
  const words = `${news.length} servers ${stateLabel(first.view.state).replace(/^needs/, "need")}`;
  return [`${stateMark(first.view.state, style)} ${words}`, ...facts.filter(Boolean), style.dim(names)].join(
    style.dim(" · "),
  );
}
