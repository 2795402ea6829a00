/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { startCountingServer } from "../cluster/counting-server.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { startTeam, type Team } from "../support/team.ts";
import { stdioServer } from "../support/test-servers.ts";

const SERVERS = { tools: { ...stdioServer("tools-server.mjs") } };
const OPEN = { rules: [{ name: "open", who: ["*"], then: "allow" }] };
const CLOSED = { rules: [{ name: "closed", who: ["*"], then: "deny" }] };
const CONFIG: JsonObject = { servers: SERVERS, policy: OPEN };

const echo = (team: Team, token: string, text = "hi"): ReturnType<Team["send"]> =>
  team.send(token, "tools/call", { name: "tools_echo", arguments: { text } });
const statusOf = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
  (await fetch(url, { headers })).status;

describe("metrics and health checks", () => {
  test("are on their own address, and on the public one only with a token", async () => {
    const port = await findFreePort();
    const telemetry = { metricsToken: "only-for-prometheus", toolLabel: true };
    await using team = await startTeam({ ...CONFIG, internal: `127.0.0.1:${port}`, telemetry });
    const token = await team.token("ada");
    await echo(team, token);
    const inside = `http://127.0.0.1:${port}`;
    const outside = new URL(team.url).origin;
    for (const path of ["/livez", "/readyz", "/startupz"])
      expect([path, await statusOf(inside + path)]).toEqual([path, 200]);
    const text = await (await fetch(`${inside}/metrics`)).text();
    expect(text).toMatch(
      /^mcp_server_operation_duration_seconds_count\{mcp_method_name="tools\/call",server="tools",gen_ai_tool_name="echo"\} 1$/m,
    );
    expect(text).toMatch(/^plugboard_people 1$/m);
    expect(text).toMatch(/^plugboard_store_up 1$/m);
    expect(text).toMatch(/^plugboard_gateways 1$/m);
    expect(text).toMatch(/^# TYPE plugboard_forwards_total counter\nplugboard_forwards_total 0$/m);
    expect(text).toMatch(/^plugboard_takeovers_total 0$/m);
    expect(text).not.toContain("ada");
    expect(await statusOf(`${inside}/mcp`)).toBe(404);
    expect(await statusOf(`${outside}/metrics`)).toBe(404);
    expect(await statusOf(`${outside}/metrics`, { authorization: `Bearer ${token}` })).toBe(404);
    const authorization = "Bearer only-for-prometheus";
    expect(await statusOf(`${outside}/metrics`, { authorization })).toBe(200);
  });

  test("count sessions, calls that wait for an answer, and connections to servers by state", async () => {
    await using counting = await startCountingServer();
    const port = await findFreePort();
    await using team = await startTeam({
      policy: OPEN,
      servers: {
        counting: { type: "http", url: counting.url },
        gone: { type: "http", url: `http://127.0.0.1:${await findFreePort()}` },
      },
      internal: `127.0.0.1:${port}`,
    });
    const values = async (): Promise<Readonly<Record<string, number>>> => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const lines = text.matchAll(
        /^plugboard_((?:sessions|suspended_calls|upstream_connections).*) (\d+)$/gm,
      );
      return Object.fromEntries(Array.from(lines, ([, name, value]) => [name, Number(value)]));
    };
    const inState = (state: string): string => `upstream_connections{state="${state}"}`;
    const before = await values();
    expect(before).toMatchObject({ sessions: 0, suspended_calls: 0, [inState("connected")]: 0 });

    const [ada, grace] = [await team.token("ada"), await team.token("grace")];
    const [first] = [await team.connect(ada, "legacy"), await team.connect(grace, "legacy")];
    const asked = await team.send(ada, "tools/call", {
      name: "counting_ask",
      arguments: { id: "why" },
      _meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } },
    });
    const { requestState } = asked.body["result"] as JsonObject;
    expect(await values()).toMatchObject({ sessions: 2, suspended_calls: 1 });
    await expect
      .poll(async () => (await values())[inState("connected")], { timeout: 10_000 })
      .toBeGreaterThan(0);
    await expect
      .poll(async () => (await values())[inState("failed")], { timeout: 10_000 })
      .toBeGreaterThan(0);
    expect(Object.keys(await values())).toEqual(Object.keys(before)); // a state without connections is 0

    await (first.transport as StreamableHTTPClientTransport).terminateSession();
    await team.send(ada, "tools/call", {
      name: "counting_ask",
      arguments: { id: "why" },
      requestState: requestState ?? "",
      inputResponses: { "request-1": { action: "decline" } },
      _meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } },
    });
    expect(await values()).toMatchObject({ sessions: 1, suspended_calls: 0 });
  });
});

