import type { LoopbackAnswer } from "../../platform/index.ts";

/** The page loads and runs nothing, sends no referrer and is not cached. */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

const STYLE = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;
font:16px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}main{max-width:32rem;padding:2rem;text-align:center}
.mark{font-size:3rem;line-height:1}.good{color:#1a7f37}.bad{color:#cf222e}h1{font-size:1.4rem;margin:.5rem 0}p{margin:0;opacity:.75}`;

/** Returns the page that ends a sign-in in the browser. Without an error, it reports success. */
export function callbackPage(status: number, error?: string): LoopbackAnswer {
  const [mark, tone, title, text] =
    error === undefined
      ? ["✓", "good", "You are signed in", "You can close this window and go back to Plugboard."]
      : ["✗", "bad", "You are not signed in", error];
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Plugboard: ${title}</title><style>${STYLE}</style>
<main><div class="mark ${tone}" aria-hidden="true">${mark}</div><h1>${title}</h1><p>${escapeHtml(text)}</p></main></html>\n`;
  return { status, headers: HEADERS, body };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
