import type { SeededPackage, SeededVersion } from "../support/seeded-registry.ts";

/** A package that a server's entry runs. */
export interface PackageCase {
  /** What is wrong with it, or why it is good. Unique. */
  readonly what: string;
  /** The kind, for the tests that run only one case of each. */
  readonly kind: string;
  readonly packages: readonly SeededPackage[];
  /** The words after `npx -y`. */
  readonly spec: string;
  /** OSV entries about the packages. */
  readonly advisories?: readonly object[];
  /** Is written to mcp.lock.json. An integrity is that of the registry unless given. */
  readonly lock?: { readonly name: string; readonly version: string; readonly integrity?: string };
  readonly settings?: { readonly allowPackages?: string[]; readonly installScripts?: string[] };
  /** The server starts, but this package's install script must not run. */
  readonly scriptOf?: string;
  /** The version that must start, if several could. */
  readonly starts?: string;
}

const OLD = 400;
let count = 0;

/** Returns a name of its own, so that packages cannot be mixed up. */
const next = (): string => `seeded-server-${++count}`;
const one = (name: string, version: Partial<SeededVersion> = {}): SeededPackage => ({
  name,
  versions: [{ version: "1.0.0", days: OLD, ...version }],
});
const advisory = (name: string, affected: object, more: object = {}): object => ({
  id: `MAL-2026-${count}`,
  summary: "steals credentials",
  affected: [{ package: { ecosystem: "npm", name }, ...affected }],
  ...more,
});
const range = (...events: object[]): object => ({ ranges: [{ type: "SEMVER", events }] });

/** Describes a case about one package. */
function about(
  kind: string,
  what: string,
  build: (name: string) => Partial<PackageCase> & { readonly version?: Partial<SeededVersion> },
): PackageCase {
  const name = next();
  const { version, ...others } = build(name);
  return { kind, what, packages: [one(name, version)], spec: `${name}@1.0.0`, ...others };
}

/** Describes a case about a dependency of a harmless package. */
function inDependency(
  kind: string,
  what: string,
  build: (name: string) => Partial<PackageCase> & { readonly version?: Partial<SeededVersion> },
): PackageCase {
  const [root, name] = [next(), next()];
  const { version, ...others } = build(name);
  const packages = [one(root, { dependencies: { [name]: "1.0.0" } }), one(name, version)];
  return { kind, what, packages, spec: `${root}@1.0.0`, ...others };
}

const MALICIOUS: readonly (readonly [string, (name: string) => object])[] = [
  ["this version", (name) => advisory(name, { versions: ["0.9.0", "1.0.0"] })],
  ["a range that contains it", (name) => advisory(name, range({ introduced: "0.9.0" }, { fixed: "1.0.1" }))],
  ["all versions", (name) => advisory(name, range({ introduced: "0" }))],
  ["the whole package", (name) => advisory(name, {})],
];

const NEW_RELEASE = { days: 1 };
const touch = (file: string): string => `node -e "require('fs').writeFileSync('${file}', '')"`;

