import type { VNode } from "preact";

/** Outlines on a grid of 16 × 16. */
const PATHS = {
  overview: "M2.5 2.5h4.5v5h-4.5zM9 2.5h4.5v3h-4.5zM9 8h4.5v5.5h-4.5zM2.5 10h4.5v3.5h-4.5z",
  servers: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01M8 5h3M8 11h3",
  tools: "M9.8 2.6a3.4 3.4 0 0 0-3.2 4.6L2.5 11.3l2.2 2.2 4.1-4.1a3.4 3.4 0 0 0 4.5-4l-2 2-2-.5-.5-2z",
  clients: "M2 3h12v8H2zM5.5 13.5h5M8 11v2.5",
  connections: "M10.5 2.5a3 3 0 1 1-2.3 5l-4.7 4.7v1.3H1.9v-1.9l5.3-5.3a3 3 0 0 1 3.3-3.8zM11 5h.01",
  approvals: "M8 1.8l5 1.8v4c0 3.2-2.1 5.6-5 6.6-2.9-1-5-3.4-5-6.6v-4zM5.8 7.9l1.6 1.6 2.9-3",
  activity: "M1.5 8.5h3l2-5 3 9 2-4h3",
  setup: "M5.5 1.8v3.4M10.5 1.8v3.4M3.8 5.2h8.4v2.3a4.2 4.2 0 0 1-8.4 0zM8 11.7v2.5",
  check: "M3 8.5l3.3 3.3L13 4.8",
  cross: "M4 4l8 8M12 4l-8 8",
  warning: "M8 2.2l6.2 11H1.8zM8 6.3v3.2M8 11.4v.01",
  info: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 7.3v3.6M8 5.1v.01",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  search: "M7 2.3a4.7 4.7 0 1 1 0 9.4 4.7 4.7 0 0 1 0-9.4zM10.5 10.5l3.3 3.3",
  menu: "M2 4h12M2 8h12M2 12h12",
  refresh: "M13.3 6.2A5.6 5.6 0 1 0 13.6 9M13.6 2.6v3.6h-3.6",
  external: "M9 2.5h4.5V7M13.5 2.5l-6 6M7 3.5H2.5v10h10V9",
  next: "M6 3.5L10.5 8 6 12.5",
  back: "M10 3.5L5.5 8l4.5 4.5",
  play: "M4.5 2.8l8 5.2-8 5.2z",
  pause: "M5 3v10M11 3v10",
  stop: "M4 4h8v8H4z",
  lock: "M3.5 7h9v6.5h-9zM5.3 7V4.9a2.7 2.7 0 0 1 5.4 0V7",
  clock: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 4.5V8l2.4 1.6",
  off: "M8 2v6M4.5 4.4a5 5 0 1 0 7 0",
  idle: "M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z",
  keyboard: "M1.5 4h13v8.5h-13zM4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M4.5 9.800h7",
  theme: "M8 1.8a6.2 6.2 0 1 1 0 12.4zM8 1.8v12.4",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon. It repeats what the text beside it says, so it is hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
