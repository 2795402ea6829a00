import { HostError } from "../../../../index.ts";
import { safeLine, truncate } from "../../../../terminal.ts";

const MOST_CHARACTERS = 200;

/**
 * Returns the `fetch` for a model's client. Redirects are errors: they would take the API key and the conversation to another
 * address. So are the HTML pages of portals and proxies, which would look like incomplete answers.
 */
export function createModelFetch(model: string, provider: string, send: typeof fetch = fetch): typeof fetch {
  const failed = (what: string, advice: string): HostError =>
    new HostError("MODEL_FAILED", `${model} ${what}`, {
      hint: `Check "baseURL" of "${provider}" in settings.json${advice}.`,
    });
  return async (input, init) => {
    const response = await send(input, { ...init, redirect: "manual" });
    const { status, ok, headers, url } = response;
    const target = status >= 300 && status < 400 ? headers.get("location") : null;
    if (target !== null) {
      await response.body?.cancel();
      const address = URL.canParse(target, url) ? new URL(target, url).host : target;
      throw failed(
        `redirects to ${safeLine(truncate(address, MOST_CHARACTERS))}; nothing was sent there`,
        ", and whether a proxy or a sign-in page intercepts the request",
      );
    }
    const type = headers.get("content-type") ?? "";
    if (!ok || !/^\s*(?:text\/html|application\/xhtml)/i.test(type)) return response;
    await response.body?.cancel();
    const { host, pathname } = new URL(url);
    throw failed(
      `returned a web page instead of a model's answer: ${safeLine(truncate(host + pathname, MOST_CHARACTERS))}`,
      ", and whether a proxy or a sign-in page intercepts the request",
    );
  };
}
