import { expect, test } from "vitest";
import { announceStates } from "../../src/surfaces/tui/shell/announce-states.ts";
import { eventually, hostIn } from "../flow/host-in.ts";
import { createFakeScreen } from "../support/fake-screen.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

test("a server that ends right after connecting is not announced as connected, and its failure is announced once", async () => {
  await using sandbox = await createSandbox();
  const dies = stdioServer("raw-server.mjs", ["--behave", "exit-after-init"]);
  await using host = await hostIn(sandbox, { discover: false, servers: { dies } });
  const screen = createFakeScreen();
  let ends = 0;
  const stopCounting = host.subscribe((event) => {
    if (event.type === "server.state" && event.state === "reconnecting") ends += 1;
  });
  const stop = announceStates(host, screen, { home: sandbox.home, cwd: sandbox.project, program: "/mcp" });
  void host.connectAll();
  await eventually(() => expect(ends).toBeGreaterThan(1));
  await eventually(() => expect(screen.printed).not.toEqual([]));
  expect(screen.printed).toEqual([
    "◌ dies reconnecting · /mcp test dies",
    '  the process of "dies" exited with code 4; last output: boom: gone after\n  initialize',
  ]);
  stop();
  stopCounting();
});
