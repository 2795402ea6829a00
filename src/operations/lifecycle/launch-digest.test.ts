import { expect, test } from "vitest";
import { Secret, type Server } from "../../model/index.ts";
import type { Environment } from "../../platform/index.ts";
import type { ResolvedLaunch } from "../../values/index.ts";
import { launchDigest } from "./launch-digest.ts";

interface Case {
  name: string;
  tier: string;
  file: string;
  protocol: string;
  command: string;
  args: string[];
  cwd: string | undefined;
  env: Record<string, string>;
  inherited: Record<string, string>;
  inheritEnv: boolean | string[];
  sandbox: { network: string; read: string[] } | undefined;
}

const BASE: Case = {
  name: "s",
  tier: "user",
  file: "/home/me/.plugboard/mcp.json",
  protocol: "auto",
  command: "node",
  args: ["server.js", "--port", "1"],
  cwd: undefined,
  env: { TOKEN: "abc", MODE: "a" },
  inherited: { HOME: "/home/me", PATH: "/usr/bin", TERM: "xterm" },
  inheritEnv: false,
  sandbox: undefined,
};

function digestOf(one: Case): string {
  const { name, tier, file, protocol, command, args, cwd, env, inheritEnv, sandbox, inherited } = one;
  const server = { name, protocol, provenance: { tier, file } } as unknown as Server;
  const launch = {
    transport: "stdio",
    command,
    args,
    cwd,
    env: new Map(Object.entries(env).map(([key, value]) => [key, new Secret(value)])),
    inheritEnv,
    ...(sandbox && { sandbox }),
  } as unknown as ResolvedLaunch;
  const environment: Environment = {
    platform: "linux",
    home: "/home/me",
    cwd: "/work",
    variables: inherited,
  };
  return launchDigest(server, launch, environment);
}

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

const random = numbers(20_261_118);
const below = (limit: number): number => (random.next().value as number) % limit;
const word = (): string => below(2 ** 31).toString(36);

/** Changes exactly one thing that decides what runs. */
const CHANGES: readonly ((one: Case) => Case)[] = [
  (one) => ({ ...one, name: `${one.name}-${word()}` }),
  (one) => ({ ...one, tier: one.tier === "user" ? "project" : "user" }),
  (one) => ({ ...one, file: `/repo/${word()}/.mcp.json` }),
  (one) => ({ ...one, protocol: one.protocol === "auto" ? "legacy" : "auto" }),
  (one) => ({ ...one, command: `/opt/${word()}` }),
  (one) => ({ ...one, args: [...one.args, word()] }),
  (one) => ({ ...one, args: one.args.with(below(one.args.length), word()) }),
  (one) => ({ ...one, args: [`${one.args[0] ?? ""} ${one.args[1] ?? ""}`, ...one.args.slice(2)] }),
  (one) => ({ ...one, cwd: `/work/${word()}` }),
  (one) => ({ ...one, env: { ...one.env, [word().toUpperCase()]: word() } }),
  (one) => ({ ...one, env: { ...one.env, TOKEN: `${one.env["TOKEN"] ?? ""}${word()}` } }),
  (one) => ({ ...one, env: { ...one.env, EMPTY: "" } }),
  (one) => ({ ...one, inherited: { ...one.inherited, PATH: `/${word()}:/usr/bin` } }),
  (one) => ({ ...one, inheritEnv: ["EXTRA"], inherited: { ...one.inherited, EXTRA: word() } }),
  (one) => ({ ...one, sandbox: { network: "none", read: [`/${word()}`] } }),
];

test("a launch that differs in one thing has another digest: 10,000 cases", () => {
  const seen = new Map<string, string>();
  for (let count = 0; count < 10_000; count += 1) {
    const start: Case = { ...BASE, args: Array.from({ length: 2 + below(4) }, word), env: { TOKEN: word() } };
    const changed = CHANGES[count % CHANGES.length]?.(start) ?? start;
    expect(JSON.stringify(changed)).not.toBe(JSON.stringify(start));
    expect(digestOf(changed)).not.toBe(digestOf(start));
    for (const one of [start, changed]) {
      const text = JSON.stringify(one);
      expect(seen.get(digestOf(one)) ?? text).toBe(text);
      seen.set(digestOf(one), text);
    }
  }
});

test("what does not reach the server does not change the digest", () => {
  const other = { ...BASE.inherited, UNRELATED: "1", GITHUB_TOKEN: "x" };
  expect(digestOf({ ...BASE, inherited: other })).toBe(digestOf(BASE));
  expect(digestOf({ ...BASE, env: { MODE: "a", TOKEN: "abc" } })).toBe(digestOf(BASE));
  expect(digestOf({ ...BASE, cwd: "/work" })).toBe(digestOf(BASE)); // the working folder
});
