import { createHash } from "node:crypto";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** HTML that is safe to send. */
export interface Html {
  readonly html: string;
}

/** Builds HTML. Values are escaped, unless they are HTML themselves. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const text = parts.map((part, index) => (index === 0 ? part : toHtml(values[index - 1] ?? "") + part));
  return { html: text.join("") };
}

function toHtml(value: string | Html | readonly Html[]): string {
  if (typeof value === "string") return value.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
  return "html" in value ? value.html : value.map((one) => one.html).join("");
}

const STYLE = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.4rem}button,input{font:inherit;padding:.4rem .8rem}td,th{padding:.3rem .8rem .3rem 0;text-align:left}form{display:inline}
code{overflow-wrap:anywhere}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Headers of every page: no scripts, no frames, nothing from elsewhere. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin", // without a referrer, browsers would not name the origin of a form
  "cross-origin-opener-policy": "same-origin",
};

/** Returns a whole page. */
export function page(title: string, body: Html): string {
  const style = { html: STYLE };
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} - Plugboard</title>
<style>${style}</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`;
  return whole.html;
}
