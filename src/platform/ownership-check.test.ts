import { expect, test } from "vitest";
import { createMemoryFiles } from "../testing/index.ts";
import { isOnlyMember } from "./node/groups.ts";
import { createOwnershipCheck } from "./ownership-check.ts";
import type { FileOwner } from "./ports.ts";

const FOLDER = 0o040000;
const FILE = 0o100000;
const LINK = 0o120000;
const folder = (uid = 0, mode = 0o755, gid = uid): FileOwner => ({ uid, gid, mode: FOLDER | mode });
const file = (uid: number, mode = 0o644, gid = uid): FileOwner => ({ uid, gid, mode: FILE | mode });
const link = (uid: number, to: string): FileOwner => ({ uid, gid: uid, mode: LINK | 0o777, link: to });

const ME = 1000;
const HOME = {
  "/": folder(),
  "/home": folder(),
  "/home/me": folder(ME),
  "/home/me/.cursor": folder(ME),
};
const CONFIG = "/home/me/.cursor/mcp.json";

interface Machine {
  readonly platform?: string;
  readonly uid?: number;
  readonly home?: string;
  readonly accountHome?: string;
  readonly aloneIn?: number;
}

function whyForeign(path: string, owners: Readonly<Record<string, FileOwner>>, machine: Machine = {}) {
  const { platform = "linux", uid = ME, home = "/home/me", accountHome = "/home/me", aloneIn } = machine;
  const files = { ...createMemoryFiles(), owner: async (at: string) => owners[at] };
  const user = { uid, isAloneIn: (gid: number) => gid === aloneIn };
  const environment = {
    platform,
    home,
    cwd: "/",
    variables: {},
    user,
    accountHome: () => accountHome,
  };
  return createOwnershipCheck(files, environment)(path);
}

test.each([
  ["a file of another user", { [CONFIG]: file(1001) }, `${CONFIG} belongs to user 1001`],
  ["a folder of another user", { [CONFIG]: file(ME), "/home/me/.cursor": folder(1001) }, /cursor belongs to/],
  ["a file that every user can write", { [CONFIG]: file(ME, 0o666) }, `every user can write to ${CONFIG}`],
  ["a file that a group can write", { [CONFIG]: file(ME, 0o664, 100) }, `group 100 can write to ${CONFIG}`],
  ["a folder that a group can write to", { "/home/me/.cursor": folder(ME, 0o775, 100) }, /^group 100 can/],
  ["a home folder of another user", { "/home/me": folder(1001), [CONFIG]: file(ME) }, undefined],
  ["a link of another user", { [CONFIG]: link(1001, "/etc/x"), "/etc/x": file(0) }, /belongs to user 1001/],
  [
    "a link to another user's file",
    { [CONFIG]: link(ME, "/srv/x"), "/srv/x": file(1001) },
    /^\/srv\/x belongs/,
  ],
  ["a link to itself", { [CONFIG]: link(ME, "mcp.json") }, /too many links/],
  ["the user's own file", { [CONFIG]: file(ME) }, undefined],
  ["root's file", { [CONFIG]: file(0) }, undefined],
  ["a file in the user's own group", { [CONFIG]: file(ME, 0o664) }, undefined],
  ["a file in root's group", { [CONFIG]: file(ME, 0o664, 0) }, undefined],
  [
    "a file in a folder that others cannot enter",
    { "/home/me": folder(ME, 0o700), [CONFIG]: file(ME, 0o666) },
    undefined,
  ],
  [
    "a file in a home folder whose parent others cannot enter",
    { "/home": folder(0, 0o700), [CONFIG]: file(ME, 0o666) },
    undefined,
  ],
  ["a file that does not exist", {}, undefined],
])("the owner check reports or accepts %s", async (_, owners, reason) => {
  const why = await whyForeign(CONFIG, { ...HOME, ...owners });
  if (reason === undefined) expect(why).toBeUndefined();
  else expect(why).toMatch(reason);
});

