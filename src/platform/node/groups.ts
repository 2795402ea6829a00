import { readFileSync } from "node:fs";
import { userInfo } from "node:os";

/**
 * Returns whether this user is the only one in a group, as on systems that create a group for each user. Returns
 * `false` if the user is not in the local account files, because network accounts cannot be listed.
 */
export function isAloneIn(gid: number): boolean {
  try {
    return isOnlyMember(userInfo().username, gid, read("/etc/passwd"), read("/etc/group"));
  } catch {
    return false; // no account, or no such files
  }
}

/** Returns whether a user is the only one in a group, given the contents of `/etc/passwd` and `/etc/group`. */
export function isOnlyMember(name: string, gid: number, passwd: string, group: string): boolean {
  const fields = (text: string): string[][] => text.split("\n").map((line) => line.split(":"));
  const accounts = fields(passwd);
  const groups = fields(group).filter(([, , id]) => id === String(gid));
  const members = [
    ...accounts.filter(([, , , primary]) => primary === String(gid)).map(([account]) => account),
    ...groups.flatMap(([, , , listed = ""]) => listed.split(",").filter(Boolean)),
  ];
  const isLocal = accounts.some(([account]) => account === name);
  return isLocal && groups.length > 0 && members.includes(name) && members.every((member) => member === name);
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}
