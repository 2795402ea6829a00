import type { VNode } from "preact";
import { useEffect } from "preact/hooks";

export interface Announcement {
  readonly text: string;
  /** Distinguishes equal texts. */
  readonly number: number;
}

const SHOWN_MS = 6_000;

interface AnnouncerProps {
  readonly announcement: Announcement | undefined;
  readonly onEnd: () => void;
}

/** Shows what has just happened, and reads it to screen readers. */
export function Announcer({ announcement, onEnd }: AnnouncerProps): VNode {
  useEffect(() => {
    if (announcement === undefined) return;
    const timer = setTimeout(onEnd, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [announcement]);
  return (
    <div class="announcer" role="status">
      {announcement === undefined ? null : <p key={announcement.number}>{announcement.text}</p>}
    </div>
  );
}
