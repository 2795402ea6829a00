import type { LoopbackAnswer } from "../../platform/index.ts";

/** Loads nothing, runs nothing, tells nobody where it came from, and is kept nowhere. */
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

/** The page a person sees in the browser at the end. Without trouble to tell of, it says that it worked. */
export function callbackPage(status: number, trouble?: string): LoopbackAnswer {
  const [mark, tone, title, text] =
    trouble === undefined
      ? ["✓", "good", "You are signed in", "You can close this window and go back to your terminal."]
      : ["✗", "bad", "You are not signed in", trouble];
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Plugboard: ${title}</title><style>${STYLE}</style>
<main><div class="mark ${tone}" aria-hidden="true">${mark}</div><h1>${title}</h1><p>${escapeHtml(text)}</p></main></html>\n`;
  return { status, headers: HEADERS, body };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
