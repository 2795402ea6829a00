import { expect, test } from "vitest";
import { VERSION } from "../version.ts";
import { daemonPaths } from "./daemon-address.ts";

const on = (platform: string, state: string, variables: Record<string, string> = {}) =>
  daemonPaths({ state }, { platform, variables, user: { uid: 501, isAloneIn: () => true } }, "machine");

test("the socket is in the state folder, and its name has the versions and the machine", () => {
  const { socket, socketFolder } = on("linux", "/home/me/.local/state/plugboard");
  expect(socket).toMatch(
    new RegExp(`^/home/me/.local/state/plugboard/run/daemon-1-${VERSION}-[0-9a-f]{8}\\.sock$`),
  );
  expect(socketFolder).toBeUndefined();
});

test("machines that share a home folder have different sockets", () => {
  const environment = { platform: "linux", variables: {} };
  const paths = ["a", "b"].map((machine) => daemonPaths({ state: "/s" }, environment, machine));
  expect(paths[0]?.socket).not.toBe(paths[1]?.socket);
  expect(paths[0]?.turn).not.toBe(paths[1]?.turn);
});

test.each([
  ["linux", 107, "/tmp/plugboard-501-"],
  ["darwin", 103, "/var/folders/x/plugboard-501-"],
] as const)(
  "a socket on %s fits into %i bytes, with the suffix of a new socket",
  (platform, limit, folder) => {
    for (let length = 1; length < 200; length += 1) {
      const state = `/${"s".repeat(length)}`;
      const { socket, socketFolder } = on(platform, state, { TMPDIR: "/var/folders/x" });
      expect(Buffer.byteLength(`${socket}.12345678`)).toBeLessThanOrEqual(limit);
      const isElsewhere = !socket.startsWith(state);
      expect(socketFolder === undefined).toBe(!isElsewhere);
      if (isElsewhere) expect(socket.startsWith(folder)).toBe(true);
    }
  },
);

test("state folders with long paths have different sockets", () => {
  const sockets = ["a", "b"].map((name) => on("linux", `/${name.repeat(150)}`).socket);
  expect(sockets[0]).not.toBe(sockets[1]);
});

test("on Windows, the named pipe belongs to the state folder", () => {
  const [one, two] = ["C:\\one", "C:\\two"].map((state) => on("win32", state).socket);
  expect(one).toMatch(/^\\\\\.\\pipe\\plugboard-daemon-1-.*-[0-9a-f]{16}$/);
  expect(one).not.toBe(two);
});
