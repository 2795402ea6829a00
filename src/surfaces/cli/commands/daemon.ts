import type { Command } from "../../shared/command.ts";

export const daemon: Command = {
  name: "daemon",
  summary: "Keep servers running in the background, for all your programs.",
  parameters: "start | stop | restart | status | run | install | uninstall",
  notes: [
    "start    start the daemon; from then on, serve --stdio and commands start it when they need it",
    "stop     let running calls finish, then end the daemon and its servers",
    "status   show whether it runs, its clients and its servers",
    "run      run it in this process, for service managers",
    "install  start it with each login, as a service of systemd or launchd; uninstall removes the service",
    "It reads your config files and approvals like every command, and accepts no commands to run from other programs.",
    'To never start it automatically: "daemon": "off" in settings.json',
  ],
  words: { least: 1, most: 1 },
  flags: {
    keep: { type: "boolean", summary: "with run: keep running without clients" },
    print: {
      type: "boolean",
      summary: "with install: show the service's file and commands, and change nothing",
    },
  },
  examples: ["plugboard daemon start", "plugboard daemon status --json"],
  run: async (context) => (await import("./daemon.lazy.ts")).daemon(context),
};
