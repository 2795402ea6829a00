import type { Style } from "../../shared/render/style.ts";
import type { PanelTools } from "../dialogs.ts";
import { keyLabel } from "./key.ts";
import type { Panel } from "./view.ts";
import { cut } from "./wrap.ts";

/** Creates a panel that shows lines page by page. Each line takes one row. */
export function createPagerPanel(
  {
    title,
    lines,
    footer,
  }: { readonly title: string; readonly lines: readonly string[]; readonly footer: string },
  style: Style,
  { answer }: Pick<PanelTools<void>, "answer">,
): Panel {
  let first = 0;
  let room = 1;
  const steps: Readonly<Record<string, () => number>> = {
    up: () => first - 1,
    down: () => first + 1,
    pageUp: () => first - room,
    pageDown: () => first + room,
    home: () => 0,
    end: () => lines.length,
  };
  const moveTo = (place: number): boolean => {
    first = Math.max(0, Math.min(place, lines.length - room));
    return true;
  };
  return {
    view(columns, rows) {
      room = Math.max(1, rows - 3);
      moveTo(first);
      const end = Math.min(lines.length, first + room);
      const where =
        lines.length <= room ? "Esc close" : `${first + 1}–${end} of ${lines.length} · ↑↓ Space · Esc close`;
      const shown = [style.bold(title), ...lines.slice(first, end), style.dim(`  ${where} · ${footer}`)];
      return { rows: shown.map((row) => cut(row, columns)) };
    },
    handle(key) {
      if (key.kind !== "key") {
        if (/^ +$/.test(key.text)) return moveTo(first + room * key.text.length);
        if (key.text === "q") answer({ kind: "cancel" });
        return true;
      }
      const label = keyLabel(key);
      const step = steps[label];
      if (step !== undefined) return moveTo(step());
      if (label !== "escape" && label !== "enter") return false;
      answer({ kind: "cancel" });
      return true;
    },
  };
}
