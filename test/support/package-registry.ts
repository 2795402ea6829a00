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
 * promise.
 */
export async function startPackageRegistry(
  name: string,
  script: string,
  onTarball: () => Promise<void> | void = () => {},
): Promise<PackageRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "package-"));
  const manifest = { name, version: "1.0.0", bin: { [name]: "cli.mjs" } };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "cli.mjs"), script, { mode: 0o755 });
  await promisify(execFile)("npm", ["pack", "--silent"], { cwd: folder });
  const tarball = await readFile(join(folder, `${name}-1.0.0.tgz`));
  await rm(folder, { recursive: true, force: true });
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz") === true)
      return void Promise.resolve(onTarball()).then(() => response.end(tarball));
    if (request.url !== `/${name}`) return void response.writeHead(404).end("{}");
    const dist = { tarball: `${url}/${name}/-/${name}-1.0.0.tgz`, integrity };
    const packument = {
      name,
      "dist-tags": { latest: "1.0.0" },
      versions: { "1.0.0": { ...manifest, dist } },
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
