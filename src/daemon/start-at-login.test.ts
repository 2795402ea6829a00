import { expect, test } from "vitest";
import type { Environment } from "../platform/index.ts";
import { userService } from "./start-at-login.ts";

const PROGRAM = {
  words: ["/opt/node 20/bin/node", '/opt/p"q/$HOME/50%/main.cjs', "daemon", "run"],
  variables: { PATH: "/usr/bin:/bin", PLUGBOARD_HOME: "/home/me/a <b> & %h" },
  logFile: "/home/me/100%/daemon.log",
};
const environmentOf = (platform: string, variables: Environment["variables"] = {}) => ({
  platform,
  home: "/home/me",
  cwd: "/",
  variables,
  user: { uid: 501, isAloneIn: () => true },
});

test("systemd gets the exact words and variables, whatever is in them", () => {
  const service = userService(environmentOf("linux"), PROGRAM);
  expect(service?.file).toBe("/home/me/.config/systemd/user/plugboard.service");
  expect(service?.text.split("\n")).toEqual(
    expect.arrayContaining([
      'ExecStart="/opt/node 20/bin/node" "/opt/p\\"q/$$HOME/50%%/main.cjs" "daemon" "run"',
      'Environment="PATH=/usr/bin:/bin"',
      'Environment="PLUGBOARD_HOME=/home/me/a <b> & %%h"',
      "StandardOutput=append:/home/me/100%%/daemon.log",
    ]),
  );
  expect(service?.enable.map((words) => words.join(" "))).toEqual([
    "systemctl --user daemon-reload",
    "systemctl --user enable --now plugboard.service",
  ]);
});

test("systemd's folder follows XDG_CONFIG_HOME if it is an absolute path", () => {
  const fileWith = (XDG_CONFIG_HOME: string) =>
    userService(environmentOf("linux", { XDG_CONFIG_HOME }), PROGRAM)?.file;
  expect(fileWith("/cfg")).toBe("/cfg/systemd/user/plugboard.service");
  expect(fileWith("cfg")).toBe("/home/me/.config/systemd/user/plugboard.service");
});

test("launchd gets the exact words and variables, whatever is in them", () => {
  const service = userService(environmentOf("darwin"), PROGRAM);
  expect(service?.file).toBe("/home/me/Library/LaunchAgents/dev.plugboard.daemon.plist");
  expect(service?.text).toContain('<string>/opt/p"q/$HOME/50%/main.cjs</string>');
  expect(service?.text).toContain("<key>PLUGBOARD_HOME</key><string>/home/me/a &lt;b&gt; &amp; %h</string>");
  expect(service?.enable).toEqual([["launchctl", "bootstrap", "gui/501", service?.file]]);
  expect(service?.disable).toEqual([["launchctl", "bootout", "gui/501/dev.plugboard.daemon"]]);
});

test("other systems have no service", () => {
  expect(userService(environmentOf("win32"), PROGRAM)).toBeUndefined();
});
