import type { VNode } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageSession } from "../../page-api.ts";
import { type Gateway, GatewayProvider } from "./gateway/context.ts";
import { followGateway, type Link, type Live } from "./gateway/live.ts";
import { keepFocus } from "./keyboard/keep-focus.ts";
import { ShortcutsDialog, useShortcuts } from "./keyboard/shortcuts.tsx";
import { storedShortcuts, storeShortcuts } from "./preferences.ts";
import { parseRoute, type Route } from "./routes.ts";
import { type Announcement, Announcer } from "./shell/announcer.tsx";
import { Frame } from "./shell/frame.tsx";
import { LiveCounts } from "./shell/link-state.tsx";
import { SignedOut } from "./shell/signed-out.tsx";
import { View } from "./view.tsx";

/** The dashboard of a person who is signed in. */
export function App({ session }: { readonly session: PageSession }): VNode {
  const [live, link] = useLiveGateway();
  const [announcement, setAnnouncement] = useState<Announcement>();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [hasShortcuts, setShortcuts] = useState(storedShortcuts());
  const route = useRoute();
  const root = useRef<HTMLDivElement>(null);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  useShortcuts({ isOn: hasShortcuts, onHelp: openHelp });
  useFocusOnNewPage(route);
  useEffect(() => (root.current === null ? undefined : keepFocus(root.current)), [link === "signed-out"]);

  const gateway = useMemo<Gateway>(
    () => ({
      session,
      live,
      announce: (text) => setAnnouncement((before) => ({ text, number: (before?.number ?? 0) + 1 })),
    }),
    [session, live],
  );

  if (link === "signed-out") return <SignedOut />;
  return (
    <GatewayProvider value={gateway}>
      <div ref={root} class="root" tabIndex={-1}>
        <Frame page={route?.page} onHelp={openHelp}>
          <View route={route} />
        </Frame>
        <LiveCounts />
        <Announcer announcement={announcement} onEnd={() => setAnnouncement(undefined)} />
        {isHelpOpen ? (
          <ShortcutsDialog
            isOn={hasShortcuts}
            onChange={(isOn) => {
              storeShortcuts(isOn);
              setShortcuts(isOn);
            }}
            onClose={() => setHelpOpen(false)}
          />
        ) : null}
      </div>
    </GatewayProvider>
  );
}

function useLiveGateway(): readonly [Live, Link] {
  const live = useMemo(followGateway, []);
  const [link, setLink] = useState(live.state().link);
  useEffect(() => {
    const unsubscribe = live.subscribe(() => setLink(live.state().link));
    return () => {
      unsubscribe();
      live.close();
    };
  }, [live]);
  return [live, link];
}

function useRoute(): Route | undefined {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => {
      if (location.hash === "" || location.hash.startsWith("#/")) setFragment(location.hash);
    };
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return useMemo(() => parseRoute(fragment), [fragment]);
}

/** Moves to a new page's heading, so that screen readers announce it. Filters change the address, but not the page. */
function useFocusOnNewPage(route: Route | undefined): void {
  const place = route === undefined ? "" : JSON.stringify([route.page, route.parts]);
  const last = useRef(place);
  useLayoutEffect(() => {
    if (last.current === place) return;
    last.current = place;
    scrollTo({ top: 0 });
    document.getElementById("page-title")?.focus({ preventScroll: true });
  }, [place]);
}
