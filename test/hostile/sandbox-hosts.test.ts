import { type LookupAllOptions, lookup } from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHost, type Host } from "../../src/index.ts";
import { createForwardProxy } from "../../src/platform/node/forward-proxy.lazy.ts";
import { createSandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";

const obstacle = whyNoSandbox();
if (obstacle !== undefined)
  test(`servers with allowed hosts do not run here: ${obstacle}`, (context) => context.skip(obstacle));

/** Knows some hosts, all on this machine. */
const lookUpName = ((name: string, options: LookupAllOptions, done: (...result: unknown[]) => void) => {
  const own = { "api.allowed.example": "127.0.0.1", "inside.allowed.example": "127.0.0.2" }[name];
  if (own !== undefined) done(null, [{ address: own, family: 4 }]);
  else if (name === "gone.allowed.example") done(Object.assign(new Error(name), { code: "ENOTFOUND" }), []);
  else if (name === "busy.allowed.example") done(Object.assign(new Error(name), { code: "EAI_AGAIN" }), []);
  else lookup(name, options, done);
}) as typeof lookup;

describe.skipIf(obstacle !== undefined)("a sandboxed server with allowed hosts", () => {
  const closing: (() => unknown)[] = [];
  let port = 0;
  /** The port of a service that is not listed. */
  let other = 0;
  let host: Host;
  let open: () => Promise<Host>;
  const logged: unknown[] = [];
  const run = async (command: string): Promise<string> => (await host.call("probe", "run", { command })).text;

  beforeAll(async () => {
    const place = await createSandbox();
    const serve = async (): Promise<number> => {
      const web = createServer((request, response) => response.end(`reached ${request.url}\n`));
      await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
      closing.push(() => web.close());
      return (web.address() as AddressInfo).port;
    };
    port = await serve();
    other = await serve();
    const sandbox = {
      hosts: [`localhost:${port}`, `127.0.0.1:${port}`, `api.allowed.example:${port}`, "*.allowed.example"],
    };
    open = () =>
      createHost({
        cwd: place.project,
        home: place.home,
        discover: false,
        ports: { proxy: createForwardProxy(lookUpName) },
        env: { PATH: process.env["PATH"], HOME: place.home },
        servers: {
          probe: {
            command: "node",
            args: [resolve("test/servers/probe-server.mjs")],
            sandbox,
            env: { NODE_OPTIONS: "--no-warnings" },
          },
        },
        log: {
          log: (_level: string, event: string, fields?: object) => void logged.push({ event, ...fields }),
        },
      });
    host = await open();
    closing.unshift(() => host.close());
    closing.push(() => place[Symbol.asyncDispose]());
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  test.each([
    ["by its name", () => `http://api.allowed.example:${port}`],
    ["on this machine", () => `http://localhost:${port}`],
  ])("reaches a listed host %s, without support for proxies", async (_, url) => {
    expect(await run(`curl -sS ${url()}/plain`)).toBe("0\nreached /plain\n");
    const code = `fetch("${url()}/node").then((r) => r.text()).then((text) => process.stdout.write(text))`;
    expect(await run(`node -e '${code}'`)).toBe("0\nreached /node\n");
    expect(
      await run(`/usr/bin/python3 -c 'import urllib.request as r; print(r.urlopen("${url()}/py").read())'`),
    ).toBe("0\nb'reached /py\\n'\n");
    expect(await run('echo "$HTTP_PROXY$http_proxy$HTTPS_PROXY"')).toBe("0\n\n");
  });

  test("reaches a listed host through the proxy, for addresses and other ports", async () => {
    const proxied = "curl -sS -x http://127.0.0.1:3128 --noproxy ''";
    expect(await run(`${proxied} http://localhost:${port}/plain`)).toBe("0\nreached /plain\n");
    expect(await run(`${proxied} --proxytunnel http://127.0.0.1:${port}/t`)).toBe("0\nreached /t\n");
  });

  test.each([
    ["a name that does not exist", "gone.allowed.example", "ENOTFOUND"],
    ["a name that cannot be looked up now", "busy.allowed.example", "EAI_AGAIN"],
    ["another host", "www.example.com", "ENOTFOUND"],
    ["a listed name that resolves to this machine", "inside.allowed.example", "ENOTFOUND"],
    ["a name with strange characters", "a\\$b.allowed.example", "ENOTFOUND"],
  ])("gets the usual error for %s", async (_, name, code) => {
    const look = `require("dns").lookup("${name}", (error) => console.log(error && error.code))`;
    expect(await run(`node -e '${look.replace("\\\\", "")}'`)).toBe(`0\n${code}\n`);
  });

  test("has the names of refused hosts recorded", async () => {
    await run("curl -sS http://tracker.example/");
    expect(JSON.stringify(logged)).toContain(
      '"event":"sandbox.denied","server":"probe","kind":"host","target":"tracker.example"',
    );
  });

  test.each([
    ["another host", () => "http://example.com/", "example.com:80"],
    ["the same address under another name", () => `http://127.0.0.2:${port}/`, "127.0.0.2"],
    ["the same host on another port", () => "http://localhost:9/", "localhost:9"],
    ["a listed name that resolves to this machine", () => "http://inside.allowed.example/", "127.0.0.2:80"],
    ["the metadata address", () => "http://169.254.169.254/latest/meta-data/", "169.254.169.254:80"],
    ["a disguised loopback address", () => `http://[::ffff:127.0.0.1]:${port}/`, "[::ffff:7f00:1]"],
    ["a name that only ends like a listed one", () => "http://notallowed.example/", "notallowed.example:80"],
  ])("cannot reach %s, and the refusal is recorded", async (_, url, target) => {
    expect(
      await run(`curl -sS -x http://127.0.0.1:3128 --noproxy "" -o /dev/null -w "%{http_code}" "${url()}"`),
    ).toBe("0\n403");
    expect(JSON.stringify(logged)).toContain(
      `"event":"sandbox.denied","server":"probe","kind":"host","target":"${target}`,
    );
  });

  test("has no network besides the proxy", async () => {
    expect(await run(`curl -sS -m 5 http://127.0.0.1:${other}/`)).not.toMatch(/^0\n/);
    expect(await run("curl -sS -m 5 http://192.0.2.1/")).not.toMatch(/^0\n/);
  });

  test("keeps the server's NODE_OPTIONS and its own loopback", async () => {
    expect(await run('echo "$NODE_OPTIONS"')).toBe("0\n--no-warnings\n");
    const code = `const s = require("http").createServer((_, r) => r.end("own")).listen(0, "127.0.0.1", () => fetch("http://127.0.0.1:" + s.address().port).then((r) => r.text()).then((t) => { console.log(t); process.exit(0); }))`;
    expect(await run(`node -e '${code}'`)).toBe("0\nown\n");
  });

  test("has the refusals in its log after it ended", async () => {
    await host.close();
    host = await open();
    const log = JSON.stringify(await host.doctor.logs("probe"));
    expect(log).toContain("the sandbox refused a connection to example.com:80");
    expect(log.split("example.com:80")).toHaveLength(2); // once per start
  });
});
