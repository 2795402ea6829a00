import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { reportTests } from "../../../test/durability/counts.ts";
import type { Loopback, LoopbackAnswer, LoopbackRequest } from "../../platform/index.ts";
import { nodePorts } from "../../platform/node/index.ts";
import { type Callback, openCallback } from "./callback.lazy.ts";

const { loopback } = nodePorts();
const STATE = "a".repeat(43);

interface Knock {
  readonly path?: string;
  readonly method?: string;
  readonly host?: string;
}

/** A request that another program or a web page on this machine might send. */
function knock(
  port: number,
  { path = `/callback?code=c&state=${STATE}`, method = "GET", host }: Knock,
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const headers = { host: host ?? `127.0.0.1:${port}` };
    const sent = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body, headers: response.headers }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

async function opened(): Promise<Callback & AsyncDisposable & { readonly port: number }> {
  const callback = await openCallback(loopback, {});
  const port = Number(new URL(callback.redirectUri).port);
  return { ...callback, port, [Symbol.asyncDispose]: callback.close };
}

describe("the callback", () => {
  describe("when it is forged", () => {
    reportTests("forged callbacks: rejected, nothing in them used or shown");

    test.each<[string, Knock, number]>([
      ["another path", { path: `/other?code=c&state=${STATE}` }, 404],
      ["a path below it", { path: `/callback/?code=c&state=${STATE}` }, 404],
      ["a path that only ends up there", { path: `//evil.example/callback?code=c&state=${STATE}` }, 404],
      ["another method", { method: "POST" }, 405],
      ["a question before the question", { method: "OPTIONS" }, 405],
      ["a name that was bent to this machine", { host: "evil.example" }, 400],
      ["a name with this machine in it", { host: "127.0.0.1.evil.example" }, 400],
      ["no state", { path: "/callback?code=c" }, 400],
      ["another state", { path: "/callback?code=c&state=guess" }, 400],
      ["a state of the right length", { path: `/callback?code=c&state=${"b".repeat(43)}` }, 400],
      ["two states", { path: `/callback?code=c&state=${STATE}&state=${STATE}` }, 400],
      ["an error without a state", { path: "/callback?error=access_denied" }, 400],
      ["a path that is none", { path: "http://[" }, 404],
    ])("rejects %s and keeps waiting for the right one", async (_, forged, status) => {
      await using callback = await opened();
      const answered = callback.answered(STATE);
      const refused = await knock(callback.port, forged);
      expect(refused.status).toBe(status);
      const right = knock(callback.port, {});
      const { parameters, say } = await answered;
      say();
      expect([parameters.get("code"), (await right).status]).toEqual(["c", 200]);
    });
  });

  test("is accepted once, and its page waits for the result", async () => {
    await using callback = await opened();
    const answered = callback.answered(STATE);
    const first = knock(callback.port, {});
    const { say } = await answered;
    const second = await knock(callback.port, { path: `/callback?code=other&state=${STATE}` });
    expect([second.status, second.body]).toEqual([410, expect.stringContaining("This sign-in has ended.")]);
    say("the server said no");
    const { status, body, headers } = await first;
    expect([status, body]).toEqual([400, expect.stringContaining("the server said no")]);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect([headers["referrer-policy"], headers["cache-control"]]).toEqual(["no-referrer", "no-store"]);
  });

  test("that is not needed, because the response arrived another way, ends when it is closed", async () => {
    const callback = await opened();
    const answered = callback.answered(STATE);
    const page = knock(callback.port, {});
    await answered;
    await callback.close();
    const { status, body } = await page;
    expect([status, body]).toEqual([410, expect.stringContaining("This sign-in has ended.")]);
  });

  test("listens on this machine only, until it is closed", async () => {
    const callback = await opened();
    expect(callback.redirectUri).toBe(`http://127.0.0.1:${callback.port}/callback`);
    await callback.close();
    await expect(knock(callback.port, {})).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("uses the port in the entry and fails if it is in use", async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, "127.0.0.1", resolve));
    const { port } = squatter.address() as AddressInfo;
    const wanted = { redirectUri: `http://localhost:${port}/mcp/oauth/callback` };
    await expect(openCallback(loopback, wanted)).rejects.toMatchObject({ code: "AUTH_FAILED" });
    await expect(openCallback(loopback, { port })).rejects.toThrow(`port ${port} is already in use`);
    await new Promise((resolve) => squatter.close(resolve));

    const callback = await openCallback(loopback, wanted);
    const answered = callback.answered(STATE);
    const right = knock(port, {
      path: `/mcp/oauth/callback?code=c&state=${STATE}`,
      host: `localhost:${port}`,
    });
    (await answered).say();
    expect([callback.redirectUri, (await right).status]).toEqual([wanted.redirectUri, 200]);
    await callback.close();
  });

  /** A fake listener whose ports are all free, or that fails. */
  function listening(failure?: Error) {
    const ports: number[] = [];
    const answers: ((request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>)[] = [];
    const listen: Loopback["listen"] = async (port, answer) => {
      ports.push(port);
      answers.push(answer);
      if (failure !== undefined) throw failure;
      return { port: port || 5_001, close: async () => {} };
    };
    const ask = async (request: Partial<LoopbackRequest> = {}) =>
      answers[0]?.({ method: "GET", target: `/callback?state=${STATE}`, host: "127.0.0.1", ...request });
    return { loopback: { listen }, ports, ask };
  }

  test.each([
    ["any free port", {}, 0, "http://127.0.0.1:5001/callback"],
    ["the port of the config", { port: 7_777 }, 7_777, "http://127.0.0.1:7777/callback"],
    ["the port of the address", { redirectUri: "http://localhost:81/x" }, 81, "http://localhost:81/x"],
    ["port 80 for an address without one", { redirectUri: "http://localhost/x" }, 80, "http://localhost/x"],
    [
      "the port in the entry rather than that of the redirect URI",
      { port: 7_777, redirectUri: "http://localhost:81/x" },
      7_777,
      "http://localhost:81/x",
    ],
  ])("listens at %s", async (_, wanted, port, redirectUri) => {
    const { loopback: machine, ports } = listening();
    const callback = await openCallback(machine, wanted);
    expect([ports, callback.redirectUri]).toEqual([[port], redirectUri]);
  });

  test("names the port that is in use and what to do about it", async () => {
    const failure = Object.assign(new Error("in use"), { code: "EADDRINUSE" });
    await expect(openCallback(listening(failure).loopback, { port: 7_777 })).rejects.toMatchObject({
      code: "AUTH_FAILED",
      message: "OAuth authentication failed: port 7777 is already in use by another program",
      hint: "Stop that program, or set a different callbackPort.",
      cause: failure,
    });
  });

  test("passes on any other reason why it cannot listen", async () => {
    const failure = Object.assign(new Error("forbidden"), { code: "EACCES" });
    await expect(openCallback(listening(failure).loopback, {})).rejects.toBe(failure);
  });

  test.each<[Partial<LoopbackRequest>, number, string]>([
    [{ host: "evil.example" }, 400, "Invalid host."],
    [{ host: "x127.0.0.1" }, 400, "Invalid host."],
    [{ host: "127.0.0.1:80x" }, 400, "Invalid host."],
    [{ host: "localhost:80", target: "/other" }, 404, "Page not found."],
    [{ method: "POST" }, 405, "Method not allowed."],
    [{ target: "/callback?state=guess" }, 400, "This response does not belong to a sign-in in progress."],
    [{ target: "/callback" }, 400, "This response does not belong to a sign-in in progress."],
  ])("explains why it rejects %j", async (request, status, text) => {
    const { loopback: machine, ask } = listening();
    const callback = await openCallback(machine, {});
    void callback.answered(STATE);
    expect(await ask(request)).toMatchObject({ status, body: expect.stringContaining(`<p>${text}</p>`) });
  });

  test("distinguishes a missing state from an empty one", async () => {
    const { loopback: machine, ask } = listening();
    const callback = await openCallback(machine, {});
    void callback.answered("");
    expect(await ask({ target: "/callback?code=c" })).toMatchObject({ status: 400 });
  });

  test("has ended before a response is expected", async () => {
    const { loopback: machine, ask } = listening();
    await openCallback(machine, {});
    expect(await ask()).toMatchObject({
      status: 410,
      body: expect.stringContaining("This sign-in has ended."),
    });
  });
});
