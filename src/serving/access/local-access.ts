import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { posix, win32 } from "node:path";
import { HostError, memoize } from "../../model/index.ts";
import type { Workspace } from "../../operations/index.ts";
import { delay, type IncomingRequest } from "../../platform/index.ts";

/** Who may use an HTTP endpoint on this machine. */
export interface LocalAccess {
  /** The bearer token that every request needs. */
  readonly token: string;
  /** Additional exact `Host` values, such as `host.docker.internal:7420`. */
  readonly hosts: readonly string[];
  /** Additional exact `Origin` values. */
  readonly origins: readonly string[];
}

/** Headers that must not be sent twice, because two programs could each read another one. */
const SINGLE = /^(?:host|origin|authorization|content-type|mcp-.*)$/;
const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

/** Returns the status and message for a refused request, or `undefined` if it is allowed. Runs before the body is read. */
export function refuseAccess(
  { headers, repeated }: Pick<IncomingRequest, "headers" | "repeated">,
  port: number,
  access: LocalAccess,
): { readonly status: number; readonly message: string } | undefined {
  const twice = repeated.find((name) => SINGLE.test(name));
  if (twice !== undefined) return { status: 400, message: `The header ${twice} was sent twice.` };
  const { host = "", origin, authorization = "" } = headers;
  const named = host.toLowerCase();
  if (!isOwn(named, port) && !access.hosts.includes(named)) return { status: 403, message: "Unknown Host." };
  const [, page = ""] = /^http:\/\/(.*)$/.exec(origin ?? "") ?? [];
  if (origin !== undefined && !isOwn(page, port) && !access.origins.includes(origin))
    return { status: 403, message: "Unknown Origin." };
  const [, token = ""] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
  return isToken(token, access) ? undefined : { status: 401, message: "A bearer token is required." };
}

/** Returns the `Host` values under which this machine reaches its own port. */
export function loopbackNames(port: number): string[] {
  return LOOPBACK.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}

/** Takes the same time for every wrong token. */
export function isSameText(given: string, wanted: string): boolean {
  return timingSafeEqual(sha256(given), sha256(wanted));
}

/** Like `isSameText`, but hashes the token only once. */
function isToken(given: string, access: LocalAccess): boolean {
  return timingSafeEqual(sha256(given), tokenHash(access));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const tokenHash = memoize(({ token }: LocalAccess) => sha256(token));

/** Returns whether a host is this server's own. */
function isOwn(host: string, port: number): boolean {
  return LOOPBACK.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

/** Returns the user's token. Creates it on first use. Only the user can read the file. */
export async function readToken(
  workspace: Workspace,
): Promise<{ readonly token: string; readonly file: string }> {
  const { text: token, file } = await readSecretFile(workspace, "token");
  return { token, file };
}

/** Where secrets of this kind are kept. */
export interface SecretPlace {
  readonly ports: Pick<Workspace["ports"], "files" | "clock">;
  readonly places: Workspace["places"];
  readonly environment: Workspace["environment"];
}

const RETRY_MS = 20;
const MOST_TRIES = 100;

/** Returns the random text in a file of this name. Creates it on first use. Only the user can read the file. */
export async function readSecretFile(
  { ports: { files, clock }, places, environment }: SecretPlace,
  name: string,
): Promise<{ readonly text: string; readonly file: string }> {
  const { join } = environment.platform === "win32" ? win32 : posix;
  const folder = join(places.state, "run");
  const file = join(folder, name);
  const known = await readText(files, file);
  if (known !== undefined) return { text: known, file };
  await files.makeFolder(folder, 0o700);
  try {
    await files.create(file, `pb_${randomBytes(32).toString("base64url")}\n`, 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  // Another process may have created it, and not written it yet.
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const created = await readText(files, file);
    if (created !== undefined) return { text: created, file };
    await delay(clock, RETRY_MS);
  }
  throw new HostError("STATE_UNREADABLE", `${file} is empty.`, { hint: "Remove the file, and try again." });
}

async function readText(files: Workspace["ports"]["files"], path: string): Promise<string | undefined> {
  const bytes = await files.read(path, 4_096);
  const text = bytes && new TextDecoder().decode(bytes).trim();
  return text === undefined || text === "" ? undefined : text;
}
