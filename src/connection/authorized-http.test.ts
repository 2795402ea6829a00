import { expect, test } from "vitest";
import type { Http, HttpResponse } from "../platform/index.ts";
import { authorizedHttp } from "./authorized-http.ts";

/** A server that lets nobody in, and how many of its answers are still open. */
function closedServer(): { http: Http; open: () => number } {
  let open = 0;
  const request = async (): Promise<HttpResponse> => {
    open += 1;
    return { status: 401, headers: { get: () => undefined }, read: () => {}, cancel: () => void (open -= 1) };
  };
  return { http: { request, close: () => {} }, open: () => open };
}

test("an answer that takes a person is let go: nobody will read it", async () => {
  const { http, open } = closedServer();
  const needed = new Error("a person is needed");
  const authorizer = { headers: async () => ({}), refused: () => Promise.reject(needed) };
  const url = new URL("https://notes.example/mcp");
  const asked = authorizedHttp(http, url, authorizer).request({ url, method: "POST", headers: {} });
  await expect(asked).rejects.toBe(needed);
  expect(open()).toBe(0);
});
