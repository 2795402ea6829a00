import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { createHost, type Host, type SandboxRequest } from "../../src/index.ts";
import { createSandbox, type FileContent, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";
import { eventsOf, eventually, failureOf, hostIn } from "./host-in.ts";

const PROBE = { command: "node", args: [resolve("test/servers/probe-server.mjs")] };
const obstacle = whyNoSandbox();

async function placeWith(sandbox: FileContent | boolean, more: object = {}): Promise<Sandbox> {
  const place = await createSandbox();
  await place.writeHome(".plugboard/mcp.json", { mcpServers: { probe: { ...PROBE, ...more, sandbox } } });
  await place.writeHome("notes/a.md", "hello");
  return place;
}

const run = (host: Host, command: string) => host.call("probe", "run", { command });

/** A server that fails to start unless a file can be read. */
const NEEDY = (file: string): object => ({
  command: "node",
  args: [
    "-e",
    // The output must be read before the process ends, also on a busy machine.
    `try { require("node:fs").readFileSync(${JSON.stringify(file)}); import(${JSON.stringify(PROBE.args[0])}); }
     catch (error) { console.error(error.message); process.stdin.on("end", () => process.exit(1)).resume(); setTimeout(() => process.exit(1), 500); }`,
  ],
});

describe.skipIf(obstacle !== undefined)("a sandbox that refuses something to a server", () => {
  test("names the path in the result of the failed call, in an event, and in the list of denials", async () => {
    await using place = await placeWith(true);
    await using host = await hostIn(place);
    const events = eventsOf(host);
    const path = `${place.home}/notes/a.md`;
    const code = `require("node:fs").readFileSync("${path}")`;
    const { isError, details } = await host.call("probe", "fail", { command: `node -e '${code}'` });
    expect(isError).toBe(true);
    expect(details.denied).toEqual([{ kind: "read", target: path }]);
    expect(host.sandbox.denials("probe")).toEqual(details.denied);
    expect(events).toContainEqual({ type: "sandbox.denied", server: "probe", kind: "read", target: path });
  });

  test.each<[string, (home: string) => string, string, string]>([
    ["a file of the server's own home folder", () => "cat ~/notes/a.md", "read", "notes/a.md"],
    ["a file that the call names", () => "echo no such file; false", "read", "notes/a.md"],
    [
      "a change",
      (home) => `node -e 'require("fs").writeFileSync("${home}/notes/a.md", "")'`,
      "write",
      "notes/a.md",
    ],
  ])("finds %s", async (_, command, kind, path) => {
    await using place = await placeWith(kind === "write" ? { read: ["~/notes"] } : true);
    await using host = await hostIn(place);
    const result = await host.call("probe", "fail", {
      command: command(place.home),
      file: `${place.home}/notes/a.md`,
    });
    expect(result.details.denied, result.text).toContainEqual({ kind, target: `${place.home}/${path}` });
  });

  test.each([
    ["what does not exist", "cat /nowhere/at/all"],
    ["what it allows", "cat /usr/nowhere; ls /usr/share/nowhere"],
    ["the home folder as a whole", "ls HOME"],
    ["Plugboard's own state", "ls HOME/.local/state/plugboard/x"],
    ["text without an error", "echo HOME/notes/a.md; false"],
  ])("does not report %s", async (_, command) => {
    await using place = await placeWith(true);
    await using host = await hostIn(place);
    const { details } = await host.call("probe", "fail", { command: command.replaceAll("HOME", place.home) });
    expect(details).not.toHaveProperty("denied");
  });

  test("names a host that could not be looked up, and only says so if no host is named", async () => {
    await using place = await placeWith(true);
    await using host = await hostIn(place);
    const { details } = await host.call("probe", "fail", { command: "curl -sS https://api.example.com/v1" });
    expect(details.denied).toEqual([{ kind: "host", target: "api.example.com" }]);
    const nameless = await host.call("probe", "fail", { command: "echo 'TypeError: fetch failed'; false" });
    expect(nameless.details.denied).toEqual([{ kind: "host", target: "*" }]);
  });

  test.each<[string, object | boolean]>([
    ["of a person's choice", false],
    ["of the entry", true],
    ["of the settings", true],
  ])("asks once, and the answer becomes part of the sandbox %s and of its hash", async (origin) => {
    const isEntry = origin.endsWith("entry");
    await using place = await createSandbox();
    const entry = { ...PROBE, ...(isEntry && { sandbox: { hosts: ["a.example"] } }) };
    await place.writeProject(".plugboard/mcp.json", { mcpServers: { probe: entry } });
    if (origin.endsWith("settings")) await place.writeHome(".plugboard/settings.json", { sandbox: true });
    const path = await place.writeHome("notes/a.md", "hello");
    const asked: SandboxRequest[] = [];
    await using host = await hostIn(place, {
      onApproval: async () => ({
        hash:
          (await host.approvals.inspect("probe")).choices?.[0]?.hash ?? host.approvals.request("probe").hash,
      }),
      onSandboxDenied: (request) => asked.push(request) > 0,
    });
    const before = (await failedRead(host, path)).text;
    expect(before).toContain("No such file");
    await eventually(() => expect(host.sandbox.denials("probe")).toEqual([]));
    expect(asked).toMatchObject([
      {
        server: "probe",
        denial: { kind: "read", target: path },
        isSensitive: false,
        choice: { access: expect.stringContaining("~/notes/a.md") },
      },
    ]);
    expect((await run(host, `cat ${path}`)).text).toBe("0\nhello");
    expect((await run(host, "cat ~/notes/a.md")).text).toBe("0\nhello");
    await using later = await hostIn(place, { interaction: "forbid" });
    expect((await run(later, `cat ${path}; echo x 2>&1 > ${path}`)).text).toMatch(/^2\nhello/);
    if (isEntry) expect((await later.config.explain("probe")).reasons.join()).toContain("a.example");
  });

  test("stays as it is if a person refuses, who is not asked again", async () => {
    await using place = await placeWith(true);
    let asked = 0;
    await using host = await hostIn(place, { onSandboxDenied: () => (asked += 1) < 0 });
    const path = `${place.home}/notes/a.md`;
    await failedRead(host, path);
    await eventually(() => expect(asked).toBe(1));
    await failedRead(host, path);
    expect((await run(host, `cat ${path}`)).text).toMatch(/^1\n/);
    expect(asked).toBe(1);
  });

  test("asks when the server cannot start, and starts it with the answer", async () => {
    await using place = await createSandbox();
    const path = await place.writeHome("keys/id_rsa", "key");
    await place.writeHome(".plugboard/mcp.json", {
      mcpServers: { probe: { ...NEEDY(path), sandbox: true } },
    });
    const failure = await (async () => {
      await using silent = await hostIn(place);
      return await failureOf(run(silent, "true"));
    })();
    expect(failure.hint, failure.message).toContain(`Its sandbox refused reading ${path}.`);
    const asked: boolean[] = [];
    await using host = await hostIn(place, {
      onSandboxDenied: ({ isSensitive }) => asked.push(isSensitive) > 0,
    });
    expect((await run(host, "echo started")).text).toBe("0\nstarted\n");
    expect(asked).toEqual([true, false]); // the key, then the code of the server, which the entry does not name
  });

  test("is only changed with the hash of the sandbox that was shown", async () => {
    await using place = await placeWith(true);
    await using host = await hostIn(place);
    const choice = await host.sandbox.propose("probe", [{ kind: "host", target: "a.example" }]);
    expect(choice.sandbox).toEqual({ hosts: ["a.example"] });
    const other = { ...choice, sandbox: { network: "full" } };
    expect((await failureOf(host.sandbox.choose("probe", other))).code).toBe("POLICY_HASH_MISMATCH");
    await host.sandbox.choose("probe", choice);
    expect((await host.approvals.inspect("probe")).sandbox?.access).toContain("only to a.example");
  });

  test("cannot be chosen for a server that the program defines itself", async () => {
    await using place = await createSandbox();
    await using host = await createHost({
      cwd: place.project,
      env: place.env(),
      discover: false,
      servers: { probe: { ...PROBE, sandbox: true } },
    });
    const choice = await host.sandbox.propose("probe", []);
    expect((await failureOf(host.sandbox.choose("probe", choice))).code).toBe("USAGE_INVALID");
  });
});

function failedRead(host: Host, path: string) {
  return host.call("probe", "fail", { command: `cat ${path}` });
}
