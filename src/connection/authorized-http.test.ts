import { expect, test } from "vitest";
import type { Http, HttpResponse } from "../platform/index.ts";
import { authorizedHttp } from "./authorized-http.ts";

/** A server that refuses every request, and the number of its open responses. */
function closedServer(): { http: Http; open: () => number } {
  let open = 0;
  const request = async (): Promise<HttpResponse> => {
    open += 1;
    return { status: 401, headers: { get: () => undefined }, read: () => {}, cancel: () => void (open -= 1) };
  };
  return { http: { request, close: () => {} }, open: () => open };
}

test("a response that requires a sign-in is cancelled, because it is not read", async () => {
  const { http, open } = closedServer();
  const needed = new Error("a person is needed");
  const authorizer = { headers: async () => ({}), refused: () => Promise.reject(needed) };
  const url = new URL("https://notes.example/mcp");
  const asked = authorizedHttp(http, url, authorizer).request({ url, method: "POST", headers: {} });
  await expect(asked).rejects.toBe(needed);
  expect(open()).toBe(0);
});
