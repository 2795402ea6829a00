import { expect, test } from "vitest";
import { daemonIn } from "../support/daemon-in.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandboxInCi } from "../support/sandbox.ts";

test("`doctor` shows whether the daemon runs, and how to stop it", async () => {
  await using sandbox = await createSandboxInCi();
  const doctor = () => runCli(["doctor", "--json"], { sandbox });
  expect((await doctor()).json()).toMatchObject({ daemon: { running: false } });
  await using daemon = await daemonIn(sandbox);
  expect((await doctor()).json()).toMatchObject({ daemon: { running: true, pid: daemon.pid } });
  expect((await runCli(["doctor"], { sandbox })).stdout).toContain(
    `The daemon runs (process ${daemon.pid}). To stop it: plugboard daemon stop`,
  );
});
