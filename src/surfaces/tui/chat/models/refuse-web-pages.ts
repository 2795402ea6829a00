import { HostError } from "../../../../index.ts";
import { safeLine, truncate } from "../../../../terminal.ts";

/** Returns a `fetch` that rejects HTML responses of portals and proxies. They would look like incomplete answers. */
export function refuseWebPages(model: string, provider: string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || !/^\s*(?:text\/html|application\/xhtml)/i.test(type)) return response;
    await response.body?.cancel();
    const { host, pathname } = new URL(response.url);
    throw new HostError(
      "MODEL_FAILED",
      `${model} returned a web page instead of a model's answer: ${safeLine(truncate(host + pathname, 200))}`,
      {
        hint: `Check "baseURL" of "${provider}" in settings.json, and whether a proxy or a sign-in page intercepts the request.`,
      },
    );
  };
}
