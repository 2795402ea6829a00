import { describe, expect, test } from "vitest";
import type { StdioLaunch } from "../start-program.ts";
import { installerLine } from "./install-npx.lazy.ts";
import { parseNpxLine } from "./npx-line.ts";

function lineOn(platform: string, text: string): string {
  const [command = "", ...args] = text.split(" ");
  const words = [command, ...args];
  const at = words.findIndex((word) => /np[mx](?:\.cmd)?$/.test(word));
  const line = parseNpxLine(words, at, /npx/.test(words[at] ?? ""));
  if (line === undefined) throw new Error(`not understood: ${text}`);
  const launch = { command, args } as unknown as StdioLaunch;
  return installerLine({ launch, at, line }, "S", platform).join(" ");
}

const OURS = "--cache=S --loglevel=http --logs-max=0 --no-update-notifier";

describe("the command line that only installs packages", () => {
  test.each([
    ["npx -y acme --token x", `npx ${OURS} -y acme`],
    ["npx -y -- acme x", `npx ${OURS} -y -- acme`],
    ["npx -p acme program x", `npx ${OURS} -p acme program`],
    ["npm exec --yes -- acme x", `npm ${OURS} exec --yes -- acme`],
    ["env A=b npx acme x", `env A=b npx ${OURS} acme`],
  ])("on Linux and macOS: %s", (line, expected) => {
    expect(lineOn("linux", line)).toBe(expected);
    expect(lineOn("darwin", line)).toBe(expected);
  });

  test.each([
    ["npx.cmd -y acme --token x", `npx.cmd ${OURS} -y --package=acme --call=exit`],
    ["npx --registry http://x -- acme x", `npx ${OURS} --registry http://x --package=acme --call=exit`],
    ["npx -p acme program x", `npx ${OURS} -p acme --call=exit`],
    ["cmd /c npx -y acme", `cmd /c npx ${OURS} -y --package=acme --call=exit`],
    ["npm exec --yes -- acme x", `npm ${OURS} exec --yes --package=acme --call=exit`],
  ])("on Windows: %s", (line, expected) => {
    expect(lineOn("win32", line)).toBe(expected);
  });
});
