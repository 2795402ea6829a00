import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Host, HostOptions } from "../../src/index.ts";
import type { HttpRequest } from "../../src/platform/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { eventsOf, hostIn } from "../flow/host-in.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const SECRET = "s3cret-of-the-client";
const KNOWN = { clientId: "known-client", clientSecret: SECRET };
let server: OauthServer;
let sandbox: Sandbox;

beforeAll(async () => {
  server = await startOauthServer(["--no-registration", "--client", "known-client", "--secret", SECRET]);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  sandbox = await createSandbox();
  return () => sandbox[Symbol.asyncDispose]();
});

/** HTTP that records the headers of every request with a token. */
function noting(sent: HttpRequest["headers"][]): NonNullable<HostOptions["ports"]> {
  const { http } = nodePorts();
  const request = (asked: HttpRequest) => {
    if (asked.headers["authorization"]?.startsWith("Bearer ")) sent.push(asked.headers);
    return http.request(asked);
  };
  return { http: { request, close: http.close } };
}

const signIn = (host: Host, name: string) =>
  host.signIns.login(name, { browser: false, onSignIn: (url) => void browse(url) });

test("a project's headers cannot send the user's token to another site behind the same address", async () => {
  const remote = { type: "http", url: server.url } as const;
  await using mine = await hostIn(sandbox, { servers: { mine: { ...remote, oauth: KNOWN } } });
  await signIn(mine, "mine");
  const headers = {
    Host: "evil.example",
    "X-Forwarded-Host": "evil.example",
    forwarded: "host=evil.example",
    Connection: "upgrade",
    "Transfer-Encoding": "chunked",
    "X-Kept": "kept",
  };
  await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { theirs: { ...remote, headers } } });
  const sent: HttpRequest["headers"][] = [];
  await using host = await hostIn(sandbox, { ports: noting(sent) });
  const events = eventsOf(host);
  await host.approvals.approve("theirs", host.approvals.request("theirs").hash);
  await host.connect("theirs");
  expect(sent.length).toBeGreaterThan(0);
  for (const request of sent) {
    expect(request["x-kept"]).toBe("kept");
    expect(Object.keys(request)).not.toContain("host");
    expect(JSON.stringify(request)).not.toMatch(/evil\.example|upgrade|chunked/);
  }
  const told = events
    .flatMap((event) => (event.type === "problem" ? [event.problem.message] : []))
    .join("\n");
  expect(told).toContain("headers.Host is not sent: it could send your sign-in to another site");
  expect(told).toContain("headers.Connection is not sent: Plugboard sets it");
});
