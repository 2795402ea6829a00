import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { unmetNeeds, whyNoSandbox } from "../support/sandbox-support.ts";

const PROBE = { type: "stdio", command: "node", args: [resolve("test/servers/probe-server.mjs")] };
const PROGRAM = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));
const obstacle = whyNoSandbox();

async function placeWith(entry: object, file = ".cursor/mcp.json"): Promise<Sandbox> {
  const place = await createSandbox();
  await place.writeHome(file, { mcpServers: { probe: { ...PROBE, ...entry } } });
  await place.writeHome("secret.txt", "secret");
  return place;
}

/** Runs the program where the kernel refuses namespaces to bubblewrap. */
function runWithoutNamespaces(place: Sandbox, args: readonly string[]): Promise<string> {
  const script = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
  const words = ["--user", "--map-root-user", "sh", "-c", script, "sh", process.execPath, PROGRAM, ...args];
  return new Promise((done) => {
    execFile("unshare", words, { cwd: place.project, env: place.env() }, (_, stdout, stderr) =>
      done(stdout + stderr),
    );
  });
}

describe.skipIf(obstacle !== undefined)("a person's own server of another tool", () => {
  test("is offered a sandbox by doctor, runs in it after `trust --sandbox on`, and without it after `off`", async () => {
    await using place = await placeWith({});
    const offer = await runCli(["doctor"], { sandbox: place });
    expect(offer.stdout).toContain("1 local server runs without a sandbox: probe.");
    expect(offer.stdout).toContain("plugboard trust probe --sandbox on");
    const read = async (): Promise<string> =>
      (await runCli(["call", "probe", "run", `command=cat ${place.home}/secret.txt`], { sandbox: place }))
        .stdout;
    expect(await read()).toBe("0\nsecret\n");
    for (const [choice, expected] of [
      ["on", /^1\n/],
      ["off", /^0\nsecret/],
    ] as const) {
      const asked = await runCli(["trust", "probe", "--sandbox", choice, "--json"], { sandbox: place });
      expect(asked.code).toBe(3);
      const hash = /--hash ([0-9a-f]{64})/.exec(asked.stdout)?.[1] ?? "";
      const wrong = ["trust", "probe", "--sandbox", choice, "--yes", "--hash", "0".repeat(64)];
      expect((await runCli(wrong, { sandbox: place })).code).toBe(3);
      const chosen = await runCli(["trust", "probe", "--sandbox", choice, "--yes", "--hash", hash], {
        sandbox: place,
      });
      expect(chosen).toMatchObject({ code: 0, stdout: expect.stringContaining("Saved") });
      expect(await read()).toMatch(expected);
    }
  });

  test("is not offered a sandbox if it has one, or must not have one", async () => {
    for (const entry of [{ sandbox: true }, { sandbox: false }, { wrap: ["env"] }]) {
      await using place = await placeWith(entry, ".plugboard/mcp.json");
      const { unsandboxed } = (await runCli(["doctor", "--json"], { sandbox: place })).json() as {
        unsandboxed: unknown;
      };
      expect(unsandboxed).toEqual({ servers: [] });
    }
  });
});

describe.skipIf(obstacle !== undefined || unmetNeeds().has("namespaces"))(
  "where the kernel refuses namespaces",
  () => {
    test("a server with a sandbox does not start, and says why", async () => {
      await using place = await placeWith({ sandbox: true }, ".plugboard/mcp.json");
      const text = await runWithoutNamespaces(place, ["call", "probe", "run", "command=true"]);
      expect(text).toContain("its entry requires a sandbox, but bubblewrap cannot create one here");
      expect(text).toContain("user.max_user_namespaces");
    });

    test("no sandbox is offered for a server, and doctor says why", async () => {
      await using place = await createSandbox();
      await place.writeProject(".mcp.json", { mcpServers: { probe: PROBE } });
      await place.writeHome(".cursor/mcp.json", { mcpServers: { own: PROBE } });
      const { approval } = JSON.parse(await runWithoutNamespaces(place, ["trust", "probe", "--json"])) as {
        approval: { inspection: object };
      };
      expect(approval.inspection).not.toHaveProperty("choices");
      const doctor = await runWithoutNamespaces(place, ["doctor"]);
      expect(doctor).toContain("There is no sandbox, because bubblewrap cannot create one here");
    });
  },
);