describe("a changed config file", () => {
  test("applies without a restart, and an invalid one changes nothing and is reported", async () => {
    await using team = await startTeam(CONFIG);
    const token = await team.token("ada");
    expect((await echo(team, token)).body).toHaveProperty("result");
    expect(await team.reloaded({ ...CONFIG, policy: CLOSED })).toEqual([]);
    expect((await echo(team, token)).body).toHaveProperty("error");
    const wrong = { rules: [{ who: ["*"], then: "perhaps" }] };
    expect(await team.reloaded({ ...CONFIG, policy: wrong })).toEqual([
      expect.stringMatching(/gateway\.jsonc:\d+:\d+ .*must be "allow", "ask" or "deny"/),
    ]);
    expect((await echo(team, token)).body).toHaveProperty("error");
    const listen = { address: team.gateway.address, trustedProxies: ["ten"] };
    expect(await team.reloaded({ ...CONFIG, publicUrl: "http://other.example:80", listen })).toEqual([
      expect.stringContaining("trustedProxies"),
    ]);
    expect((await echo(team, token)).status).toBe(200);
    expect(
      await team.reloaded({
        ...CONFIG,
        access: { tokens: false, oauth: { issuer: "https://id.example.com" } },
      }),
    ).toEqual([]);
    expect((await echo(team, token)).status).toBe(401);
    expect(await team.reloaded({ ...CONFIG, servers: { ...SERVERS, more: SERVERS.tools } })).toEqual([]);
    const { body } = await team.send(token, "tools/list");
    expect(JSON.stringify(body)).toContain("more_echo");
  });

  test("can be replaced by environment variables, key by key", async () => {
    await using team = await startTeam(CONFIG, {
      host: {
        env: {
          PLUGBOARD_GATEWAY_POLICY: JSON.stringify(CLOSED),
          PLUGBOARD_GATEWAY_LIMITS_REQUESTS_PER_SECOND: "1",
          PLUGBOARD_GATEWAY_LIMITS_BURST: "3",
        },
      },
    });
    const token = await team.token("ada");
    expect((await echo(team, token)).body).toHaveProperty("error");
    const statuses = await Promise.all(Array.from({ length: 8 }, () => echo(team, token)));
    expect(statuses.some(({ status }) => status === 429)).toBe(true);
  });
});

describe("limits", () => {
  test("refuse a person who sends too much, with the time to wait, and no other person", async () => {
    await using team = await startTeam({ ...CONFIG, limits: { requestsPerSecond: 1, burst: 5 } });
    const [ada, grace] = [await team.token("ada"), await team.token("grace")];
    const answers = await Promise.all(Array.from({ length: 20 }, () => echo(team, ada)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await echo(team, grace)).status).toBe(200);
  });

  test("give people turns at a busy server", async () => {
    await using counting = await startCountingServer();
    const servers = { counting: { type: "http", url: counting.url } };
    const limits = { concurrentPerServer: 2, burst: 1_000, concurrent: 64, queue: 200 };
    await using team = await startTeam({ policy: OPEN, servers, limits });
    const call = (token: string, tool: string, id: string) =>
      team.send(token, "tools/call", { name: `counting_${tool}`, arguments: { id } });
    const [ada, grace] = [await team.token("ada"), await team.token("grace")];
    await Promise.all([call(ada, "add", "ada"), call(grace, "add", "grace")]); // their connections are open
    counting.forget();
    const { counts } = counting;
    const calls = Array.from({ length: 60 }, (_, index) => call(ada, "wait", `ada ${index}`));
    await expect.poll(() => counts.size).toBeGreaterThan(0);
    calls.push(call(grace, "wait", "grace"));
    while (!counts.has("grace") && counts.size < 60) {
      const begun = counts.size;
      counting.finish();
      await expect.poll(() => counts.size).toBeGreaterThan(begun);
    }
    expect(counts.size).toBeLessThan(30);
    const finishing = setInterval(() => counting.finish(), 10);
    await Promise.all(calls);
    clearInterval(finishing);
  });

  test("slow down an address that guesses tokens, but not a person with a valid token", async () => {
    await using team = await startTeam({ ...CONFIG, limits: { anonymousPerSecond: 1 } });
    const token = await team.token("ada");
    expect((await echo(team, token)).status).toBe(200);
    const guesses = await Promise.all(Array.from({ length: 30 }, () => echo(team, "pb_wrong")));
    expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(10);
    expect((await echo(team, token)).status).toBe(200);
  });
});
