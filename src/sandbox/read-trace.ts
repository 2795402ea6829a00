import type { SandboxDenial } from "../model/index.ts";

const FAILED = /\) += -1 (ENOENT|EACCES|EPERM|EROFS|ENETUNREACH|EADDRNOTAVAIL|ECONNREFUSED)\b/;
const CHANGES =
  /^(?:mkdir|mknod|unlink|rmdir|rename|link|symlink|chmod|fchmodat|chown|fchownat|lchown|truncate|utime|utimes|utimensat|setxattr|creat)/;
const WRITES = /\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b/;
const MOST_LINES = 1_000_000;

/** Reads the output of `strace` with failed calls, and returns what could not be read, changed or reached. Paths are absolute. */
export function readTrace(text: string): SandboxDenial[] {
  const found = new Map<string, SandboxDenial>();
  for (const line of text.split("\n", MOST_LINES)) {
    const [, code] = FAILED.exec(line) ?? [];
    const [, call = "", rest = ""] = /^(?:\d+ +)?(\w+)\((.*)$/.exec(line) ?? [];
    if (code === undefined || call === "") continue;
    for (const denial of call === "connect" ? connectionIn(rest) : pathsIn(call, rest, code))
      found.set(`${denial.kind} ${denial.target}`, denial);
  }
  return [...found.values()];
}

function pathsIn(call: string, rest: string, code: string): SandboxDenial[] {
  const kind = code === "EROFS" || CHANGES.test(call) || WRITES.test(rest) ? "write" : "read";
  return [...rest.matchAll(/"((?:\\.|[^"\\])*)"(?!\.\.\.)/g)].flatMap(([, quoted = ""]) => {
    const path = unquoted(quoted);
    return path.startsWith("/") ? [{ kind, target: path }] : [];
  });
}

function connectionIn(rest: string): SandboxDenial[] {
  const [, socket] = /sun_path="((?:\\.|[^"\\])*)"/.exec(rest) ?? [];
  if (socket !== undefined) return [{ kind: "read", target: unquoted(socket) }];
  const [, port] = /sin6?_port=htons\((\d+)\)/.exec(rest) ?? [];
  const [, v4] = /inet_addr\("([\d.]+)"\)/.exec(rest) ?? [];
  const [, v6] = /inet_pton\(AF_INET6, "([0-9a-f:.]+)"/.exec(rest) ?? [];
  const address = v4 ?? (v6 === undefined ? undefined : `[${v6}]`);
  return address === undefined || port === undefined || port === "0"
    ? []
    : [{ kind: "host", target: `${address}:${port}` }];
}

/** Reads C escapes. Other bytes than ASCII are octal. */
function unquoted(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of text.matchAll(/\\([0-7]{1,3})|\\(.)|([^\\])/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else
      bytes.push(
        ...new TextEncoder().encode(letter === "n" ? "\n" : letter === "t" ? "\t" : (letter ?? plain)),
      );
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
