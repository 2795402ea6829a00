/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTeam, type Team, type TeamBrowser } from "../support/team.ts";
import { stdioServer } from "../support/test-servers.ts";

const HOSTILE = `<img src=x onerror=alert(1)>"'&`;
const RULES = {
  rules: [
    { who: ["*"], tools: ["write"], then: "ask", by: "dashboard" },
    { who: ["*"], then: "allow" },
  ],
};

let team: Team;
let root: TeamBrowser;
let ada: TeamBrowser;
let auditor: TeamBrowser;
let adaToken: string;

beforeAll(async () => {
  team = await startTeam({
    servers: {
      tools: { ...stdioServer("tools-server.mjs") },
      notes: { ...stdioServer("notes-server.mjs") },
    },
    access: { administrators: ["root"], auditors: ["observer"] },
    limits: { pagesPerMinute: 10_000 },
  });
  const browserOf = async (person: string): Promise<TeamBrowser> => {
    const browser = team.browser();
    await browser.signIn(await team.token(person));
    return browser;
  };
  [root, ada, auditor] = [await browserOf("root"), await browserOf("ada"), await browserOf("observer")];
  adaToken = await team.token("ada");
  await save(RULES);
});
afterAll(() => team[Symbol.asyncDispose]());

const hidden = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";
async function save(document: object): Promise<string> {
  const revision = hidden((await root.get("/policy")).text, "revision");
  const form = { text: JSON.stringify(document), revision };
  const checked = await root.post("/policy", { ...form, action: "check" });
  expect(checked.text).toContain("What would change");
  return (await root.post("/policy", { ...form, action: "save" })).text;
}
const echo = (token: string, text = "hi") =>
  team.send(token, "tools/call", { name: "tools_echo", arguments: { text } });
const idOf = async (name: string): Promise<string> =>
  (await team.store.people.list({ search: name }))[0]?.id ?? "";

describe("pages", () => {
  const READING = ["/people", "/policy", "/nodes"];
  const OWN = ["/connections", "/tokens", "/approvals", "/activity"];

  test("are shown to people who are signed in, by their role", async () => {
    const statuses = async (browser: TeamBrowser): Promise<number[]> =>
      Promise.all([...OWN, ...READING].map(async (path) => (await browser.get(path)).status));
    expect(await statuses(team.browser())).toEqual([303, 303, 303, 303, 303, 303, 303]);
    expect(await statuses(ada)).toEqual([200, 200, 200, 200, 403, 403, 403]);
    expect(await statuses(auditor)).toEqual([200, 200, 200, 200, 200, 200, 200]);
    expect(await statuses(root)).toEqual([200, 200, 200, 200, 200, 200, 200]);
    const links = (text: string): string[] =>
      [...text.matchAll(/<li><a href="(\/\w+)"/g)].map(([, to = ""]) => to);
    expect(links((await ada.get("/tokens")).text)).toEqual([
      "/connections",
      "/tokens",
      "/approvals",
      "/activity",
    ]);
    expect((await team.browser().get("/")).next).toBe("/connections");
  });

  test("can be changed only by an administrator, from this gateway's own forms", async () => {
    const id = await idOf("ada");
    const changes = [
      ["/people", { name: "eve" }],
      [`/people/${id}`, { action: "role", role: "administrator" }],
      [`/people/${id}`, { action: "create", name: "x", days: "1" }],
      ["/policy", { action: "save", text: "{}", revision: "" }],
    ] as const;
    for (const [path, form] of changes) {
      expect((await ada.post(path, form)).status, path).toBe(403);
      expect((await auditor.post(path, form)).status, path).toBe(403);
      expect((await root.post(path, form, { origin: "https://evil.example" })).status, path).toBe(403);
      expect((await root.post(path, form, {})).status, path).toBe(403);
    }
    expect(await team.store.people.get(id)).toMatchObject({ role: "person" });
    expect(await idOf("eve")).toBe("");
  });

  test("escape other people's texts, and allow no scripts", async () => {
    await root.post("/people", { name: HOSTILE });
    for (const path of [
      "/people",
      `/activity?item=${encodeURIComponent(HOSTILE)}`,
      `/people?search=${encodeURIComponent(HOSTILE)}`,
    ]) {
      const { text, headers } = await root.get(path);
      expect(text).toContain("&lt;img src=x onerror=alert(1)&gt;");
      expect(text).not.toContain("<img");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    }
  });
});

