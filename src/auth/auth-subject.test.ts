import { expect, test } from "vitest";
import { MCP, subjectOf } from "../../test/support/oauth-fakes.ts";
import { type AuthSubject, serverKey, withoutOwner } from "./auth-subject.ts";

const ADDRESS = `${MCP}/mcp`;
const project = (file = "/repo/mcp.json"): Pick<AuthSubject, "entry"> => ({
  entry: { file, project: { launch: "hash", approvedAt: 1, origins: [] } },
});
const settings = (more: Partial<AuthSubject["settings"]>): Pick<AuthSubject, "settings"> => ({
  settings: { grant: "authorization_code", ...more },
});
const OWN = settings({ clientId: "client" });

test.each<[string, Partial<AuthSubject>]>([
  ["the user's entry", {}],
  ["the user's entry with its own client", OWN],
  ["a repository's entry", project()],
  [
    "a repository's entry with settings that choose no client or server",
    { ...project(), ...settings({ scope: "a", callbackPort: 1, dpop: true }) },
  ],
])("the sign-ins of %s are found by the server's address", (_, more) => {
  expect(serverKey(subjectOf(more))).toBe(ADDRESS);
  expect(serverKey(subjectOf({ ...more, url: new URL(`${ADDRESS}?a=1#b`) }))).toBe(ADDRESS);
});

test.each<[string, Partial<AuthSubject>]>([
  ["its own client", OWN],
  ["its own authorization server", settings({ authServerMetadataUrl: "https://as.example.com" })],
  ["another grant", settings({ grant: "client_credentials" })],
])("a repository's entry with %s has its own sign-ins", (_, more) => {
  const key = serverKey(subjectOf({ ...project(), ...more }));
  expect(key).toMatch(/^https:\/\/mcp\.example\.com\/mcp#entry-[0-9a-f]{32}$/);
  expect(withoutOwner(key)).toBe(ADDRESS);
});

test("each entry of each file has its own sign-ins", () => {
  const keys = [
    subjectOf({ ...project(), ...OWN }),
    subjectOf({ ...project(), ...OWN, name: "other" }),
    subjectOf({ ...project("/other.json"), ...OWN }),
    subjectOf({ ...project("/repo/mcp.jsonn"), ...OWN, name: "otes" }),
    subjectOf({ ...project("/repo/mcp.json"), ...OWN, url: new URL(`${MCP}/other`) }),
  ].map(serverKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(serverKey(subjectOf({ ...project(), ...OWN }))).toBe(keys[0]);
});

test("an address without an owner stays the same", () => {
  expect([ADDRESS, `${ADDRESS}#a\nb#c`, ""].map(withoutOwner)).toEqual([ADDRESS, ADDRESS, ""]);
});
