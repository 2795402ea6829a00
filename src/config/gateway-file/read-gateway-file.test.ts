import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../model/index.ts";
import { parseDocument } from "../read-document.ts";
import { GATEWAY_KEYS } from "./gateway-keys.ts";
import { type KeySpec, pathsOf, variableOf } from "./key-spec.ts";
import { type GatewayFileReading, readGatewayFile } from "./read-gateway-file.ts";

const LEAST = { publicUrl: "https://gw.example.com", listen: ":8443", access: {} };

async function readText(
  text: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<GatewayFileReading> {
  const { document } = await parseDocument(text, "/etc/gateway.jsonc");
  if (document === undefined) throw new Error("It cannot be parsed.");
  return readGatewayFile(document, "/etc/gateway.jsonc", variables);
}

const problemsIn = async (value: JsonObject, variables = {}): Promise<string[]> =>
  (await readText(JSON.stringify(value), variables)).problems.map(({ message }) => message);

describe("a gateway file", () => {
  test("needs few keys, and short forms are completed", async () => {
    const { value, problems } = await readText(JSON.stringify({ ...LEAST, database: "postgres://db/x" }));
    expect(problems).toEqual([]);
    expect(value).toEqual({ ...LEAST, listen: { address: ":8443" }, database: { url: "postgres://db/x" } });
  });

  test("is refused as a whole, with the line and column of every error", async () => {
    const text = `{
  "publicUrl": "https://gw.example.com/",
  "listen": { "adress": ":8443" },
  "access": { "tokens": "yes", "oauth": [{ "issuer": "https://idp", "algorithms": ["HS256"] }] }, // a comment
  "limits": { "burst": 0.5 }
}`;
    const { value, problems } = await readText(text);
    expect(value).toBeUndefined();
    expect(problems.map(({ message }) => message)).toEqual([
      '/etc/gateway.jsonc:2:3 "publicUrl" must be a URL without a path and without a slash at its end',
      '/etc/gateway.jsonc:3:3 "listen.address" is missing',
      '/etc/gateway.jsonc:3:15 "listen.adress" is not a known key; did you mean "address"?',
      '/etc/gateway.jsonc:4:15 "access.tokens" must be true or false',
      '/etc/gateway.jsonc:4:84 "access.oauth.0.algorithms.0" must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA',
      '/etc/gateway.jsonc:5:15 "limits.burst" must be a whole number from 1 to 100000',
    ]);
  });

  test.each<[JsonObject, string]>([
    [{ ...LEAST, listen: "8443" }, '"listen.address" must be [host]:port, such as 0.0.0.0:8443'],
    [{ ...LEAST, listen: 8443 }, '"listen" must be a text or an object'],
    [{ ...LEAST, access: [] }, '"access" must be an object'],
    [{ ...LEAST, servers: [] }, '"servers" must be an object'],
    [{ ...LEAST, access: { oauth: "https://idp" } }, '"access.oauth" must be an object'],
    [{ ...LEAST, access: { groups: { a: "ada" } } }, '"access.groups.a" must be a list of texts'],
    [
      { ...LEAST, database: { url: "x", whenDown: "panic" } },
      '"database.whenDown" must be "serve" or "refuse"',
    ],
    [{ ...LEAST, __proto__x: 1 }, '"__proto__x" is not a known key'],
  ])("%j is refused: %s", async (value, message) => {
    expect((await problemsIn(value)).join("\n")).toContain(message);
  });
});

describe("environment variables", () => {
  /** A value of each kind, as a variable and as it is read. */
  function sample(spec: KeySpec): readonly [text: string, value: JsonValue] {
    switch (spec.type) {
      case "text":
        return spec.pattern?.includes("https?") === true
          ? ["https://x.example", "https://x.example"]
          : spec.pattern === undefined
            ? ["word", "word"]
            : [":1", ":1"];
      case "flag":
        return ["false", false];
      case "number":
        return [String(spec.most), spec.most];
      case "choice":
        return [spec.values[1] ?? "", spec.values[1] ?? ""];
      case "texts":
        return spec.pattern === undefined ? ["a, b", ["a", "b"]] : ["ES256", ["ES256"]];
      case "any":
        return ['{"a":1}', { a: 1 }];
      case "map":
        return ['{"a":["b"]}', { a: ["b"] }];
      case "list":
        return list(sample(spec.item));
      case "object": {
        const members = Object.fromEntries(
          (spec.required ?? []).map((key) => [key, sample(spec.members[key] as KeySpec)[1]]),
        );
        return [JSON.stringify(members), members];
      }
    }
  }

  /** One object can be written without the list. */
  function list([text, value]: readonly [text: string, value: JsonValue]): readonly [string, JsonValue] {
    return [text, [value]];
  }

  function specAt(path: readonly string[]): KeySpec {
    return path.reduce<KeySpec>((spec, name) => {
      const inner = spec.type === "list" ? spec.item : spec;
      return (inner as { readonly members: Record<string, KeySpec> }).members[name] as KeySpec;
    }, GATEWAY_KEYS);
  }

  const paths = pathsOf(GATEWAY_KEYS);

  test("exist for every key, and no two keys have the same", () => {
    expect(paths.length).toBeGreaterThan(60);
    expect(new Set(paths.map(variableOf)).size).toBe(paths.length);
    expect(variableOf(["access", "oauth", "jwksUrl"])).toBe("PLUGBOARD_GATEWAY_ACCESS_OAUTH_JWKS_URL");
  });

  test.each(paths.map((path) => [variableOf(path), path] as const))(
    "%s sets its key",
    async (variable, path) => {
      const [text, wanted] = sample(specAt(path));
      const { value } = await readText(JSON.stringify(LEAST), { [variable]: text });
      const { value: all } = value === undefined ? await withRequired(path, { [variable]: text }) : { value };
      const found = path.reduce<JsonValue | undefined>((inner, name) => {
        const holder = Array.isArray(inner) ? inner[0] : inner;
        return (holder as JsonObject | undefined)?.[name];
      }, all);
      expect(found).toEqual(wanted);
    },
  );

  /** A member can be set only together with the required ones beside it. */
  function withRequired(
    path: readonly string[],
    variables: Record<string, string>,
  ): Promise<GatewayFileReading> {
    let file: JsonObject = LEAST;
    for (let length = 1; length < path.length; length += 1) {
      const holder = path.slice(0, length);
      const [, value] = sample(specAt(holder));
      file = putIn(file, holder, Array.isArray(value) ? (value[0] as JsonValue) : value);
    }
    return readText(JSON.stringify(file), variables);
  }

  function putIn(file: JsonObject, [first = "", ...rest]: readonly string[], value: JsonValue): JsonObject {
    const inner = (file[first] ?? {}) as JsonObject;
    return { ...file, [first]: rest.length === 0 ? value : putIn(inner, rest, value) };
  }

  test("a wrong value is reported with the variable", async () => {
    const variables = { PLUGBOARD_GATEWAY_LIMITS_BURST: "many", PLUGBOARD_GATEWAY_ACESS: "{}" };
    expect(await problemsIn(LEAST, variables)).toEqual([
      '$PLUGBOARD_GATEWAY_ACESS "PLUGBOARD_GATEWAY_ACESS" is not a known variable; did you mean "PLUGBOARD_GATEWAY_ACCESS"?',
      '$PLUGBOARD_GATEWAY_LIMITS_BURST "limits.burst" must be a whole number from 1 to 100000',
    ]);
  });

  test("a variable for one item of a list is refused, because it would replace the others", async () => {
    const file = { ...LEAST, access: { oauth: [{ issuer: "https://a" }, { issuer: "https://b" }] } };
    expect(await problemsIn(file, { PLUGBOARD_GATEWAY_ACCESS_OAUTH_AUDIENCE: "api" })).toEqual([
      '$PLUGBOARD_GATEWAY_ACCESS_OAUTH_AUDIENCE "access.oauth.audience" cannot be set for one item of a list',
    ]);
  });
});
