import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Overview } from "../../../page-api.ts";
import { useGateway, useLive } from "../gateway/context.ts";
import type { Link } from "../gateway/live.ts";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/notice.tsx";
import { Time } from "../parts/time.tsx";
import { plural } from "../text/format.ts";

const TEXTS: Readonly<Record<Link, string>> = {
  connecting: "Connecting",
  live: "Live",
  lost: "Offline",
  "signed-out": "Signed out",
};

/** Counts are read to screen readers at most this often. */
const QUIET_MS = 10_000;
/** A short interruption needs no notice. */
const PATIENCE_MS = 1_500;

/** Whether the page is up to date. */
export function LinkState(): VNode {
  const { link } = useLive();
  return (
    <p class={`link-state ${link}`}>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true" focusable="false">
        <circle cx="4" cy="4" r="3" />
      </svg>
      <span>{TEXTS[link]}</span>
    </p>
  );
}

/** Shows that the gateway cannot be reached, and since when. */
export function ConnectionNotice(): VNode {
  const { live } = useGateway();
  const { link, lostAt, snapshot } = useLive();
  const isLost = link === "lost";
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) return setShown(false);
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isLost]);
  return (
    <div role="status" class="connection">
      {isShown && lostAt !== undefined ? (
        <Notice tone="warn" title="The gateway cannot be reached.">
          <p>
            Since <Time at={lostAt} />.{" "}
            {snapshot === undefined
              ? ""
              : "The page shows the last known state. You cannot change anything. "}
            This page reconnects automatically. If the gateway has ended, start it:{" "}
            <code>plugboard dashboard</code>
          </p>
          <p>
            <Button icon="refresh" onClick={live.retry}>
              Try now
            </Button>
          </p>
        </Notice>
      ) : null}
    </div>
  );
}

/** Reads the counts to a screen reader when they change, but not all the time. */
export function LiveCounts(): VNode {
  const { snapshot } = useLive();
  const text = snapshot === undefined ? "" : countsText(snapshot.overview);
  const [spoken, setSpoken] = useState(text);
  useEffect(() => {
    if (text === spoken) return;
    const timer = setTimeout(() => setSpoken(text), spoken === "" ? 0 : QUIET_MS);
    return () => clearTimeout(timer);
  }, [text, spoken]);
  return (
    <p class="unseen" aria-live="polite">
      {spoken}
    </p>
  );
}

function countsText({ servers, clients, attention }: Overview): string {
  return `${servers.connected} of ${plural(servers.total, "server")} connected, ${plural(clients, "client")}, ${plural(attention.length, "thing")} waiting for you`;
}
