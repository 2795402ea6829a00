import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface PackageRegistry extends AsyncDisposable {
  readonly url: string;
}

/**
 * An npm registry with one package, whose program is the given script. `onTarball` is called for every download, which waits for its
 * promise. With `newer`, the package also has a version 1.1.0 with that script. `scripts` are those of npm for version 1.0.0.
 */
export async function startPackageRegistry(
  name: string,
  script: string,
  onTarball: () => Promise<void> | void = () => {},
  newer?: string,
  scripts: Readonly<Record<string, string>> = {},
): Promise<PackageRegistry> {
  const packed = [await pack(name, "1.0.0", script, scripts)];
  if (newer !== undefined) packed.push(await pack(name, "1.1.0", newer));
  const server = createServer((request, response) => {
    const wanted = packed.find(({ file }) => request.url?.endsWith(file) === true);
    if (wanted !== undefined)
      return void Promise.resolve(onTarball()).then(() => response.end(wanted.tarball));
    if (request.url !== `/${name}`) return void response.writeHead(404).end("{}");
    const versions = packed.map(({ manifest, file, integrity }) => [
      manifest.version,
      {
        ...manifest,
        hasInstallScript: Object.keys(manifest.scripts).length > 0,
        dist: { tarball: `${url}/${name}/-/${file}`, integrity },
      },
    ]);
    const packument = {
      name,
      "dist-tags": { latest: packed.at(-1)?.manifest.version },
      versions: Object.fromEntries(versions),
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(packument));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function pack(
  name: string,
  version: string,
  script: string,
  scripts: Readonly<Record<string, string>> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "package-"));
  const manifest = { name, version, bin: { [name]: "cli.mjs" }, scripts };
  const file = `${name}-${version}.tgz`;
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "cli.mjs"), script, { mode: 0o755 });
  await promisify(execFile)("npm", ["pack", "--silent"], { cwd: folder });
  const tarball = await readFile(join(folder, file));
  await rm(folder, { recursive: true, force: true });
  return {
    manifest,
    file,
    tarball,
    integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
  };
}
