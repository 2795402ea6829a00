import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue, SandboxProfile } from "../model/index.ts";
import { bwrapArguments } from "./bwrap-arguments.ts";
import { containerArguments } from "./container-arguments.ts";
import { describeProfile } from "./describe-profile.ts";
import { DEFAULT_PROFILE, parseSandbox } from "./parse-sandbox.ts";
import type { SandboxPlan } from "./sandbox-plan.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";
import { syscallFilter } from "./syscall-filter.ts";

const PLAN: SandboxPlan = {
  network: "none",
  hosts: [],
  env: [],
  data: "/state/data",
  read: ["/cache"],
  project: ["/project"],
  pinned: ["/project/.cursor"],
  protected: ["/project/.cursor/mcp.json", "/project/.git"],
  write: ["/granted"],
  records: false,
  home: "/home/me",
  homeLinks: [],
};

describe("parseSandbox", () => {
  test.each<[JsonValue, object]>([
    [false, { profile: undefined }],
    [true, { profile: DEFAULT_PROFILE }],
    [{}, { profile: DEFAULT_PROFILE }],
    [{ network: "full" }, { profile: { ...DEFAULT_PROFILE, network: "full" } }],
    [{ hosts: ["*.Example.com"] }, { profile: { ...DEFAULT_PROFILE, hosts: ["*.Example.com"] } }],
    [{ write: [] }, { profile: { ...DEFAULT_PROFILE, write: [] } }],
    [{ image: "docker.io/a/b:1" }, { profile: { ...DEFAULT_PROFILE, image: "docker.io/a/b:1" } }],
    [
      { read: ["~/notes", "~/notes"], write: ["src"], env: ["LANG"] },
      { profile: { read: ["~/notes"], write: ["src"], env: ["LANG"], network: "none", hosts: [] } },
    ],
  ])("reads %j", (value, expected) => {
    expect(parseSandbox(value)).toEqual(expected);
  });

  test.each<[JsonValue, RegExp]>([
    ["yes", /must be true, false or an object/],
    [null, /must be true, false or an object/],
    [{ reads: [] }, /unknown key "reads"/],
    [{ hosts: ["https://example.com"] }, /"hosts"/],
    [{ hosts: ["*"] }, /"hosts"/],
    [{ hosts: ["*.com"] }, /"hosts"/],
    [{ hosts: ["127.1"] }, /"hosts"/],
    [{ hosts: ["*.10.0.0.1"] }, /"hosts"/],
    [{ hosts: ["a.example:70000"] }, /"hosts"/],
    [{ hosts: ["a.example"], network: "full" }, /cannot be combined/],
    [{ network: "some" }, /"network"/],
    [{ image: "--privileged" }, /"image"/],
    [{ image: "a b" }, /"image"/],
    [{ image: true }, /"image"/],
    [{ image: "node:22", hosts: ["a.example"] }, /cannot be combined/],
    [{ read: "/x" }, /"read"/],
    [{ read: ["a/../../b"] }, /"read"/],
    [{ read: ["$HOME"] }, /"read"/],
    [{ write: ["~root/x"] }, /"write"/],
    [{ write: [1] }, /"write"/],
    [{ env: ["A=B"] }, /"env"/],
    [{ read: Array.from({ length: 101 }, (_, index) => `/x${index}`) }, /at most 100/],
  ])("refuses %j", (value, problem) => {
    expect(parseSandbox(value)).toEqual({ problem: expect.stringMatching(problem) });
  });

  test("returns a profile or a problem for every JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = parseSandbox(value as JsonValue);
        expect("profile" in parsed !== "problem" in parsed).toBe(true);
        if (value !== false && "profile" in parsed) expect(parsed.profile).toBeDefined();
      }),
    );
  });
});

describe("bwrapArguments", () => {
  const line = (plan: SandboxPlan): string => ` ${bwrapArguments(plan, "/project").join(" ")} `;

  test("isolates processes, users and the network", () => {
    for (const option of "user pid ipc uts net".split(" "))
      expect(line(PLAN)).toContain(` --unshare-${option} `);
    expect(line(PLAN)).toContain(" --die-with-parent --new-session --cap-drop ALL ");
    expect(line({ ...PLAN, network: "full" })).not.toContain("--unshare-net");
  });

  test("lets a bridge use the low ports of the sandbox's own network, which excludes pseudo-terminals", () => {
    const proxy = { socket: "/s", runtime: "/node", replaced: { "/etc/hosts": "/state/hosts" } };
    const bridged = ` ${bwrapArguments(PLAN, "/project", { proxy }).join(" ")} `;
    expect(bridged).toContain(" --unshare-net ");
    expect(bridged).toContain(" --cap-drop ALL --hostname sandbox --cap-add CAP_NET_BIND_SERVICE ");
    expect(bridged).toContain(" --ro-bind /state/hosts /etc/hosts ");
    expect(bridged).not.toMatch(/ --dev |\/dev\/pts/);
    expect(line(PLAN)).not.toContain("--cap-add");
  });

  test("mounts protected paths after the project and granted paths last", () => {
    const order = [
      "--bind /project /project",
      "--bind /project/.cursor /project/.cursor",
      "--ro-bind /project/.cursor/mcp.json /project/.cursor/mcp.json",
      "--bind /granted /granted",
    ].map((part) => line(PLAN).indexOf(` ${part} `));
    expect(order).toEqual([...order].sort((left, right) => left - right));
    expect(order).not.toContain(-1);
  });

  test("binds only the paths of the plan as writable", () => {
    const path = fc.stringMatching(/^\/[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.array(path), fc.array(path), (read, write) => {
        const given = bwrapArguments({ ...PLAN, read, write }, "/project");
        const writable = given.flatMap((word, at) => (word === "--bind" ? [given[at + 1]] : []));
        expect(writable).toEqual(["/project", "/project/.cursor", "/state/data", ...write]);
      }),
    );
  });
});

