import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLive } from "../gateway/context.ts";
import { Icon } from "../parts/icon.tsx";
import { linkTo, PAGES, type PageName } from "../routes.ts";
import { count } from "../text/format.ts";
import { Footer } from "./footer.tsx";
import { ConnectionNotice, LinkState } from "./link-state.tsx";

interface FrameProps {
  readonly page: PageName | undefined;
  readonly onHelp: () => void;
  readonly children: ComponentChildren;
}

/** The menu beside the page; on small screens above it. */
export function Frame({ page, onHelp, children }: FrameProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const { snapshot } = useLive();
  useEffect(() => setOpen(false), [page]);
  const focusMain = (event: Event): void => {
    event.preventDefault();
    document.getElementById("main")?.focus();
  };
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the content
      </a>
      <header class="side">
        <div class="brand">
          <a href={linkTo("overview")} aria-label="Plugboard, overview">
            <Logo />
            <span>Plugboard</span>
          </a>
          <LinkState />
          <button
            type="button"
            class="button quiet menu-button"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? "cross" : "menu"} />
            <span>Menu</span>
          </button>
        </div>
        <div id="menu" class={isOpen ? "menu open" : "menu"}>
          <nav aria-label="Pages">
            <ul>
              {PAGES.map((entry) => (
                <MenuEntry
                  key={entry.page}
                  page={entry.page}
                  title={entry.title}
                  isCurrent={entry.page === page}
                  mark={markOf(entry.page, snapshot?.overview)}
                />
              ))}
            </ul>
          </nav>
          <Footer onHelp={onHelp} />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <ConnectionNotice />
        {children}
      </main>
    </div>
  );
}

interface Mark {
  readonly value: number;
  readonly text: string;
  readonly tone: "warn" | "bad";
}

interface MenuEntryProps {
  readonly page: PageName;
  readonly title: string;
  readonly isCurrent: boolean;
  readonly mark: Mark | undefined;
}

function MenuEntry({ page, title, isCurrent, mark }: MenuEntryProps): VNode {
  return (
    <li>
      <a href={linkTo(page)} aria-current={isCurrent ? "page" : undefined}>
        <Icon name={page} />
        <span class="grow">{title}</span>
        {mark === undefined || mark.value === 0 ? null : (
          <span class={`mark-count ${mark.tone}`}>
            {count(mark.value)}
            <span class="unseen"> {mark.text}</span>
          </span>
        )}
      </a>
    </li>
  );
}

type Shown = NonNullable<ReturnType<typeof useLive>["snapshot"]>["overview"];

/** How many items on the page need attention. */
function markOf(page: PageName, overview: Shown | undefined): Mark | undefined {
  const of = (...kinds: readonly string[]): number =>
    overview?.attention.filter(({ kind }) => kinds.includes(kind)).length ?? 0;
  switch (page) {
    case "servers":
      return { value: overview?.servers.failed ?? 0, text: "failed", tone: "bad" };
    case "connections":
      return { value: of("signIn"), text: "sign-ins needed", tone: "warn" };
    case "approvals":
      return { value: of("approval", "changedTools"), text: "waiting", tone: "warn" };
    default:
      return undefined;
  }
}

function Logo(): VNode {
  return (
    <svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <rect x="2" y="2" width="20" height="20" rx="6" />
      <circle cx="8" cy="8" r="1.8" />
      <circle cx="16" cy="8" r="1.8" />
      <circle cx="8" cy="16" r="1.8" />
      <circle cx="16" cy="16" r="1.8" />
      <path d="M8 8c0 6 8 2 8 8" />
    </svg>
  );
}
