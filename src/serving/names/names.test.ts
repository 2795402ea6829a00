import { describe, expect, test } from "vitest";
import { GatewayNames, hashedName, plainName } from "./gateway-names.ts";
import { createResourceAddresses } from "./resource-address.ts";
import { rewriteDefinition, rewriteResult } from "./rewrite-addresses.ts";

describe("names", () => {
  test.each([
    ["files", "read_file", "files_read_file"],
    ["github", "github_search", "github_search"],
    ["github", "github", "github_github"],
    ["my server", "a.b/c", "my_server_a_b_c"],
    ["a1", "Read2", "a1_Read2"],
    ["日本", "語", "____"],
  ])("%s and %s are %s", (server, name, expected) => {
    expect(plainName({ server, name })).toBe(expected);
  });

  test("2.18 items that would share a name all get a hash, in any order", () => {
    const items = [
      { server: "a", name: "b_c" },
      { server: "a_b", name: "c" },
    ];
    for (const order of [items, items.toReversed()]) {
      const names = new GatewayNames();
      for (const item of order) names.add(item);
      expect(items.map((item) => names.nameOf(item))).toEqual(items.map((item) => hashedName(item)));
    }
  });

  test("2.18 a name that was served once never refers to another server's item", () => {
    const names = new GatewayNames();
    const first = { server: "a", name: "b_c" };
    const second = { server: "a_b", name: "c" };
    names.add(first);
    expect(names.nameOf(first)).toBe("a_b_c");
    names.add(second);
    expect([first, second].map((item) => names.nameOf(item))).toEqual(
      [first, second].map((item) => hashedName(item)),
    );
    expect(names.find("a_b_c")).toEqual(first);
  });

  test("2.18 names that start with plugboard_ are reserved", () => {
    const names = new GatewayNames();
    const item = { server: "plugboard", name: "connect" };
    names.add(item);
    expect(names.nameOf(item)).toBe(hashedName(item));
  });

  test("a server cannot take another server's name with a hash by choosing the same text", () => {
    const victim = { server: "a_b", name: "c" };
    const twin = { server: "a", name: "b_c" };
    const squatter = { server: "a", name: hashedName(victim).slice("a_".length) };
    for (const order of [
      [squatter, twin, victim],
      [victim, twin, squatter],
    ]) {
      const names = new GatewayNames();
      for (const item of order) names.add(item);
      for (const item of order) expect(names.find(names.nameOf(item) ?? "")).toEqual(item);
      expect(names.nameOf(victim)).toBe(hashedName(victim));
      expect(names.nameOf(squatter)).toBe(hashedName(squatter));
    }
  });

  test("items with the same short hash have different names", () => {
    const [one, other] = [47_551, 54_177].map((number) => ({
      server: "s",
      name: `${"x".repeat(60)}${number}`,
    }));
    if (one === undefined || other === undefined) throw new Error("no items");
    expect(hashedName(one)).toBe(hashedName(other));
    const names = new GatewayNames();
    expect(names.add(one)).toBe(hashedName(one));
    expect(names.add(other)).toBe(hashedName(other, 16));
    expect([one, other].map((item) => names.find(names.nameOf(item) ?? ""))).toEqual([one, other]);
  });

  test("a name has at most 48 characters", () => {
    const item = { server: "a-server-with-a-long-name", name: "x".repeat(100) };
    const names = new GatewayNames();
    names.add(item);
    expect(names.nameOf(item)).toMatch(/^a-server-with-a-long-name_x+_[0-9a-f]{8}$/);
    expect(names.nameOf(item)).toHaveLength(48);
  });
});

describe("addresses", () => {
  const addresses = createResourceAddresses(["files", "svn", "My Server", "1st"]);

  test.each([
    ["files", "file:///a", "files+file:///a"],
    ["files", "memo:x", "files+memo:x"],
    ["files", "svn+ssh://host", "files+svn+ssh://host"],
    ["files", "ui://app/index.html", "ui://files+app/index.html"],
    ["My Server", "a://b", "my-server+a://b"],
    ["1st", "a://{b}", "s-1st+a://{b}"],
  ])("%s and %s are %s, and back", (server, uri, address) => {
    expect(addresses.toClient(server, uri)).toBe(address);
    expect(addresses.toServer(address)).toEqual({ server, uri });
  });

  test("2.17 a known prefix always wins, and an unknown one is not a prefix", () => {
    expect(addresses.toServer("svn+ssh://host")).toEqual({ server: "svn", uri: "ssh://host" });
    expect(addresses.toServer("git+ssh://host")).toBeUndefined();
    expect(addresses.toServer("file:///a")).toBeUndefined();
  });

  test("servers with equal slugs have different addresses", () => {
    const twins = createResourceAddresses(["a b", "a-b"]);
    const [one, other] = [twins.toClient("a b", "x:1"), twins.toClient("a-b", "x:1")];
    expect(one).not.toBe(other);
    expect([twins.toServer(one)?.server, twins.toServer(other)?.server]).toEqual(["a b", "a-b"]);
  });

  test("a thousand addresses of 16,000 + are looked up in linear time", () => {
    for (let count = 0; count < 1_000; count += 1)
      expect(addresses.toServer("+".repeat(16_000 - count))).toBeUndefined();
  });

  test("addresses in results are rewritten, texts are not", () => {
    const toAddress = (uri: string): string => `s+${uri}`;
    const text = { type: "text", text: "see a://b" };
    expect(
      rewriteResult(
        {
          contents: [{ uri: "a://b", text: "a://b" }],
          content: [
            text,
            { type: "resource_link", uri: "a://b" },
            { type: "resource", resource: { uri: "a://b" } },
          ],
          messages: [{ role: "user", content: { type: "resource_link", uri: "a://b" } }],
          structuredContent: { uri: "a://b" },
          _meta: { ui: { resourceUri: "ui://x" }, "ui/resourceUri": "ui://x" },
        },
        toAddress,
      ),
    ).toEqual({
      contents: [{ uri: "s+a://b", text: "a://b" }],
      content: [
        text,
        { type: "resource_link", uri: "s+a://b" },
        { type: "resource", resource: { uri: "s+a://b" } },
      ],
      messages: [{ role: "user", content: { type: "resource_link", uri: "s+a://b" } }],
      structuredContent: { uri: "a://b" },
      _meta: { ui: { resourceUri: "s+ui://x" }, "ui/resourceUri": "s+ui://x" },
    });
    const plain = { name: "x" };
    expect(rewriteDefinition(plain, toAddress)).toBe(plain);
  });
});
