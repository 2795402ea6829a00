import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeEnvironment, nodePorts } from "../../platform/node/index.ts";
import { type KeySource, openKeyWrap } from "./key-wrap.ts";

const KEY = randomBytes(32);
const RING_KEY = randomBytes(32);
const PORTS = nodePorts();
/** A key service that reverses bytes and appends the context, so that it notices a wrong one. */
const SERVICE = `let text = "";
process.stdin.on("data", (chunk) => (text += chunk)).on("end", () => {
  const { operation, id, context, data } = JSON.parse(text);
  const tail = Buffer.from(id + context);
  const bytes = Buffer.from(data, "base64");
  if (operation === "unwrap" && !bytes.subarray(32).equals(tail)) process.exit(4);
  const result = operation === "wrap" ? Buffer.concat([bytes.reverse(), tail]) : bytes.subarray(0, 32).reverse();
  console.log(JSON.stringify({ data: result.toString("base64") }));
});`;

let folder: string;
let source: Readonly<Record<"file" | "variable" | "command", KeySource>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keys-"));
  await writeFile(join(folder, "service.cjs"), SERVICE);
  await writeFile(join(folder, "key"), KEY, { mode: 0o600 });
  source = {
    file: { id: "one", file: join(folder, "key") },
    variable: { id: "one", variable: "TEAM_KEY" },
    command: { id: "one", command: [process.execPath, join(folder, "service.cjs")] },
  };
});
afterAll(() => rm(folder, { recursive: true }));

const environment = (variables: Readonly<Record<string, string>> = {}) =>
  nodeEnvironment({ env: { TEAM_KEY: KEY.toString("base64"), ...variables } });
const open = (given: KeySource, variables = {}) => openKeyWrap(given, PORTS, environment(variables));

describe.each(["file", "variable", "command"] as const)("a key from a source of the kind %s", (kind) => {
  test("encrypts a key of the ring for one context only", async () => {
    const wrap = await open(source[kind]);
    const wrapped = await wrap.wrap(RING_KEY, "ring 1");
    expect(Buffer.from(wrapped).includes(RING_KEY)).toBe(false);
    const other = await open(source[kind]);
    expect(Buffer.from(await other.unwrap(wrapped, "ring 1"))).toEqual(RING_KEY);
    await expect(other.unwrap(wrapped, "ring 2")).rejects.toThrow();
    const renamed = await open({ ...source[kind], id: "two" });
    await expect(renamed.unwrap(wrapped, "ring 1")).rejects.toThrow();
  });
});

test("a file and a variable may have the same key in different forms", async () => {
  const file = join(folder, "base64");
  await writeFile(file, `${KEY.toString("base64")}\n`, { mode: 0o600 });
  const wrapped = await (await open(source.file)).wrap(RING_KEY, "r");
  for (const given of [source.variable, { id: "one", file }])
    expect(Buffer.from(await (await open(given)).unwrap(wrapped, "r"))).toEqual(RING_KEY);
});

test.each([
  ["a missing file", { file: "/no/such/key" }, "does not exist"],
  ["an empty variable", { variable: "NO_KEY" }, "the environment variable NO_KEY is not set"],
  ["a key that is too short", { variable: "SHORT" }, "does not contain 32 bytes as Base64"],
  ["a text that is not Base64", { variable: "WRONG" }, "does not contain 32 bytes as Base64"],
])("%s is refused when the gateway starts", async (_, given, message) => {
  const variables = { NO_KEY: "", SHORT: KEY.subarray(1).toString("base64"), WRONG: "!".repeat(44) };
  await expect(open({ id: "one", ...given }, variables)).rejects.toMatchObject({
    code: "STORE_UNUSABLE",
    message: expect.stringContaining(message),
  });
});

test.skipIf(process.platform === "win32")("a file that other users can read is refused", async () => {
  const file = join(folder, "open");
  await writeFile(file, KEY);
  await chmod(file, 0o644);
  await expect(open({ id: "one", file })).rejects.toThrow(`Run: chmod 600 ${file}`);
  await chmod(file, 0o440); // as Kubernetes mounts a secret for a group
  await expect(open({ id: "one", file })).resolves.toMatchObject({ id: "one" });
});

test.each([
  ["fails", ["-e", "process.exit(3)"], "failed with code 3"],
  ["prints no JSON", ["-e", "console.log('secret')"], "did not print JSON"],
  ["prints no data", ["-e", "console.log('{}')"], 'did not print "data"'],
  ["prints endlessly", ["-e", "for (;;) process.stdout.write('x'.repeat(1e5))"], "printed more than 64 KB"],
])("a command that %s is reported without its output", async (_, args, message) => {
  const wrap = await open({ id: "one", command: [process.execPath, ...args] });
  const error = await wrap.wrap(RING_KEY, "r").catch((thrown: unknown) => thrown as Error);
  expect(error).toMatchObject({ code: "STORE_UNUSABLE", message: expect.stringContaining(message) });
  expect(String(error)).not.toContain("secret");
});

test("a command that does not exist is reported", async () => {
  const wrap = await open({ id: "one", command: ["/no/such/program"] });
  await expect(wrap.wrap(RING_KEY, "r")).rejects.toThrow(
    'the command "/no/such/program" could not be started',
  );
});

test("an id with unsupported characters is refused, because messages and rows contain it", async () => {
  for (const id of ["", "a b", "x".repeat(65), "a\n"])
    await expect(open({ ...source.variable, id })).rejects.toMatchObject({ code: "USAGE_INVALID" });
});
