import type { Ports } from "../platform/index.ts";

const POLL_MS = 1_000;

/** Calls `onChange` after one of the files changed. Returns a function that ends this. */
export function watchConfig({
  ports,
  files,
  onChange,
}: {
  readonly ports: Pick<Ports, "files" | "clock">;
  files(): readonly string[];
  onChange(): Promise<void>;
}): () => void {
  let before: string | undefined;
  let isStopped = false;
  let stopTimer = (): void => {};
  const look = async (): Promise<void> => {
    const stamps = await Promise.all(files().map((file) => ports.files.stamp(file).catch(() => undefined)));
    const after = stamps.join("\n");
    if (isStopped) return;
    if (before !== undefined && after !== before) await onChange();
    before = after;
    if (!isStopped) stopTimer = ports.clock.after(POLL_MS, () => void look(), { background: true });
  };
  void look();
  return () => {
    isStopped = true;
    stopTimer();
  };
}
