import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

/** One version of a package in the registry. */
export interface SeededVersion {
  readonly version: string;
  /** How many days ago it was published. `undefined`: the registry does not say. */
  readonly days?: number | undefined;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly provenance?: boolean;
  readonly deprecated?: string;
  /** The tarball differs from its integrity. */
  readonly isTampered?: boolean;
  /** Was removed from the registry, but a lock file or a tag still names it. */
  readonly isYanked?: boolean;
  /** Changes the tarball and its integrity. */
  readonly text?: string;
}

export interface SeededPackage {
  readonly name: string;
  readonly versions: readonly SeededVersion[];
  readonly tags?: Readonly<Record<string, string>>;
}

export interface SeededRegistry extends AsyncDisposable {
  readonly url: string;
  /** Adds packages, and replaces those with the same name. */
  publish(packages: readonly SeededPackage[]): void;
  integrityOf(name: string, version: string): string;
  /** The paths of all requests. */
  readonly requests: readonly string[];
}

/** Starts an npm registry with these packages. `program` returns the content of a package's program. */
export async function startSeededRegistry(
  program: (spec: string) => string,
  packages: readonly SeededPackage[],
): Promise<SeededRegistry> {
  const known = new Map<string, SeededPackage>();
  const tarballs = new Map<string, Buffer>();
  const requests: string[] = [];
  const integrity = (bytes: Buffer): string =>
    `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const manifestOf = (name: string, each: SeededVersion): object => ({
    name,
    version: each.version,
    bin: { [name.replace(/^@[^/]+\//, "")]: "cli.mjs" },
    ...(each.dependencies && { dependencies: each.dependencies }),
    ...(each.scripts && { scripts: each.scripts }),
  });
  const tarballOf = (name: string, each: SeededVersion): Buffer => {
    const key = `${name}@${each.version}\0${each.text ?? ""}`;
    const bytes =
      tarballs.get(key) ??
      packed({
        "package.json": JSON.stringify(manifestOf(name, each)),
        "cli.mjs": program(`${name}@${each.version}`),
        "note.txt": each.text ?? "",
      });
    tarballs.set(key, bytes);
    return bytes;
  };
  const versionOf = (name: string, version: string): SeededVersion | undefined =>
    known.get(name)?.versions.find((each) => each.version === version);
  const packument = ({ name, versions, tags }: SeededPackage): object => {
    const offered = versions.filter((each) => each.isYanked !== true);
    const dated = versions.filter(({ days }) => days !== undefined);
    return {
      name,
      "dist-tags": { latest: versions.at(-1)?.version, ...tags },
      ...(dated.length > 0 && {
        time: Object.fromEntries(
          dated.map(({ version, days = 0 }) => [
            version,
            new Date(Date.now() - days * 86_400_000).toISOString(),
          ]),
        ),
      }),
      versions: Object.fromEntries(
        offered.map((each) => [
          each.version,
          {
            ...manifestOf(name, each),
            ...(each.scripts && { hasInstallScript: true }),
            ...(each.deprecated !== undefined && { deprecated: each.deprecated }),
            dist: {
              tarball: `${url}/-/${encodeURIComponent(name)}/${each.version}.tgz`,
              integrity: integrity(tarballOf(name, each)),
              ...(each.provenance === true && {
                attestations: { url, provenance: { predicateType: "https://slsa.dev/provenance/v1" } },
              }),
            },
          },
        ]),
      ),
    };
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    requests.push(path);
    const [, file, version = ""] = /^\/-\/(.+)\/([^/]+)\.tgz$/.exec(path) ?? [];
    if (file !== undefined) {
      const each = versionOf(file, version);
      if (each === undefined) return void response.writeHead(404).end();
      return void response.end(tarballOf(file, each.isTampered ? { ...each, text: "tampered" } : each));
    }
    const found = known.get(path.slice(1));
    if (found === undefined) return void response.writeHead(404).end("{}");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(packument(found)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const publish = (added: readonly SeededPackage[]): void => {
    for (const each of added) known.set(each.name, each);
  };
  publish(packages);
  return {
    url,
    publish,
    requests,
    integrityOf(name, version) {
      const each = versionOf(name, version);
      if (each === undefined) throw new Error(`${name}@${version} is not in the registry`);
      return integrity(tarballOf(name, each));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a gzipped tar archive as npm expects it. */
function packed(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    const put = (value: string, at: number): void => void header.write(value, at, "latin1");
    const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`;
    put(`package/${name}`, 0);
    put(octal(name.endsWith("mjs") ? 0o755 : 0o644, 8), 100);
    put(octal(0, 8), 108);
    put(octal(0, 8), 116);
    put(octal(content.length, 12), 124);
    put(octal(1_700_000_000, 12), 136);
    put("        ", 148);
    put("0", 156);
    put("ustar\0", 257);
    put("00", 263);
    put(
      `${octal(
        header.reduce((sum, byte) => sum + byte, 0),
        7,
      )} `,
      148,
    );
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1_024)]));
}
