import { spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { expect, test } from "vitest";
import { gatewayIn } from "../support/gateway-clients.ts";
import { createJumpingClock } from "../support/jumping-clock.ts";
import { PageClient } from "../support/page-client.ts";
import { createSandbox } from "../support/sandbox.ts";

const INVALID = { status: 401, json: { error: { code: "PAGE_TICKET_INVALID" } } };
const SIGNED_OUT = { status: 401, json: { error: { code: "PAGE_SIGNED_OUT" } } };

/** A gateway whose clock can be moved. `open` returns a page that is not signed in. */
async function withClock() {
  const sandbox = await createSandbox();
  const { clock, jump } = createJumpingClock();
  const gateway = await gatewayIn(sandbox, { ports: { clock } });
  const dashboard = await gateway.openDashboard();
  return {
    sandbox,
    jump,
    open: () => new PageClient(dashboard.createAddress()),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

test("a ticket starts one session of an administrator", async () => {
  await using world = await withClock();
  const page = world.open();
  expect(await page.get("session")).toMatchObject(SIGNED_OUT);
  const signedIn = await page.signIn();
  expect(signedIn.json).toMatchObject({
    role: "administrator",
    isLocal: true,
    folder: world.sandbox.project,
    rights: expect.arrayContaining(["approvals.decide"]),
  });
  expect(await page.get("session")).toMatchObject({ status: 200, json: signedIn.json });
  expect(await world.open().signIn(page.ticket)).toMatchObject(INVALID);
});

test("if many requests use a ticket at the same time, only one is signed in", async () => {
  await using world = await withClock();
  const { ticket } = world.open();
  const answers = await Promise.all(Array.from({ length: 8 }, () => world.open().signIn(ticket)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
});

test("a ticket is valid for a minute, and a session for twelve hours", async () => {
  await using world = await withClock();
  const [late, page] = [world.open(), world.open()];
  await page.signIn();
  world.jump(60_000);
  expect(await late.signIn()).toMatchObject(INVALID);
  world.jump(12 * 3_600_000 - 61_000);
  expect((await page.get("session")).status).toBe(200);
  world.jump(1_000);
  expect(await page.get("session")).toMatchObject(SIGNED_OUT);
});

test("tickets cannot be guessed: after ten wrong ones, others wait a minute, but a valid one is accepted", async () => {
  await using world = await withClock();
  const page = world.open();
  const guesses = [
    "",
    "x",
    "null",
    "A".repeat(43),
    page.ticket.slice(1),
    `${page.ticket}A`,
    page.ticket.toLowerCase(),
  ];
  for (const guess of [...guesses, "1", "2", "3"]) expect(await page.signIn(guess)).toMatchObject(INVALID);
  expect(await page.signIn("4")).toMatchObject({ status: 429, json: { error: { code: "PAGE_BUSY" } } });
  expect((await page.signIn()).status).toBe(200);
  world.jump(60_000);
  expect(await page.signIn("5")).toMatchObject(INVALID);
});

test("a gateway accepts neither tickets nor cookies of another gateway", async () => {
  await using one = await withClock();
  await using two = await withClock();
  const [mine, theirs] = [one.open(), two.open()];
  expect(await theirs.signIn(mine.ticket)).toMatchObject(INVALID);
  await mine.signIn();
  theirs.cookie = mine.cookie;
  expect(await theirs.get("session")).toMatchObject(SIGNED_OUT);
  expect(mine.base).not.toBe(theirs.base);
});

test.skipIf(process.geteuid?.() !== 0)(
  "another user of the machine cannot use a ticket, and it stays valid (skipped unless run as root)",
  async () => {
    await using world = await withClock();
    const page = world.open();
    const body = JSON.stringify({ ticket: page.ticket });
    const url = `${page.origin}${page.base}api/v1/session`;
    const headers = { origin: page.origin, "x-plugboard": "1", "content-type": "application/json" };
    const code = `fetch(${JSON.stringify(url)}, ${JSON.stringify({ method: "POST", headers, body })})
      .then(async (answer) => console.log(answer.status, await answer.text()))`;
    const other = spawn(process.execPath, ["-e", code], { cwd: "/", uid: 65_534, gid: 65_534 });
    let output = "";
    other.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    await once(other, "close");
    expect(output).toMatch(/^403 .*another user/);
    expect((await page.signIn()).status).toBe(200);
  },
);

test("signing in always creates a new session, and ends the one whose cookie was sent", async () => {
  await using world = await withClock();
  const [victim, planted] = [world.open(), `pb=${"A".repeat(43)}`];
  victim.cookie = planted;
  await victim.signIn();
  expect(victim.cookie).not.toBe(planted);
  const { cookie: earlier } = victim;
  await victim.signIn(world.open().ticket);
  expect(victim.cookie).not.toBe(earlier);
  expect(await victim.get("session", { cookie: earlier })).toMatchObject(SIGNED_OUT);
  expect(await victim.get("session", { cookie: planted })).toMatchObject(SIGNED_OUT);
});

test("the cookie is for this page only, and cookies that other ports add are ignored", async () => {
  await using world = await withClock();
  const page = world.open();
  const signedIn = await page.signIn();
  const [cookie] = signedIn.headers["set-cookie"] ?? [];
  const parts = String(cookie).split("; ");
  expect(parts.slice(1).sort()).toEqual(["HttpOnly", `Path=${page.base}`, "SameSite=Strict"].sort());
  expect(page.base).toMatch(/^\/dashboard\/[\w-]{43}\/$/);
  const planted = `pb=${"B".repeat(43)}`;
  for (const added of [
    `${planted}; ${page.cookie}`,
    `${page.cookie}; ${planted}; other=1`,
    `pb=x; ${page.cookie}`,
  ])
    expect((await page.get("session", { cookie: added })).status).toBe(200);
  expect((await page.get("session", { cookie: planted })).status).toBe(401);
});

test("signing out ends the session and its stream, and removes the cookie", async () => {
  await using world = await withClock();
  const [page, other] = [world.open(), world.open()];
  await page.signIn();
  await other.signIn();
  const ended = new Promise<void>((resolve, reject) => {
    const url = new URL(`${page.base}api/v1/events`, page.origin);
    get(url, { headers: { cookie: page.cookie } }, (response) => {
      response.once("end", resolve).resume();
    }).on("error", reject);
  });
  const { json, headers } = await page.post("session/end");
  expect(json).toEqual({ ok: true });
  expect(headers["set-cookie"]).toEqual([expect.stringMatching(/^pb=; .*Max-Age=0$/)]);
  await ended;
  expect(await page.get("servers")).toMatchObject(SIGNED_OUT);
  expect((await other.get("session")).status).toBe(200);
});

test("if there are too many sessions and tickets, the oldest ones end", async () => {
  await using world = await withClock();
  const first = world.open();
  await first.signIn();
  const tickets = Array.from({ length: 17 }, () => world.open());
  expect(await tickets[0]?.signIn()).toMatchObject(INVALID);
  expect((await tickets[1]?.signIn())?.status).toBe(200);
  for (let count = 0; count < 63; count += 1) await world.open().signIn();
  expect(await first.get("session")).toMatchObject(SIGNED_OUT);
});
