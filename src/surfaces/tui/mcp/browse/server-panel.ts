import type { ServerView } from "../../../../index.ts";
import { safeLine, safeText, truncate } from "../../../../terminal.ts";
import { type DisplayContext, renderPlace } from "../../../shared/render/place.ts";
import { STATE_TRAITS, stateLabel, stateMark } from "../../../shared/render/state.ts";
import type { Style } from "../../../shared/render/style.ts";
import type { Answer, PanelTools } from "../../dialogs.ts";
import { type Key, keyLabel } from "../../screen/key.ts";
import { moveMark } from "../../screen/question-view.ts";
import { firstShown, type Panel, type View } from "../../screen/view.ts";
import { cut, lineWidth, wrap } from "../../screen/wrap.ts";
import { type DetailsReader, NO_NAMES, type OfferedNames, type ServerDetails } from "./server-details.ts";

/** A command to run for a server, by its name in `/mcp`. */
export interface ServerAction {
  readonly verb: string;
  readonly server: string;
}

/** Where the user is in the panel. Kept while a command runs. */
export interface BrowserPlace {
  filter: string;
  /** The marked server. */
  marked: string | undefined;
  /** Whether the marked server is open. */
  isOpen: boolean;
}

export interface ServerPanelOptions {
  servers(): readonly ServerView[];
  readonly details: DetailsReader;
  readonly place: BrowserPlace;
  readonly style: Style;
  readonly display: DisplayContext;
}

interface Binding {
  readonly key: string;
  readonly verb: string;
  readonly words: string;
  fits(view: ServerView): boolean;
}

const isOff = ({ state }: ServerView): boolean => /^(?:disabled|untrusted|invalid)$/.test(state);

const BINDINGS: readonly Binding[] = [
  { key: "c", verb: "reconnect", words: "connect", fits: (view) => !isOff(view) },
  {
    key: "s",
    verb: "stop",
    words: "stop",
    fits: ({ state }) => STATE_TRAITS[state].isUnderWay || state === "connected",
  },
  { key: "l", verb: "login", words: "sign in", fits: (view) => view.url !== undefined && !isOff(view) },
  { key: "a", verb: "trust", words: "approve", fits: ({ state }) => state === "untrusted" },
  { key: "e", verb: "enable", words: "enable", fits: ({ enabled }) => !enabled },
  { key: "e", verb: "disable", words: "disable", fits: ({ enabled }) => enabled },
  { key: "t", verb: "test", words: "test", fits: (view) => !isOff(view) },
  { key: "d", verb: "explain", words: "definition", fits: () => true },
  { key: "m", verb: "set", words: "modify", fits: ({ source }) => source.tool === "plugboard" },
];

/** Creates the panel of `/mcp`: a list of servers with a filter, and one server in detail. */
export function createServerPanel(
  { servers, details, place, style, display }: ServerPanelOptions,
  { answer }: Pick<PanelTools<ServerAction>, "answer">,
): Panel {
  const listed = (): readonly ServerView[] => {
    const wanted = place.filter.toLowerCase();
    return servers().filter(({ name }) => name.toLowerCase().includes(wanted));
  };
  const markedIn = (views: readonly ServerView[]): number =>
    Math.max(
      0,
      views.findIndex(({ name }) => name === place.marked),
    );
  const finish = (given: Answer<ServerAction>): boolean => {
    answer(given);
    return true;
  };
  const setFilter = (filter: string): boolean => {
    place.filter = filter;
    place.marked = listed()[0]?.name;
    return true;
  };
  const handleList = (key: Key): boolean => {
    const views = listed();
    if (key.kind !== "key") return setFilter(place.filter + safeLine(key.text));
    const label = keyLabel(key);
    if (label === "escape") return place.filter === "" ? finish({ kind: "cancel" }) : setFilter("");
    if (label === "backspace") return setFilter(place.filter.slice(0, -1));
    if (label === "enter" && views.length > 0) {
      place.marked = views[markedIn(views)]?.name;
      place.isOpen = true;
      return true;
    }
    const moved = moveMark(key, markedIn(views), Math.max(1, views.length));
    if (moved !== undefined) place.marked = views[moved]?.name;
    return moved !== undefined;
  };
  const handleServer = (key: Key, view: ServerView): boolean => {
    if (["escape", "left", "backspace"].includes(keyLabel(key))) {
      place.isOpen = false;
      return true;
    }
    if (key.kind !== "text") return true;
    const binding = BINDINGS.find((each) => each.key === key.text.toLowerCase() && each.fits(view));
    if (binding !== undefined) answer({ kind: "value", value: { verb: binding.verb, server: view.name } });
    return true;
  };
  const opened = (): ServerView | undefined =>
    place.isOpen ? servers().find(({ name }) => name === place.marked) : undefined;
  return {
    view(columns, rows) {
      const view = opened();
      return view === undefined
        ? listView(listed(), { columns, rows, place, style, display, marked: markedIn(listed()) })
        : serverView(view, details.of(view.name), { columns, rows, style, display });
    },
    handle(key) {
      const view = opened();
      return view === undefined ? handleList(key) : handleServer(key, view);
    },
  };
}

