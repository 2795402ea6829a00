import { expect, test } from "vitest";
import { urlsOf } from "./connect.ts";

test.each([
  ["postgres://u:p@db/x", ["postgres://u:p@db/x"]],
  [
    "postgresql://u:p@a:1,b:2,[::1]:3/x?sslmode=verify-full",
    ["a:1", "b:2", "[::1]:3"].map((host) => `postgresql://u:p@${host}/x?sslmode=verify-full`),
  ],
  ["postgres://u:p%40%2Fq@a, b/x", ["postgres://u:p%40%2Fq@a/x", "postgres://u:p%40%2Fq@b/x"]],
  ["postgres:///x?host=/var/run/postgresql", ["postgres:///x?host=/var/run/postgresql"]],
])("%s is one URL per host", (url, expected) => {
  expect(urlsOf(url)).toEqual(expected);
});

test.each([
  "",
  "mysql://u:secret@a/x",
  "secret",
  "postgres://u:secret@a b/x",
  "postgres://u:secret@a:port/x",
])("%s is refused without showing the password", (url) => {
  const refuse = (): unknown => urlsOf(url);
  expect(refuse).toThrow("database.url is not a PostgreSQL URL.");
  expect(refuse).not.toThrow("secret");
});
