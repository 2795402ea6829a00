import { expect, test } from "vitest";
import { fakeAuth, type Reply } from "../../../test/support/oauth-fakes.ts";
import { createManualClock } from "../../testing/index.ts";
import { probeServer } from "./probe-server.ts";

const URL_OF = new URL("https://mcp.example.com/mcp");
const challenge = { "www-authenticate": 'Bearer scope="a"' };

async function probe(answer: Reply | Error) {
  const { deps, received } = fakeAuth(() => answer);
  return { found: await probeServer(deps.ports, URL_OF), received };
}

test("a ping without a sign-in is sent, and the challenge is returned", async () => {
  const { found, received } = await probe({ status: 401, headers: challenge });
  expect(found).toStrictEqual({ scope: "a", dpop: false });
  expect(received).toMatchObject([
    {
      method: "POST",
      url: URL_OF.href,
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: { jsonrpc: "2.0", id: 1, method: "ping" },
    },
  ]);
});

test.each<[string, Reply | Error]>([
  ["lets anyone in", { status: 200, headers: challenge }],
  ["forbids it", { status: 403, headers: challenge }],
  ["names no challenge", { status: 401 }],
  ["cannot be reached", new Error("ECONNREFUSED")],
])("a server that %s gives no challenge", async (_, answer) => {
  expect((await probe(answer)).found).toBeUndefined();
});

test("the request is cancelled after ten seconds, and its response is not read", async () => {
  const clock = createManualClock();
  let cancelled = 0;
  const signals: unknown[] = [];
  const { deps } = fakeAuth();
  const ports = {
    ...deps.ports,
    clock,
    http: {
      ...deps.ports.http,
      request: async ({ signal }: { readonly signal?: { readonly aborted: boolean } | undefined }) => {
        clock.advance(9_999);
        signals.push(signal?.aborted);
        clock.advance(1);
        signals.push(signal?.aborted);
        return { status: 401, headers: new Map(), read: () => {}, cancel: () => void (cancelled += 1) };
      },
    },
  };
  await probeServer(ports, URL_OF);
  expect([signals, cancelled]).toEqual([[false, true], 1]);
});
