import { posix } from "node:path";
import type { Environment, FileOwner, Files } from "./ports.ts";

/**
 * Returns why another user could have written a file, such as `/srv/x belongs to user 1001`, or `undefined` if none
 * could.
 */
export type OwnershipCheck = (path: string) => Promise<string | undefined>;

const FOLDER = 0o040000;
const FILE_TYPE = 0o170000;
const STICKY = 0o1000;
const MAX_LINKS = 40;
const ADMIN_GROUP_OF_MACOS = 80;

/**
 * Checks the owner and mode of a file, its parent folders and all links in the path, as sshd does. Stops at the home
 * folder, because the administrator controls the folders above it. Not needed on Windows and Android, where the system
 * separates users.
 */
export function createOwnershipCheck(files: Files, environment: Environment): OwnershipCheck {
  const { platform, user } = environment;
  const { owner } = files;
  if (user === undefined || owner === undefined || platform === "win32" || platform === "android")
    return async () => undefined;
  const readOwner = (path: string): Promise<FileOwner | undefined> => owner.call(files, path);
  let trustedOwners: Promise<TrustedOwners> | undefined;

  const writableReason = ({ uid, gid, mode }: FileOwner, path: string): string | undefined => {
    if ((mode & FILE_TYPE) === FOLDER && (mode & STICKY) !== 0) return undefined;
    if ((mode & 0o002) !== 0) return `every user can write to ${path}`;
    const isOwn = gid === 0 || gid === uid || (platform === "darwin" && gid === ADMIN_GROUP_OF_MACOS);
    return (mode & 0o020) === 0 || isOwn || user.isAloneIn(gid)
      ? undefined
      : `group ${gid} can write to ${path}`;
  };

  const check = async (path: string, trusted: TrustedOwners, links = 0): Promise<string | undefined> => {
    let writable: string | undefined;
    for (let at = path; ; at = posix.dirname(at)) {
      const facts = await readOwner(at).catch(() => "unknown" as const);
      if (facts === "unknown") return `the owner of ${at} is unknown`;
      if (facts !== undefined) {
        const isTrusted = trusted.owners.has(facts.uid) || (at !== path && facts.uid === trusted.rootOwner);
        if (!isTrusted) return `${at} belongs to user ${facts.uid}`;
        if (facts.link === undefined) {
          if (isClosed(facts)) writable = undefined;
          writable = writableReason(facts, at) ?? writable;
        } else {
          const target = posix.resolve(posix.dirname(at), facts.link);
          const found =
            links < MAX_LINKS ? await check(target, trusted, links + 1) : `${at} goes through too many links`;
          if (found !== undefined) return found;
        }
      }
      if (trusted.homes.has(at) || at === posix.dirname(at))
        return writable === undefined || (await isParentPrivate(at)) ? undefined : writable;
    }
  };
  const isParentPrivate = async (folder: string): Promise<boolean> => {
    for (let at = folder; at !== posix.dirname(at); at = posix.dirname(at)) {
      const above = await readOwner(posix.dirname(at)).catch(() => undefined);
      if (above !== undefined && isClosed(above)) return true;
    }
    return false;
  };

  return async (path) => {
    trustedOwners ??= findTrustedOwners(files, readOwner, environment, user.uid);
    return check(posix.resolve(path), await trustedOwners);
  };
}

/** Returns whether other users cannot enter a folder. They cannot reach its contents then. */
function isClosed({ mode }: FileOwner): boolean {
  return (mode & FILE_TYPE) === FOLDER && (mode & 0o011) === 0;
}

interface TrustedOwners {
  readonly owners: ReadonlySet<number>;
  /** The owner of `/`. In a user namespace, root's files can have another owner. */
  readonly rootOwner: number | undefined;
  readonly homes: ReadonlySet<string>;
}

/**
 * Finds the trusted owners: this user and root. The owner of the home folder is also trusted if it is the account's
 * home folder or, for root, if other users cannot have created it. Containers and `sudo` can run with another user's
 * home folder.
 */
async function findTrustedOwners(
  files: Files,
  readOwner: (path: string) => Promise<FileOwner | undefined>,
  { home, accountHome }: Environment,
  uid: number,
): Promise<TrustedOwners> {
  const owners = new Set([uid, 0]);
  const ownerIfReadable = (path: string) => readOwner(path).catch(() => undefined);
  const rootOwner = (await ownerIfReadable("/"))?.uid;
  if (home === undefined) return { owners, rootOwner, homes: new Set() };
  const real = (path: string): Promise<string> => files.realPath(path).catch(() => path);
  const realHome = await real(home);
  const owner = (await ownerIfReadable(realHome))?.uid;
  if (owner !== undefined && !owners.has(owner)) {
    const above = await ownerIfReadable(posix.dirname(realHome));
    const isPlacedByRoot = above !== undefined && above.uid === 0 && (above.mode & 0o022) === 0;
    const account = uid === 0 ? undefined : accountHome?.();
    if (uid === 0 ? isPlacedByRoot : account !== undefined && (await real(account)) === realHome)
      owners.add(owner);
  }
  return { owners, rootOwner, homes: new Set([posix.resolve(home), realHome]) };
}

/**
 * Wraps files so that Plugboard's own files and folders cannot be used if another user could have written them.
 * Otherwise a user who creates such a folder first could add approvals. The file `readable` can always be read.
 */
export function guardOwnFolders(
  files: Files,
  foreignWriter: OwnershipCheck,
  own: readonly string[],
  readable: string,
): Files {
  const isOurs = (path: string): boolean =>
    own.some((place) => path === place || path.startsWith(`${place}/`));
  const refuseForeign = async (path: string): Promise<void> => {
    const why = isOurs(path) ? await foreignWriter(path) : undefined;
    if (why !== undefined) throw Object.assign(new Error(`${why}; ${OWNERSHIP_FIX}`), { code: "ENOTOWN" });
  };
  const guard =
    <Rest extends readonly unknown[], T>(
      action: (path: string, ...rest: Rest) => Promise<T>,
    ): ((path: string, ...rest: Rest) => Promise<T>) =>
    async (path, ...rest) => {
      await refuseForeign(path);
      return action.call(files, path, ...rest);
    };
  return {
    async read(path, limit) {
      const bytes = await files.read(path, limit);
      // Checked after reading: if the path is safe now, no other user can have replaced the file since.
      if (bytes !== undefined && path !== readable) await refuseForeign(path);
      return bytes;
    },
    makeFolder: guard(files.makeFolder),
    create: guard(files.create),
    replace: guard(files.replace),
    append: guard(files.append),
    async rename(from, to) {
      await refuseForeign(to);
      await files.rename(from, to);
    },
    present: (paths) => files.present(paths),
    kind: (path) => files.kind(path),
    realPath: (path) => files.realPath(path),
    list: (folder) => files.list(folder),
    remove: (path) => files.remove(path),
    ...(files.removeFolder && { removeFolder: guard(files.removeFolder) }),
    stamp: (path) => files.stamp(path),
    writtenAt: (path) => files.writtenAt(path),
    mode: (path) => files.mode(path),
    ...(files.owner && { owner: (path: string) => files.owner?.(path) ?? Promise.resolve(undefined) }),
    ...(files.folders && { folders: files.folders }),
  };
}

/** The fix to append to a reason in messages. */
export const OWNERSHIP_FIX =
  "fix the owner and mode with chown and chmod, or set PLUGBOARD_HOME to a folder that only you can write to";