test("folders above the home folder are not checked", async () => {
  const owners = { ...HOME, "/home": folder(4000, 0o777), [CONFIG]: file(ME) };
  expect(await whyForeign(CONFIG, owners)).toBeUndefined();
});

test("outside the home folder, every folder is checked", async () => {
  const owners = { ...HOME, "/srv": folder(4000), "/srv/state": folder(ME), "/srv/state/a": file(ME) };
  expect(await whyForeign("/srv/state/a", owners)).toBe("/srv belongs to user 4000");
});

test("the user's own files are safe in a folder like /tmp", async () => {
  const owners = { "/": folder(), "/tmp": folder(0, 0o1777), "/tmp/a": file(ME) };
  expect(await whyForeign("/tmp/a", owners)).toBeUndefined();
});

test("a home folder that another user created in /tmp is reported", async () => {
  const owners = { "/": folder(), "/tmp": folder(0, 0o1777), "/tmp/h": folder(1001), "/tmp/h/a": file(1001) };
  const machine = { home: "/tmp/h", accountHome: "/home/me" };
  expect(await whyForeign("/tmp/h/a", owners, machine)).toBe("/tmp/h/a belongs to user 1001");
  expect(await whyForeign("/tmp/h/a", owners, { ...machine, uid: 0 })).toBe("/tmp/h/a belongs to user 1001");
});

test("root trusts the owner of a home folder that root created", async () => {
  const owners = { ...HOME, [CONFIG]: file(ME) };
  expect(await whyForeign(CONFIG, owners, { uid: 0, accountHome: "/root" })).toBeUndefined();
});

test("the owner of another user's home folder is not trusted", async () => {
  const owners = { ...HOME, [CONFIG]: file(ME) };
  const why = await whyForeign(CONFIG, owners, { uid: 1001, accountHome: "/home/other" });
  expect(why).toBe(`${CONFIG} belongs to user ${ME}`);
});

test("in a user namespace, parent folders may belong to the owner of /", async () => {
  const owners = {
    "/": folder(65_534),
    "/data": folder(65_534),
    "/data/p": folder(ME),
    "/data/p/a": file(ME),
  };
  expect(await whyForeign("/data/p/a", owners)).toBeUndefined();
  expect(await whyForeign("/data/p/a", { ...owners, "/data/p/a": file(65_534) })).toMatch(/user 65534/);
});

test.each(["win32", "android"])("nothing is reported on %s", async (platform) => {
  expect(await whyForeign(CONFIG, { ...HOME, [CONFIG]: file(1001, 0o666) }, { platform })).toBeUndefined();
});

test("the admin group of macOS counts as root", async () => {
  const owners = { "/": folder(), "/Library": folder(0, 0o775, 80), "/Library/a": file(0, 0o664, 80) };
  expect(await whyForeign("/Library/a", owners, { platform: "darwin" })).toBeUndefined();
  expect(await whyForeign("/Library/a", owners)).toBe("group 80 can write to /Library");
});

test("a group without other members counts as the user's own", async () => {
  const owners = { ...HOME, [CONFIG]: file(ME, 0o664, 100) };
  expect(await whyForeign(CONFIG, owners, { aloneIn: 100 })).toBeUndefined();
});

const PASSWD = "root:x:0:0::/root:/bin/sh\nme:x:1000:100::/home/me:/bin/sh\n";
test.each([
  ["its only user", "me", PASSWD, "users:x:100:\n", true],
  ["a listed user", "me", PASSWD, "users:x:100:me\n", true],
  ["another listed user", "me", PASSWD, "users:x:100:me,you\n", false],
  ["another user's primary group", "me", `${PASSWD}you:x:1001:100:::\n`, "users:x:100:\n", false],
  ["an account that is not in the file", "you", PASSWD, "users:x:100:you\n", false],
  ["a group that is not in the file", "me", PASSWD, "other:x:5:\n", false],
])("the members of a group are counted: %s", (_, name, passwd, group, isAlone) => {
  expect(isOnlyMember(name, 100, passwd, group)).toBe(isAlone);
});
