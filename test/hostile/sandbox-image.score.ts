import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LONGEST_MS, reportTests } from "../durability/counts.ts";
import { hostIn } from "../flow/host-in.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const PROGRAMS = "/bin/sh /bin/cat /bin/ls /usr/bin/env /usr/bin/touch /usr/bin/head".split(" ");
const IMAGE = "localhost/plugboard-probe:1";
const podman = (...args: readonly string[]): string => execFileSync("podman", args, { encoding: "utf8" });
let place: Sandbox;

reportTests("attacks and uses of a server in a container, with an image of our own");

/** Imports an image with Node, a shell and a few programs of this machine. */
beforeAll(async () => {
  place = await createSandbox();
  const root = join(place.home, "root");
  const libraries = [process.execPath, ...PROGRAMS].flatMap((program) =>
    [...execFileSync("ldd", [program], { encoding: "utf8" }).matchAll(/(\/\S+) \(/g)].map(
      ([, path]) => path ?? "",
    ),
  );
  for (const path of new Set([...PROGRAMS, ...libraries])) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await cp(path, join(root, path), { dereference: true });
  }
  await mkdir(join(root, "usr/bin"), { recursive: true });
  await cp(process.execPath, join(root, "usr/bin/node"), { dereference: true });
  await cp("test/servers/probe-server.mjs", join(root, "probe.mjs"));
  for (const name of ["proc", "dev", "tmp", "etc"]) await mkdir(join(root, name), { recursive: true });
  await writeFile(join(root, "etc/passwd"), "root:x:0:0::/:/bin/sh\n");
  execFileSync("sh", ["-c", `tar -C "$1" -c . | podman import - ${IMAGE}`, "sh", root], { stdio: "ignore" });
  await rm(root, { recursive: true });
  await place.writeHome(".ssh/id_ed25519", "private key");
  await place.writeProject(".git/config", "[core]\n");
  await place.writeProject("notes.txt", "remember the milk");
}, LONGEST_MS);

afterAll(async () => {
  podman("rmi", "--force", IMAGE);
  await place[Symbol.asyncDispose]();
});

async function run(command: string, sandbox: object | boolean = { image: IMAGE }): Promise<string> {
  const server = sandbox === false ? "test/servers/probe-server.mjs" : "/probe.mjs";
  const args = [sandbox === false ? join(process.cwd(), server) : server];
  // The second variable would choose what the engine runs, if the engine got it.
  const env = { GREETING: "hello # you", LD_DEBUG_OUTPUT: join(place.home, "loaded"), LD_DEBUG: "files" };
  await place.writeHome(".plugboard/mcp.json", {
    mcpServers: { probe: { command: "node", args, env, sandbox } },
  });
  await using host = await hostIn(place, {
    env: { PATH: process.env["PATH"], HOME: place.home, HOST_SECRET: "1" },
  });
  return (await host.call("probe", "run", { command })).text;
}

test("works in its project and its data folder, with its variables", async () => {
  const command = `cat notes.txt; echo new > made.txt; echo x > "$HOME/own"; pwd; echo "$GREETING"`;
  expect(await run(command)).toBe(`0\nremember the milk${place.project}\nhello # you\n`);
  expect(await readFile(join(place.project, "made.txt"), "utf8")).toBe("new\n");
});

test.each<[string, (place: Sandbox) => string]>([
  ["read an SSH key", ({ home }) => `cat ${home}/.ssh/id_ed25519`],
  ["change the git config", ({ project }) => `echo x >> ${project}/.git/config`],
  ["write to the system", () => "touch /usr/lib/probe"],
  [
    "see network interfaces other than loopback",
    () =>
      `test $(ls /sys/class/net | head -9 | cat | env -i /bin/sh -c 'n=0; while read -r x; do n=$((n+1)); done; echo $n') -gt 1`,
  ],
  ["see a process outside", () => `ls /proc/${process.pid}/fd`],
  [
    "read the host's environment",
    () => "env | { while read -r line; do case $line in HOST_SECRET=*) exit 0 ;; esac; done; exit 1; }",
  ],
  [
    "gain privileges",
    () =>
      `while read -r name value; do [ "$name $value" = "NoNewPrivs: 0" ] && exit 0; done < /proc/self/status; exit 1`,
  ],
])("cannot %s", async (_, attack) => {
  expect(await run(attack(place))).not.toMatch(/^0\n/);
});

test("has no variable of its entry in the programs outside, and leaves no container", async () => {
  expect(await run("true")).toMatch(/^0\n/);
  expect(await run(`ls ${place.home}`, false)).toMatch(/loaded\./); // without the container it does
  const left = podman("ps", "--all", "--format", "{{.Image}}");
  expect(left).not.toContain(IMAGE);
});

test("says so if the image is not on this machine, and downloads nothing", async () => {
  await expect(run("true", { image: "localhost/plugboard-missing:1" })).rejects.toThrow(
    /image not known|No such image/,
  );
});
