/**
 * `npm run conformance -- --server [word]`: the official suite's server scenarios, through the gateway, for both revisions and for
 * fixtures of both eras. Exits with 1 if any scenario fails that its baseline does not name, or passes although it does.
 * `--json` prints a list of scenarios with what came of them instead.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGateway } from "../dist/gateway.js";
import { BASELINES } from "./baselines.mjs";

export const REVISIONS = ["2025-11-25", "2026-07-28"];
const ERAS = ["legacy", "modern"];
const fixture = fileURLToPath(new URL("fixture-server.mjs", import.meta.url));

/** Calls `judge` for every run with a gateway in front of the fixture. Returns what came of the scenarios. */
export async function judgeServers(scenariosOf, judge) {
  const outcomes = [];
  for (const revision of REVISIONS)
    for (const era of ERAS) {
      const front = await openGateway(era);
      for (const scenario of scenariosOf(revision)) {
        const { isPassed, ...outcome } = await judge({ scenario, revision, url: front.url });
        const expected = BASELINES[`${revision} ${era}`]?.[scenario];
        outcomes.push({ scenario, revision, era, isPassed, expected, ...outcome });
      }
      await front.close();
    }
  return outcomes;
}

/** The suite's clients send no token, so a proxy adds it. Everything else reaches the gateway as it was sent. */
async function openGateway(era) {
  const home = mkdtempSync(join(tmpdir(), "plugboard-conformance-"));
  const proxy = createServer();
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address();
  const gateway = await createGateway({
    cwd: home,
    env: { ...process.env, PLUGBOARD_HOME: home, HOME: home },
    discover: false,
    servers: { fixture: { command: process.execPath, args: [fixture, "--era", era], env: {} } },
    offer: { servers: ["fixture"], waitMs: 60_000 },
  });
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { url, token } = await gateway.listen({
    port: 0,
    allowHosts: hosts,
    allowOrigins: hosts.map((host) => `http://${host}`),
  });
  const target = new URL("/mcp/s/fixture", url);
  proxy.on("request", (asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const sent = request(target, { method: asked.method, headers, setHost: false }, (found) => {
      answer.writeHead(found.statusCode, found.headers);
      found.pipe(answer);
    });
    sent.on("error", () => answer.destroy());
    answer.on("close", () => sent.destroy());
    asked.pipe(sent);
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await gateway.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
