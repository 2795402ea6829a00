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

/** The colours of the dashboard. Pages work without scripts, so that their policy can forbid all. */
const STYLE = `:root{color-scheme:light dark;--paper:light-dark(#f6f6f3,#111315);--surface:light-dark(#fff,#191c1f);--ink:light-dark(#1b1e22,#e7e9eb);
--soft:light-dark(#5a616b,#a0a8b1);--line:light-dark(#e2e2dc,#2d3237);--edge:light-dark(#8b919a,#737b84);--accent:light-dark(#0b6e69,#5ec9be);
--accent-ink:light-dark(#fff,#06201e);--bad:light-dark(#b3261e,#f28b82);--good:light-dark(#1c7a3d,#63c488)}
*{box-sizing:border-box}body{font:.9375rem/1.5 system-ui,sans-serif;margin:0;background:var(--paper);color:var(--ink);overflow-wrap:anywhere}
nav{background:var(--surface);border-bottom:1px solid var(--line)}nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;margin:0 auto;padding:.7rem 1rem;max-width:64rem}
nav a{color:var(--soft);text-decoration:none;padding:.2rem 0}nav a:hover{text-decoration:underline}nav a[aria-current]{color:var(--ink);font-weight:600;box-shadow:0 2px 0 var(--accent)}
main{max-width:64rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}h2{font-size:1.05rem;margin:2rem 0 .6rem}
a{color:var(--accent)}p{margin:.6rem 0}.soft{color:var(--soft)}.bad{color:var(--bad)}.good{color:var(--good)}
.scroll{overflow-x:auto;background:var(--surface);border:1px solid var(--line);border-radius:10px}table{border-collapse:collapse;width:100%}
th,td{padding:.5rem .8rem;text-align:start;vertical-align:top;border-bottom:1px solid var(--line)}tr:last-child td{border-bottom:0}th{font-weight:600;color:var(--soft)}
td{min-width:5rem}td.name{min-width:8rem}time{white-space:nowrap}
button,input,select,textarea{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--edge);border-radius:6px;padding:.35rem .7rem;min-height:2rem}
button{cursor:pointer}button.main{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}button.bad{border-color:var(--bad)}
input[type=checkbox]{min-height:0;vertical-align:-.1em}textarea{width:100%;min-height:22rem;font:.85rem/1.45 ui-monospace,Menlo,Consolas,monospace}
fieldset{border:1px solid var(--line);border-radius:10px;padding:.8rem 1rem;margin:1rem 0;background:var(--surface)}legend{font-weight:600;padding:0 .3rem}
label{display:inline-block;margin:.2rem 1rem .4rem 0}form.inline{display:inline}code,pre{font:.875em ui-monospace,Menlo,Consolas,monospace}
pre{white-space:pre-wrap;background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:.6rem .8rem;max-height:20rem;overflow:auto}
[role=alert],[role=status]{background:var(--surface);border:1px solid var(--line);border-inline-start:4px solid var(--accent);border-radius:6px;padding:.6rem .9rem}
[role=alert]{border-inline-start-color:var(--bad)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`;
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

/** A link to another page. */
export interface Link {
  readonly path: string;
  readonly name: string;
  readonly isCurrent: boolean;
}

/** Returns a whole page. */
export function page(title: string, body: Html, navigation: readonly Link[] = []): string {
  const style = { html: STYLE };
  const links = navigation.map(
    ({ path, name, isCurrent }) =>
      html`<li><a href="${path}"${isCurrent ? html` aria-current="page"` : ""}>${name}</a></li>`,
  );
  const bar = links.length === 0 ? "" : html`<nav aria-label="Pages"><ul>${links}</ul></nav>`;
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} - Plugboard</title>
<style>${style}</style></head>
<body>${bar}<main><h1>${title}</h1>
${body}
</main></body></html>
`;
  return whole.html;
}

/** Returns a table that scrolls separately if the window is narrow. */
export function table(name: string, columns: readonly string[], rows: readonly Html[], empty: string): Html {
  if (rows.length === 0) return html`<p class="soft">${empty}</p>`;
  const heads = columns.map((column) => html`<th scope="col">${column}</th>`);
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Returns a form that consists of one button. */
export function button(
  action: string,
  values: Readonly<Record<string, string>>,
  label: string,
  kind: "plain" | "main" | "bad" = "plain",
): Html {
  const fields = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const look = kind === "plain" ? "" : html` class="${kind}"`;
  return html`<form class="inline" method="post" action="${action}">${fields}<button${look}>${label}</button></form>`;
}