describe("containerArguments", () => {
  const user = { uid: 1000, gid: 100 };
  const start = {
    image: "node:22",
    name: "n",
    isPodman: false,
    user,
    cwd: "/project",
    variables: "/dev/fd/5",
  };
  const line = (plan: SandboxPlan, more: Partial<typeof start> = {}): string =>
    ` ${containerArguments(plan, { ...start, ...more }, ["node", "a.js", "--privileged"]).join(" ")} `;

  test("removes all privileges, and downloads nothing", () => {
    const words = line(PLAN);
    for (const option of "pull=never read-only cap-drop=ALL security-opt=no-new-privileges network=none".split(
      " ",
    ))
      expect(words).toContain(` --${option} `);
    expect(words).toMatch(/ --entrypoint=node node:22 a\.js --privileged $/);
    expect(line({ ...PLAN, network: "full" })).not.toContain("--network");
  });

  test("mounts only the plan's paths, and protects those of the project", () => {
    const mounts = [...line(PLAN).matchAll(/source=(\S+?),target=(\S+?)(,readonly)? /g)].map(
      ([, source, target, readOnly]) => [source, target, readOnly === undefined],
    );
    expect(mounts).toEqual([
      ["/cache", "/cache", false],
      ["/project", "/project", true],
      ["/project/.cursor", "/project/.cursor", true],
      ["/project/.cursor/mcp.json", "/project/.cursor/mcp.json", false],
      ["/project/.git", "/project/.git", false],
      ["/state/data", "/state/data", true],
      ["/granted", "/granted", true],
    ]);
  });

  test("runs as the user whose files it writes", () => {
    expect(line(PLAN)).toContain(" --user=1000:100 ");
    expect(line(PLAN, { isPodman: true })).toContain(" --userns=keep-id ");
    expect(line(PLAN, { isPodman: true, user: { uid: 0, gid: 0 } })).not.toMatch(/--user/);
  });
});

describe("seatbeltProfile", () => {
  test("denies by default and quotes paths", () => {
    const text = seatbeltProfile({ ...PLAN, read: ['/a "b" \\ c'] });
    expect(text).toMatch(/^\(version 1\)\n\(deny default\)\n/);
    expect(text).toContain('(subpath "/a \\"b\\" \\\\ c")');
    expect(text).not.toContain("network*");
    expect(seatbeltProfile({ ...PLAN, network: "full" })).toContain("(allow network*)");
  });

  test("denies writing protected paths after it allows the project", () => {
    const text = seatbeltProfile(PLAN);
    const allowed = text.indexOf('(allow file-write* (subpath "/project")');
    expect(allowed).toBeGreaterThan(-1);
    expect(text.indexOf('(deny file-write* (subpath "/project/.cursor/mcp.json")')).toBeGreaterThan(allowed);
  });

  test("denies setuid programs after everything that it allows", () => {
    const lines = seatbeltProfile({ ...PLAN, network: "full" })
      .trimEnd()
      .split("\n");
    expect(lines.at(-1)).toBe("(deny file-write-setugid)");
  });

  test("has balanced parentheses for any path", () => {
    fc.assert(
      fc.property(fc.string(), (path) => {
        const text = seatbeltProfile({ ...PLAN, read: [`/${path}`] }).replace(/"(?:\\.|[^"\\])*"/gs, "");
        expect(text.split("(").length).toBe(text.split(")").length);
      }),
    );
  });
});

describe("syscallFilter", () => {
  test("jumps only within the filter, and ends with a verdict", () => {
    const view = new DataView(syscallFilter().buffer);
    const count = view.byteLength / 8;
    for (let at = 0; at < count; at += 1) {
      const jump = Math.max(view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3));
      expect(at + 1 + jump).toBeLessThan(count + (at === count - 1 ? 1 : 0));
    }
    expect(view.getUint16((count - 1) * 8, true)).toBe(0x06);
  });
});

describe("describeProfile", () => {
  const text = (profile: Partial<SandboxProfile>): string =>
    describeProfile({ ...DEFAULT_PROFILE, ...profile }, "/home/me");

  test.each<[Partial<SandboxProfile>, RegExp]>([
    [{}, /home folder hidden$/],
    [{ read: ["docs", "/srv", "/home/meow"] }, /home folder hidden$/],
    [{ read: ["~/notes"] }, /home folder hidden, except for the listed paths$/],
    [{ write: ["/home/me/notes"] }, /home folder hidden, except for the listed paths$/],
    [{ write: ["~/"] }, /home folder not hidden$/],
    [{ read: ["/"] }, /home folder not hidden$/],
    [{ read: ["/home/"] }, /home folder not hidden$/],
  ])("says whether %j hides the home folder", (profile, expected) => {
    expect(text(profile)).toMatch(expected);
  });

  test("quotes a path that imitates another part", () => {
    expect(text({ read: ["docs; no network; home folder hidden"] })).toContain(
      'can also read "docs; no network; home folder hidden"; no network;',
    );
  });
});
