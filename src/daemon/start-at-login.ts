import { posix } from "node:path";
import type { Environment } from "../platform/index.ts";

/** The first words of every file that `plugboard daemon install` writes. Other files are never replaced. */
export const SERVICE_MARK = "Written by `plugboard daemon install`";
const NAME = "plugboard.service";
const LABEL = "dev.plugboard.daemon";

/** The command that the service runs. */
export interface ServiceProgram {
  /** The program with its arguments. All paths are absolute. */
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** A service of the user, for systemd or launchd. */
export interface UserService {
  readonly file: string;
  readonly text: string;
  /** Commands that start it now and with each login. */
  readonly enable: readonly (readonly string[])[];
  /** Commands that stop it. */
  readonly disable: readonly (readonly string[])[];
  /** Links that the service manager may leave behind. */
  readonly links: readonly string[];
}

/** Returns the service for this system; `undefined` if it has no supported service manager. */
export function userService(
  { platform, home, variables, user }: Environment & { readonly home: string },
  program: ServiceProgram,
): UserService | undefined {
  if (platform === "linux") return systemdService(home, variables, program);
  return platform === "darwin" ? launchdService(home, user?.uid ?? 0, program) : undefined;
}

function systemdService(
  home: string,
  { XDG_CONFIG_HOME }: Environment["variables"],
  program: ServiceProgram,
): UserService {
  const config = XDG_CONFIG_HOME?.startsWith("/") ? XDG_CONFIG_HOME : posix.join(home, ".config");
  const folder = posix.join(config, "systemd/user");
  const systemctl = (...words: string[]): string[] => ["systemctl", "--user", ...words];
  return {
    file: posix.join(folder, NAME),
    text: toUnit(program),
    enable: [systemctl("daemon-reload"), systemctl("enable", "--now", NAME)],
    disable: [systemctl("disable", "--now", NAME)],
    links: [posix.join(folder, "default.target.wants", NAME)],
  };
}

function toUnit({ words, variables, logFile }: ServiceProgram): string {
  const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`;
  const environment = Object.entries(variables).map(([name, value]) => quote(`${name}=${value}`));
  const log = logFile.replaceAll("%", "%%");
  return `# ${SERVICE_MARK}. To remove it: plugboard daemon uninstall
[Unit]
Description=Plugboard daemon, which keeps MCP servers running

[Service]
ExecStart=${words.map((word) => quote(word).replaceAll("$", "$$$$")).join(" ")}
${environment.map((text) => `Environment=${text}\n`).join("")}Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=20
UMask=0077
StandardOutput=append:${log}
StandardError=append:${log}

[Install]
WantedBy=default.target
`;
}

function launchdService(home: string, uid: number, program: ServiceProgram): UserService {
  const file = posix.join(home, "Library/LaunchAgents", `${LABEL}.plist`);
  return {
    file,
    text: toPlist(program),
    enable: [["launchctl", "bootstrap", `gui/${uid}`, file]],
    disable: [["launchctl", "bootout", `gui/${uid}/${LABEL}`]],
    links: [],
  };
}

function toPlist({ words, variables, logFile }: ServiceProgram): string {
  const text = (value: string): string => `<string>${escapeXml(value)}</string>`;
  const values = Object.entries(variables).map(
    ([name, value]) => `    <key>${escapeXml(name)}</key>${text(value)}\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${SERVICE_MARK}. To remove it: plugboard daemon uninstall -->
<plist version="1.0">
<dict>
  <key>Label</key>${text(LABEL)}
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    ${text(word)}\n`).join("")}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${values.join("")}  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>20</integer>
  <key>Umask</key><integer>63</integer>
  <key>StandardOutPath</key>${text(logFile)}
  <key>StandardErrorPath</key>${text(logFile)}
</dict>
</plist>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
