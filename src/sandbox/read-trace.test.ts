import { expect, test } from "vitest";
import { readTrace } from "./read-trace.ts";

test.each([
  ['12 openat(AT_FDCWD, "/srv/a", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file)', "read", "/srv/a"],
  ['12 openat(AT_FDCWD, "/srv/a", O_WRONLY|O_CREAT, 0666) = -1 EROFS (Read-only)', "write", "/srv/a"],
  ['mkdir("/srv/a", 0777)         = -1 EROFS (Read-only file system)', "write", "/srv/a"],
  ['12 stat("/srv/h\\303\\251 \\"x\\"", 0x7ff) = -1 EACCES (Permission denied)', "read", '/srv/hé "x"'],
  ['12 connect(3, {sa_family=AF_UNIX, sun_path="/run/x.sock"}, 110) = -1 ENOENT (No)', "read", "/run/x.sock"],
  [
    '12 connect(3, {sa_family=AF_INET, sin_port=htons(5432), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 ECONNREFUSED (C)',
    "host",
    "127.0.0.1:5432",
  ],
  [
    '12 connect(3, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = -1 ENETUNREACH (N)',
    "host",
    "[2001:db8::1]:443",
  ],
])("a failed call is read: %s", (line, kind, target) => {
  expect(readTrace(`${line}\n`)).toEqual([{ kind, target }]);
});

test.each([
  '12 openat(AT_FDCWD, "/srv/a", O_RDONLY) = 3',
  '12 openat(AT_FDCWD, "relative", O_RDONLY) = -1 ENOENT (No such file or directory)',
  '12 execve("/srv/a"..., [], 0x7ff) = -1 ENOENT (No such file or directory)',
  "12 +++ exited with 0 +++",
  "garbage (",
])("other lines are ignored: %s", (line) => {
  expect(readTrace(line)).toEqual([]);
});
