import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHost, type Host } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";

const obstacle = whyNoSandbox();
if (obstacle !== undefined)
  test(`servers with allowed hosts do not run here: ${obstacle}`, (context) => context.skip(obstacle));

describe.skipIf(obstacle !== undefined)("a sandboxed server with allowed hosts", () => {
  const closing: (() => unknown)[] = [];
  let port = 0;
  let host: Host;
  let open: () => Promise<Host>;
  const logged: unknown[] = [];
  const run = async (command: string): Promise<string> => (await host.call("probe", "run", { command })).text;

  beforeAll(async () => {
    const place = await createSandbox();
    const web = createServer((request, response) => response.end(`reached ${request.url}\n`));
    await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
    port = (web.address() as AddressInfo).port;
    const sandbox = { hosts: [`localhost:${port}`, "*.allowed.example"] };
    open = () =>
      createHost({
        cwd: place.project,
        home: place.home,
        discover: false,
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
    closing.push(
      () => host.close(),
      () => web.close(),
      () => place[Symbol.asyncDispose](),
    );
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  test("reaches a listed host with curl", async () => {
    expect(await run(`curl -sS http://localhost:${port}/plain`)).toBe("0\nreached /plain\n");
    expect(await run(`curl -sS --proxytunnel http://localhost:${port}/tunnel`)).toBe("0\nreached /tunnel\n");
  });

  test("reaches a listed host with Node", async () => {
    const code = `const { hostname, port } = new URL(process.env.HTTP_PROXY); require("http").get({ host: hostname, port, path: "http://localhost:${port}/node" }, (r) => r.pipe(process.stdout))`;
    expect(await run(`node -e '${code}'`)).toBe("0\nreached /node\n");
  });

  test.each([
    ["another host", () => "http://example.com/", "example.com:80"],
    ["the same address under another name", () => `http://127.0.0.2:${port}/`, "127.0.0.2"],
    ["the same host on another port", () => "http://localhost:9/", "localhost:9"],
    ["the metadata address", () => "http://169.254.169.254/latest/meta-data/", "169.254.169.254:80"],
    ["a disguised loopback address", () => `http://[::ffff:127.0.0.1]:${port}/`, "[::ffff:7f00:1]"],
    ["a name that only ends like a listed one", () => "http://notallowed.example/", "notallowed.example:80"],
  ])("cannot reach %s, and the refusal is recorded", async (_, url, target) => {
    expect(await run(`curl -sS --noproxy "" -o /dev/null -w "%{http_code}" "${url()}"`)).toBe("0\n403");
    expect(JSON.stringify(logged)).toContain(`"event":"sandbox.denied","server":"probe","host":"${target}`);
  });

  test("has no network besides the proxy", async () => {
    expect(await run(`curl -sS -m 5 --noproxy "*" http://127.0.0.1:${port}/`)).not.toMatch(/^0\n/);
    expect(await run("curl -sS -m 5 --noproxy '*' http://192.0.2.1/")).not.toMatch(/^0\n/);
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
