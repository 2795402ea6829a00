import { safeLine } from "../../../../terminal.ts";
import { count } from "../../../shared/render/server-list.ts";
import { shortNumber } from "../../../shared/render/short-number.ts";
import type { Style } from "../../../shared/render/style.ts";
import type { PanelTools } from "../../dialogs.ts";
import { keyLabel } from "../../screen/key.ts";
import { moveMark } from "../../screen/question-view.ts";
import { firstShown, type Panel } from "../../screen/view.ts";
import { cut } from "../../screen/wrap.ts";
import type { ToolSelection } from "./tool-selection.ts";

/** A server and its tools, as far as they are known. */
export interface OfferedTools {
  readonly server: string;
  readonly tokens: number;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

interface Row {
  readonly server: string;
  /** Undefined for the row of the server itself. */
  readonly tool?: string;
  readonly note: string;
}

export interface ToolsPanelOptions {
  readonly offered: readonly OfferedTools[];
  readonly selection: ToolSelection;
  /** Returns what the model has, in one line. */
  title(): string;
  readonly style: Style;
}

/** Creates the panel of `/tools`: the servers with their tools, each with a switch. */
export function createToolsPanel(
  { offered, selection, title, style }: ToolsPanelOptions,
  { answer }: Pick<PanelTools<void>, "answer">,
): Panel {
  let marked = 0;
  let filter = "";
  const rows = (): Row[] => offered.flatMap((server) => rowsOf(server, filter, selection));
  const toggle = (row: Row | undefined): void => {
    if (row !== undefined) selection.set(row.server, row.tool, !selection.isOn(row.server, row.tool));
  };
  const setFilter = (text: string): boolean => {
    filter = text;
    marked = 0;
    return true;
  };
  const text = (row: Row, isMarked: boolean): string => {
    const box = selection.isOn(row.server, row.tool) ? style.good("◼") : "◻";
    const name = safeLine(row.tool ?? row.server);
    const shown = isMarked ? style.name(name) : row.tool === undefined ? style.bold(name) : name;
    return `${isMarked ? style.name("›") : " "} ${row.tool === undefined ? "" : "  "}${box} ${shown}  ${style.dim(row.note)}`;
  };
  return {
    view(columns, height) {
      const all = rows();
      marked = Math.min(marked, Math.max(0, all.length - 1));
      const room = Math.max(1, height - 4);
      const first = firstShown(all.length, room, marked);
      const shown = all.slice(first, first + room).map((row, index) => text(row, first + index === marked));
      const none = all.length > 0 ? [] : [style.dim(filter === "" ? "  no tools yet" : "  no tool matches")];
      const hint = "  ↑↓ · Space switches on or off · type to filter · Esc close";
      const wanted = filter === "" ? "" : `  filter: ${filter}`;
      return {
        rows: [`${style.bold(title())}${wanted}`, ...none, ...shown, style.dim(hint)].map((row) =>
          cut(row, columns),
        ),
      };
    },
    handle(key) {
      if (key.kind !== "key") {
        if (key.text === " ") toggle(rows()[marked]);
        else setFilter(filter + safeLine(key.text).trim());
        return true;
      }
      const label = keyLabel(key);
      if (label === "escape" && filter !== "") return setFilter("");
      if (label === "escape" || label === "enter") answer({ kind: "cancel" });
      else if (label === "backspace") return setFilter(filter.slice(0, -1));
      else {
        const moved = moveMark(key, marked, Math.max(1, rows().length));
        if (moved === undefined) return false;
        marked = moved;
      }
      return true;
    },
  };
}

/** Returns the server's row and those of its tools. A server that is off shows no tools. */
function rowsOf({ server, tokens, tools }: OfferedTools, filter: string, selection: ToolSelection): Row[] {
  const wanted = filter.toLowerCase();
  const fits = (name: string): boolean => name.toLowerCase().includes(wanted);
  const own = { server, note: `${count(tools.length, "tool")} · ~${shortNumber(tokens)} tokens` };
  if (!selection.isOn(server)) return fits(server) ? [own] : [];
  const shown = fits(server) ? tools : tools.filter(({ name }) => fits(name));
  if (shown.length === 0 && !fits(server)) return [];
  return [
    own,
    ...shown.map(({ name, description }) => ({ server, tool: name, note: safeLine(description) })),
  ];
}
