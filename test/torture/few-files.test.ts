import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findStragglers } from "../support/find-stragglers.ts";
import { createSandbox } from "../support/sandbox.ts";

const fileHere = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

test.skipIf(process.platform === "win32")(
  "a server does not start while no more files can be opened, reports that, and starts afterwards",
  async () => {
    await using sandbox = await createSandbox();
    const words = [process.execPath, fileHere("few-files.mjs"), fileHere("small-server.sh"), sandbox.home];
    const told = execFileSync("/bin/sh", ["-c", 'ulimit -n 96; exec "$@"', "sh", ...words], {
      encoding: "utf8",
    });
    expect(told.trim().split("\n")).toEqual([
      "connected",
      'CONNECT_FAILED Failed to connect to "small": "/bin/sh" could not be started: spawn /bin/sh EMFILE',
      "connected",
      "connected",
    ]);
    expect(findStragglers(sandbox.home)).toEqual([]);
  },
);
