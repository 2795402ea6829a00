/** Texts that a server, a client or a file could contain, in every place of the page API that they control. */
import { busyWorld, type PageWorld } from "./page-world.ts";

/** Executes if a page uses a text as HTML, an address or code. */
const RUN = "window.__executed=1";

export const HOSTILE_TEXTS: readonly string[] = [
  `<img src=x onerror="${RUN}">`,
  `<script>${RUN}</script>`,
  `"><svg/onload="${RUN}">`,
  `' onfocus='${RUN}' autofocus='`,
  `<iframe srcdoc="<script>parent.__executed=1</script>"></iframe>`,
  `<a href="javascript:${RUN}">click</a>`,
  `javascript:${RUN}`,
  `data:text/html,<script>opener.__executed=1</script>`,
  `</title></style></textarea></noscript><script>${RUN}</script>`,
  `<style>*{display:none}</style><base href="https://example.invalid/">`,
  `<meta http-equiv="refresh" content="0;url=https://example.invalid/">`,
  `<math><mtext><table><mglyph><style><img src onerror="${RUN}">`,
  "{{constructor.constructor('window.__executed=1')()}} ${window.__executed=1}",
  `<template><script>${RUN}</script></template><x-y is=z onclick=${RUN}>`,
  '<img src="https://example.invalid/pixel.png"><link rel=stylesheet href="https://example.invalid/x.css">',
  "\u202egnihtyna swolla\u202c \u2066\u2069 \u200b\u00ad\ufeff",
  `A${"\u0301\u0489".repeat(200)}`,
  "W".repeat(4_000),
  "wide ".repeat(800),
  "line\n".repeat(300),
  "\u001b[31mred\u001b]8;;https://example.invalid\u0007link\u0000\u0008",
  "__proto__",
  "constructor",
  "../../../etc/passwd",
  "a/b?c#d%00%2e%2e",
  "ﷺ".repeat(120),
  "𒐫".repeat(150),
  "\ud800 \udfff",
  "שלום עולם مرحبا بالعالم",
  "",
];

/** Values of a fixed list, and what only the gateway itself writes. */
const FIXED = new Set([
  "state",
  "decision",
  "tier",
  "transport",
  "era",
  "clientEra",
  "serverEra",
  "outcome",
  "status",
  "kind",
  "severity",
  "mimeType",
  "data",
  "actions",
  "role",
  "rights",
  "hash",
  "id",
  "approvedAt",
  "reviewedAt",
  "allowedAt",
  "expiresAt",
  "argumentsHash",
  "format",
  "stream",
  "version",
]);

/** Replaces every text that others control. */
export function hostileWorld(now: number, text: string): PageWorld {
  const world = replaceTexts(busyWorld(now), text) as PageWorld;
  const running = [
    { id: "s1", server: text, state: "waiting", url: `javascript:${RUN}`, userCode: text, because: text },
  ] as const;
  return {
    ...world,
    connections: { ...world.connections, running },
    call: {
      ...world.call,
      images: [{ mimeType: "image/svg+xml" as "image/png", data: btoa(`<svg onload="${RUN}"/>`) }],
    },
  };
}

function replaceTexts(value: unknown, text: string): unknown {
  if (typeof value === "string") return text;
  if (Array.isArray(value)) return value.map((entry) => replaceTexts(entry, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      key === "inputSchema" ? hostileSchema(text) : FIXED.has(key) ? entry : replaceTexts(entry, text),
    ]),
  );
}

function hostileSchema(text: string) {
  const property = { type: "string", title: text, description: text, default: text };
  return {
    type: "object",
    properties: {
      [text]: property,
      choice: { ...property, enum: [text, `${text} `] },
      list: { ...property, type: "array", items: { type: "string" } },
      group: { type: "object", title: text, properties: { [text]: property } },
      any: { description: text, anyOf: [] },
    },
    required: [text],
  };
}