interface Room {
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
  readonly display: DisplayContext;
}

function listView(
  views: readonly ServerView[],
  {
    columns,
    rows,
    place,
    style,
    display,
    marked,
  }: Room & { readonly place: BrowserPlace; readonly marked: number },
): View {
  const title = `${style.bold("Servers")}  ${place.filter === "" ? style.dim("type to filter") : `filter: ${place.filter}`}`;
  const room = Math.max(1, rows - 3);
  const first = firstShown(views.length, room, marked);
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => lineWidth(text)));
  // A longer name moves its own row to the right, but not the others.
  const width = Math.min(Math.floor(columns / 2), widest(views.map(({ name }) => safeLine(name))));
  const stateWidth = widest(views.map(({ state }) => stateLabel(state)));
  const lines = views.slice(first, first + room).map((view, index) => {
    const name = safeLine(view.name);
    const blanks = " ".repeat(Math.max(0, width - lineWidth(name)) + 2);
    const isMarked = first + index === marked;
    const text = `${isMarked ? style.name("›") : " "} ${stateMark(view.state, style)} ${isMarked ? style.name(name) : name}${blanks}${stateLabel(view.state).padEnd(stateWidth)}`;
    return cut(`${text}  ${style.dim(renderPlace(view.source, display))}`, columns);
  });
  const none = views.length === 0 ? [style.dim("  no server matches")] : [];
  const hint = style.dim(cut("  ↑↓ Enter open · Esc close · /mcp help lists all commands", columns));
  return { rows: [cut(title, columns), ...none, ...lines, hint] };
}

function serverView(view: ServerView, details: ServerDetails | undefined, room: Room): View {
  const { columns, rows, style, display } = room;
  /** A row shows only the beginning of what a server says. */
  const clean = (text: string): string => safeLine(truncate(text, 4 * columns));
  const head = `${stateMark(view.state, style)} ${style.bold(safeLine(view.name))}  ${stateLabel(view.state)}  ${style.dim(`${view.transport ?? "unknown"} · ${view.tier} · ${renderPlace(view.source, display)}`)}`;
  const problems = [view.because, view.hint, ...view.problems.map(({ message }) => message)]
    .filter((text) => text !== undefined)
    .slice(0, rows)
    .flatMap((text) => wrap(`  ${style.warn(clean(text))}`, columns, { indent: 2 }).slice(0, 2));
  const names = (kind: string, { count, first }: OfferedNames = NO_NAMES): string[] =>
    count === 0 ? [] : [cut(`  ${style.dim(`${kind} ${count}:`)} ${first.map(clean).join(", ")}`, columns)];
  const offers = [
    ...names("tools", details?.tools),
    ...names("resources", details?.resources),
    ...names("prompts", details?.prompts),
  ];
  const keys = BINDINGS.filter(({ fits }) => fits(view)).map(({ key, words }) => `${key} ${words}`);
  // A row never ends between a key and its words.
  const joined = [...keys, "Esc back"].map((words) => words.replaceAll(" ", "\u00a0")).join(" · ");
  const hint = wrap(style.dim(`  ${joined}`), columns, { indent: 2 }).map((row) =>
    row.replaceAll("\u00a0", " "),
  );
  const above = [cut(head, columns), ...problems, ...offers];
  const space = Math.max(0, rows - above.length - hint.length - 1);
  const logs = (details?.logs ?? [])
    .slice(-space)
    .map(({ text }) =>
      cut(`  ${style.dim("│")} ${safeText(truncate(text, 4 * columns)).replaceAll("\n", " ")}`, columns),
    );
  return { rows: [...above, ...logs, ...hint].slice(-rows) };
}