describe("people and tokens", () => {
  test("a person can create and revoke their own tokens, but not another person's", async () => {
    const created = await ada.post("/tokens", {
      action: "create",
      name: "editor",
      days: "30",
      server: "tools",
    });
    const [text = ""] = /pb_\w+/.exec(created.text) ?? [];
    expect((await echo(text)).status).toBe(200);
    expect((await team.send(text, "tools/list", {}, "/mcp/s/notes")).status).toBe(404);
    expect((await ada.get("/tokens")).text).not.toContain(text);
    const [token] = await team.store.tokens.list(await idOf("ada"));
    await auditor.post("/tokens", { action: "revoke", token: token?.id ?? "" });
    expect((await echo(text)).status).toBe(200);
    await ada.post("/tokens", { action: "revoke", token: token?.id ?? "" });
    await expect.poll(async () => (await echo(text)).status, { timeout: 2_000 }).toBe(401);
    const wrong = await ada.post("/tokens", { action: "create", name: "editor", days: "9999" });
    expect(wrong.text).toContain("at most 365 days");
  });

  test("an administrator adds, disables, changes and deletes a person", async () => {
    const added = await root.post("/people", { name: "lin" });
    const path = added.next ?? "";
    const lin = await team.token("lin");
    expect((await echo(lin)).status).toBe(200);
    await root.post(path, { action: "role", role: "auditor" });
    expect((await root.get(path)).text).toContain("<li>Role: auditor</li>");
    await root.post(path, { action: "disable" });
    await expect.poll(async () => (await echo(lin)).status, { timeout: 2_000 }).toBe(401);
    await root.post(path, { action: "enable" });
    await expect.poll(async () => (await echo(lin)).status, { timeout: 2_000 }).toBe(200);
    expect((await root.post(path, { action: "delete", confirm: "other" })).text).toContain(
      "nothing was deleted",
    );
    await root.post(path, { action: "delete", confirm: "lin" });
    expect((await root.get(path)).status).toBe(404);
    await expect.poll(async () => (await echo(lin)).status, { timeout: 2_000 }).toBe(401);
    const kinds = (await team.audit()).filter(({ kind }) => kind === "admin").map(({ method }) => method);
    expect(kinds).toEqual(
      expect.arrayContaining(["person/add", "role/auditor", "person/disable", "person/delete"]),
    );
  });
});

describe("the policy", () => {
  test("shows what would change for each person before it is saved", async () => {
    await team.send(adaToken, "tools/list");
    const text = JSON.stringify({
      rules: [{ name: "no echo", who: ["person:ada"], tools: ["echo"], then: "deny" }, ...RULES.rules],
    });
    const { text: shown } = await root.post("/policy", { action: "check", text, revision: "1" });
    const rows = [
      ...shown.matchAll(
        /<tr><td class="name">(.*?)<\/td><td>(.*?)<\/td><td class="name">(.*?)<\/td>\s*<td>(.*?)<\/td><td><b>(.*?)<\/b><\/td><td class="name">(.*?)<\/td>/g,
      ),
    ];
    expect(rows.map(([, ...cells]) => cells)).toEqual([["ada", "tools", "echo", "allow", "deny", "no echo"]]);
    expect((await echo(adaToken)).body).toHaveProperty("result");
  });

  test("is refused with the position of a mistake, and if another administrator saved first", async () => {
    const wrong = await root.post("/policy", {
      action: "check",
      text: '{"rules":[{"then":"maybe"}]}',
      revision: "1",
    });
    expect(wrong.text).toContain("rules.0.then must be");
    expect(wrong.text).toContain("{&quot;rules&quot;:[{&quot;then&quot;:&quot;maybe&quot;}]}");
    const late = await root.post("/policy", { action: "save", text: '{"rules":[]}', revision: "" });
    expect(late.text).toContain("Another administrator has changed the policy");
    expect((await team.store.policies.current())?.document).toEqual(RULES);
  });

  test("applies as soon as it is saved", async () => {
    expect(await save({ rules: [] })).toContain("Saved");
    await expect.poll(async () => (await echo(adaToken)).body, { timeout: 2_000 }).toHaveProperty("error");
    await save(RULES);
    await expect.poll(async () => (await echo(adaToken)).body, { timeout: 2_000 }).toHaveProperty("result");
  });
});

describe("approvals", () => {
  const write = (text: string) =>
    team.send(adaToken, "tools/call", { name: "notes_write", arguments: { text } });
  const waiting = async (browser: TeamBrowser): Promise<string> =>
    hidden((await browser.get("/approvals")).text, "id");

  test("a call waits until its person or an administrator allows it, and then runs once", async () => {
    expect(JSON.stringify((await write("one")).body)).toContain(`${team.url.replace("/mcp", "")}/approvals`);
    const id = await waiting(ada);
    expect((await ada.get("/approvals")).text).toContain("&quot;text&quot;: &quot;one&quot;");
    await auditor.post("/approvals", { id, decision: "allowed" });
    expect(JSON.stringify((await write("one")).body)).toContain("/approvals");
    await ada.post("/approvals", { id, decision: "allowed" });
    expect(JSON.stringify((await write("two")).body)).toContain("/approvals");
    expect(JSON.stringify((await write("one")).body)).not.toContain("/approvals");
    expect(JSON.stringify((await write("one")).body)).toContain("/approvals");
    for (let left = await waiting(root); left !== ""; left = await waiting(root))
      await root.post("/approvals", { id: left, decision: "denied" });
    expect((await write("two")).body).toMatchObject({ error: { data: { reason: "denied" } } });
  });
});
