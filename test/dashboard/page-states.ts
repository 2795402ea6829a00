/** The states in which a page can be. */
import type { Visit } from "./browser.ts";
import type { PageServer } from "./page-server.ts";
import { busyWorld, emptyWorld, readOnlyWorld } from "./page-world.ts";

export type PageState = "busy" | "empty" | "read-only" | "loading" | "error" | "offline";

export const STATES: readonly PageState[] = ["busy", "empty", "read-only", "loading", "error", "offline"];

/** What works even if no document can be loaded. */
const ALWAYS = /^(?:session|events)/;
const NOW = Date.now();

/** Opens a page in a state. Returns a function that ends the state. */
export async function openIn(
  state: PageState,
  { server, visit, page }: { readonly server: PageServer; readonly visit: Visit; readonly page: string },
): Promise<() => Promise<void>> {
  const url = `${server.url}#/${page}`;
  server.reset(
    state === "empty" ? emptyWorld(NOW) : state === "read-only" ? readOnlyWorld(NOW) : busyWorld(NOW),
  );
  if (state === "loading") {
    server.fault = (path) => (ALWAYS.test(path) ? undefined : "hang");
    await visit.page.goto("about:blank");
    await visit.page.goto(url);
    await visit.page.waitForSelector(".link-state.live");
    await visit.page.waitForSelector("h1");
    return async () => {};
  }
  if (state === "error") {
    const fault = {
      status: 500,
      code: "INTERNAL_BUG",
      message: "The document could not be made.",
      hint: "Report this bug.",
    };
    server.fault = (path) => (ALWAYS.test(path) ? undefined : fault);
  }
  await visit.open(url);
  if (state !== "offline") return async () => {};
  await server.interrupt();
  await visit.page.waitForSelector(".connection .notice");
  return server.resume;
}
