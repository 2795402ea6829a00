import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { messageOf } from "../../src/index.ts";
import { inChat } from "./in-chat.ts";

const KEY = "Made/Up+Key=For&This-Test-0123456789";
const PROVIDERS = ["anthropic", "openai", "google", "ollama"] as const;

async function listen(answer: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Returns everything that the chat prints after one line to a model at this address. */
async function saidAfter(provider: string, url: string): Promise<string> {
  const settings = {
    model: `${provider}/m`,
    modelProviders: { [provider]: { baseURL: `${url}/v1`, apiKey: "env:MODEL_KEY" } },
  };
  let said = "";
  await inChat(
    [],
    async ({ enter, screen }) => {
      const error = await enter("hello").then(() => "", String);
      said = [error, messageOf(error), ...screen.printed].join("\n");
    },
    { env: { MODEL_KEY: KEY }, host: { settings }, connect: [] },
  );
  return said;
}

test.each(PROVIDERS)("a redirect receives neither the key of %s nor the conversation", async (provider) => {
  const seen: IncomingHttpHeaders[] = [];
  await using other = await listen((request, response) => {
    seen.push(request.headers);
    response.end("{}");
  });
  for (const status of [302, 307]) {
    await using api = await listen((_, response) =>
      response.writeHead(status, { location: `${other.url}/elsewhere` }).end(),
    );
    expect(await saidAfter(provider, api.url)).toContain(`redirects to ${new URL(other.url).host}`);
  }
  expect(seen).toEqual([]);
});

test.each([
  ["at the end of a long message", (key: string) => `${"x".repeat(485)}${key}`],
  ["percent-encoded", (key: string) => `the key ${encodeURIComponent(key)} is wrong`],
  ["in JSON", (key: string) => JSON.stringify({ key })],
])("the key is not shown if the API repeats it %s", async (_, message) => {
  await using api = await listen((_request, response) =>
    response
      .writeHead(401, { "content-type": "application/json" })
      .end(JSON.stringify({ error: { message: message(KEY) } })),
  );
  expect(await saidAfter("openai", api.url)).not.toMatch(/Made|Up.{1,3}Key/);
});