/** Forty packages that must be stopped. `marker` is the file that a script of a package writes. */
export function badPackages(marker: (name: string) => string): readonly PackageCase[] {
  return [
    ...MALICIOUS.flatMap(([what, entry]) => [
      about("malicious", `an advisory about ${what}`, (name) => ({ advisories: [entry(name)] })),
      inDependency("malicious dependency", `a dependency with an advisory about ${what}`, (name) => ({
        advisories: [entry(name)],
      })),
    ]),
    about("malicious alias", "an advisory with a MAL alias", (name) => ({
      advisories: [advisory(name, {}, { id: `GHSA-${name}`, aliases: ["MAL-1"] })],
    })),
    about("malicious by weakness", "an advisory with CWE-506", (name) => ({
      advisories: [advisory(name, {}, { id: `GHSA-${name}`, database_specific: { cwe_ids: ["CWE-506"] } })],
    })),
    about("malicious and locked", "an advisory about a locked version", (name) => ({
      advisories: [advisory(name, {})],
      lock: { name, version: "1.0.0" },
    })),
    about("malicious and allowed", "an advisory about an allowed package", (name) => ({
      advisories: [advisory(name, {})],
      settings: { allowPackages: [name] },
    })),
    about("malicious by tag", "an advisory about the version of a tag", (name) => ({
      advisories: [advisory(name, { versions: ["1.0.0"] })],
      spec: `${name}@latest`,
    })),
    about("malicious without version", "an advisory about the version that no version selects", (name) => ({
      advisories: [advisory(name, { versions: ["1.0.0"] })],
      spec: name,
    })),
    about("tampered tarball", "a tarball that differs from its integrity", () => ({
      version: { isTampered: true },
    })),
    inDependency("tampered dependency", "a dependency whose tarball differs from its integrity", () => ({
      version: { isTampered: true },
    })),
    about("changed tarball", "a locked version with another tarball", (name) => ({
      lock: { name, version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==` },
    })),
    about("changed tarball by range", "a locked version with another tarball, by range", (name) => ({
      lock: { name, version: "1.0.0", integrity: `sha512-${"B".repeat(86)}==` },
      spec: `${name}@^1.0.0`,
    })),
    about("weaker integrity", "a locked integrity with another algorithm", (name) => ({
      lock: { name, version: "1.0.0", integrity: `sha1-${"A".repeat(27)}=` },
    })),
    ...["^1.0.0", "latest", ""].map((asked) =>
      about("another version", `another version than the locked one, by ${asked || "name"}`, (name) => ({
        packages: [
          {
            name,
            versions: [
              { version: "1.0.0", days: OLD },
              { version: "1.1.0", days: OLD - 1 },
            ],
          },
        ],
        spec: asked === "" ? name : `${name}@${asked}`,
        lock: { name, version: "1.0.0" },
      })),
    ),
    about("new release", "a version that was published yesterday", () => ({ version: NEW_RELEASE })),
    about("future release", "a version that was published tomorrow", () => ({ version: { days: -1 } })),
    inDependency("new dependency", "a dependency that was published yesterday", () => ({
      version: NEW_RELEASE,
    })),
    about("only new releases", "a range with only new versions", (name) => ({
      version: NEW_RELEASE,
      spec: `${name}@>=1.0.0`,
    })),
    about("new release by name", "a package that was created yesterday", (name) => ({
      version: NEW_RELEASE,
      spec: name,
    })),
    ...["preinstall", "install", "postinstall"].map((script) =>
      about("install script", `a ${script} script`, (name) => ({
        version: { scripts: { [script]: touch(marker(name)) } },
        scriptOf: name,
      })),
    ),
    inDependency("install script of a dependency", "a dependency's install script", (name) => ({
      version: { scripts: { postinstall: touch(marker(name)) } },
      scriptOf: name,
    })),
    ...[
      "@modelcontextprotoco1/server-filesystem",
      "modelcontextprotocol-server-filesystem",
      "@modelcontextprotocol/server-filesytem",
      "mcp-rernote",
      "chrome-devtool-mcp",
      "firecrawl-mpc",
      "@upstash/contex7-mcp",
    ].map((name) => ({
      kind: "look-alike",
      what: `the name ${name}`,
      packages: [one(name)],
      spec: `${name}@1.0.0`,
    })),
    about("yanked", "an exact version that was removed", (name) => ({
      packages: [
        {
          name,
          versions: [
            { version: "0.9.0", days: OLD },
            { version: "1.0.0", days: OLD, isYanked: true },
          ],
        },
      ],
    })),
    inDependency("yanked dependency", "a dependency that was removed", () => ({
      version: { isYanked: true },
    })),
  ];
}

/** Forty packages that must start. */
export function goodPackages(marker: (name: string) => string): readonly PackageCase[] {
  const known = [
    "@modelcontextprotocol/server-everything",
    "@playwright/mcp",
    "mcp-remote",
    "tavily-mcp",
    "my-company-mcp",
    "notes",
  ];
  return [
    ...Array.from({ length: 5 }, (_, index) => about("old", `an old package (${index + 1})`, () => ({}))),
    ...Array.from({ length: 3 }, (_, index) =>
      inDependency("dependencies", `a package with an old dependency (${index + 1})`, () => ({})),
    ),
    ...known.map((name) => ({
      kind: "own name",
      what: `the package ${name}`,
      packages: [one(name)],
      spec: `${name}@1.0.0`,
    })),
    {
      kind: "scoped",
      what: "a scoped package",
      packages: [one("@seeded/server")],
      spec: "@seeded/server@1.0.0",
    },
    about("no dates", "a registry without dates", () => ({ version: { days: undefined } })),
    about("provenance", "a package with provenance", () => ({ version: { provenance: true } })),
    about("deprecated", "a deprecated package", () => ({ version: { deprecated: "use another one" } })),
    about("four days", "a version that was published four days ago", () => ({ version: { days: 4 } })),
    ...["^1.0.0", "~1.0.0", "1.x", "latest", ""].map((asked) =>
      about("selected", `a package by ${asked || "name"}`, (name) => ({
        spec: asked === "" ? name : `${name}@${asked}`,
      })),
    ),
    ...["latest", "^1.0.0", ""].map((asked) =>
      about("older version", `a package with a new release, by ${asked || "name"}`, (name) => ({
        packages: [
          {
            name,
            versions: [
              { version: "1.0.0", days: OLD },
              { version: "1.1.0", days: 1 },
            ],
          },
        ],
        spec: asked === "" ? name : `${name}@${asked}`,
        starts: "1.0.0",
      })),
    ),
    about("prerelease", "a prerelease", (name) => ({
      packages: [{ name, versions: [{ version: "2.0.0-rc.1", days: OLD }] }],
      spec: `${name}@2.0.0-rc.1`,
    })),
    about("new and allowed", "a new version that is allowed", (name) => ({
      version: NEW_RELEASE,
      settings: { allowPackages: [`${name}@1.0.0`] },
    })),
    about("new and locked", "a new version that is locked", (name) => ({
      version: NEW_RELEASE,
      lock: { name, version: "1.0.0" },
    })),
    about("locked", "a locked version", (name) => ({ lock: { name, version: "1.0.0" } })),
    about("locked by range", "a locked version, by range", (name) => ({
      lock: { name, version: "1.0.0" },
      spec: `${name}@^1.0.0`,
    })),
    {
      kind: "look-alike and allowed",
      what: "a name that resembles another and is allowed",
      packages: [one("tavily-mpc")],
      spec: "tavily-mpc@1.0.0",
      settings: { allowPackages: ["tavily-mpc"] },
    },
    about("script and allowed", "an install script that is allowed", (name) => ({
      version: { scripts: { postinstall: touch(marker(name)) } },
      settings: { installScripts: [name] },
    })),
    about("vulnerable", "an advisory about a vulnerability", (name) => ({
      advisories: [advisory(name, {}, { id: `GHSA-${name}` })],
    })),
    about("other versions", "an advisory about other versions", (name) => ({
      advisories: [advisory(name, range({ introduced: "0" }, { fixed: "1.0.0" }))],
    })),
    about("withdrawn", "an advisory that was withdrawn", (name) => ({
      advisories: [advisory(name, {}, { withdrawn: "2026-01-01T00:00:00Z" })],
    })),
    about("other ecosystem", "an advisory about a package of PyPI", (name) => ({
      advisories: [{ id: "MAL-1", affected: [{ package: { ecosystem: "PyPI", name } }] }],
    })),
    about("other name", "an advisory about a similar name", (name) => ({
      advisories: [advisory(`${name}-utils`, {})],
    })),
    about("named package", "a package that an option names", (name) => ({
      spec: `--package=${name}@1.0.0 ${name}`,
    })),
  ];
}
