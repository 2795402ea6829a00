import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { goTo } from "../navigation.ts";
import { Dialog } from "../parts/dialog.tsx";
import { linkTo, PAGES } from "../routes.ts";

const SEQUENCE_MS = 1_500;
const TEXT_FIELDS = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";

interface ShortcutOptions {
  /** WCAG 2.1.4: shortcuts of single characters can be turned off. */
  readonly isOn: boolean;
  readonly onHelp: () => void;
}

/** `g` and a letter opens a page, `/` moves to the search field, `?` shows the list. */
export function useShortcuts({ isOn, onHelp }: ShortcutOptions): void {
  useEffect(() => {
    if (!isOn) return;
    let startedAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target))
        return;
      if (document.querySelector("dialog[open]") !== null) return;
      const isSecond = event.timeStamp - startedAt < SEQUENCE_MS;
      startedAt = event.key === "g" && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const page = isSecond ? PAGES.find(({ key }) => key === event.key) : undefined;
      if (page !== undefined) goTo(linkTo(page.page));
      else if (event.key === "/") focusSearch();
      else if (event.key === "?") onHelp();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isOn, onHelp]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TEXT_FIELDS);
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>("[data-search]")?.focus();
}

interface ShortcutsDialogProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly onClose: () => void;
}

export function ShortcutsDialog({ isOn, onChange, onClose }: ShortcutsDialogProps): VNode {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        <Keys keys={["?"]} what="Show this list" />
        <Keys keys={["/"]} what="Move to the search field" />
        {PAGES.map(({ page, title, key }) => (
          <Keys key={page} keys={["g", key]} what={title} />
        ))}
        <Keys keys={["↑", "↓"]} what="Move in the activity; Enter shows details" />
        <Keys keys={["Esc"]} what="Close a dialog" />
      </dl>
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
        Use single-key shortcuts
      </label>
    </Dialog>
  );
}

function Keys({ keys, what }: { readonly keys: readonly string[]; readonly what: string }): VNode {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </div>
  );
}
