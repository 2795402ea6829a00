import { type Host, HostError, isHostError, messageOf, type ServerView } from "../../../index.ts";
import { safeLine, safeText } from "../../../terminal.ts";
import type { Command, ExitCode } from "../../shared/command.ts";
import { login } from "../../shared/commands/login.ts";
import { logout } from "../../shared/commands/logout.ts";
import { reload as reloadOnce } from "../../shared/commands/reload.ts";
import { count } from "../../shared/render/server-list.ts";
import { signIn } from "../../shared/sign-in.ts";

/** `/mcp reauth`: signs in again, unless the server works without OAuth. */
export const reauth: Command = {
  ...login,
  name: "reauth",
  aliases: [],
  summary: "Sign in to a remote server again.",
  examples: login.examples.map((example) => example.replace(" login ", " reauth ")),
  async run(context) {
    const [server = ""] = context.words;
    const { json, printJson, terminal, style } = context;
    const host = await context.openHost();
    if (!json) terminal.out(`Reauthorizing "${safeLine(server)}"...\n`);
    const without = async (): Promise<ExitCode> => {
      await host.connect(server);
      terminal.out("Server connection succeeded without OAuth; reauthorization is not required.\n");
      return 0;
    };
    const { url, headers = [], source } = viewOf(host, server) ?? {};
    const isAnonymous = url === undefined || headers.some((name) => /^authorization$/i.test(name));
    if (source !== undefined && isAnonymous) return without();
    try {
      const signedIn = await signIn(host, server, context);
      await host.connect(server);
      if (json) printJson(signedIn);
    } catch (error) {
      // The server names no authorization server. It may work without sign-in.
      if (!isHostError(error, "AUTH_REQUIRED")) throw error;
      return without().catch(() => {
        throw error;
      });
    }
    if (!json)
      terminal.out(
        `${style.good("✓")} Reauthorized "${safeLine(server)}" (${source?.scope ?? "user"} config)\n`,
      );
    return 0;
  },
};

function viewOf(host: Host, server: string): ServerView | undefined {
  return host.servers().find(({ name }) => name === server);
}

export const unauth: Command = {
  ...logout,
  name: "unauth",
  aliases: [],
  examples: logout.examples.map((example) => example.replace(" logout ", " unauth ")),
  async run({ words: [server = ""], flags, json, printJson, terminal, style, openHost }) {
    const { account } = flags;
    const accounts = await (await openHost()).signIns.logout(
      server,
      typeof account === "string" ? { account } : {},
    );
    const name = safeLine(server);
    if (json) printJson({ server, accounts });
    else if (accounts.length === 0) terminal.out(`No stored OAuth auth to remove for "${name}".\n`);
    else {
      const others = accounts.filter((other) => other !== "default").map(safeLine);
      const which = others.length === 0 ? "" : ` (${others.join(", ")})`;
      terminal.out(`${style.bad("-")} Cleared auth for "${name}"${which}\n`);
    }
    return 0;
  },
};

export const reconnect: Command = {
  name: "reconnect",
  summary: "Close the connection to a server and open a new one.",
  parameters: "<server>",
  words: { least: 1, most: 1 },
  flags: {},
  examples: ["plugboard reconnect github", "plugboard reconnect github --json"],
  async run({ words: [server = ""], json, printJson, terminal, style, openHost, signal }) {
    const host = await openHost();
    host.approvals.request(server); // throws if the server is unknown
    const closeServer = (): void => void host.close(server);
    signal.addEventListener("abort", closeServer, { once: true });
    try {
      await host.close(server);
      const { protocolVersion } = await host.connect(server);
      const tools = await host.tools(server, { refresh: true });
      if (json) printJson({ server, protocolVersion, tools: tools.length });
      else
        terminal.out(
          `${style.good("●")} Reconnected to "${safeLine(server)}" ${style.dim(`· ${count(tools.length, "tool")}`)}\n`,
        );
      return 0;
    } catch (error) {
      if (!isHostError(error) || !/^CONNECT(?:ION)?_/.test(error.code)) throw error;
      const message = `Failed to reconnect to "${server}". Check server status and logs.`;
      const why = [error.message, error.hint].filter(Boolean).join("\n");
      throw new HostError(error.code, message, { server, hint: why, cause: error });
    } finally {
      signal.removeEventListener("abort", closeServer);
    }
  },
};

/** `/mcp reload`: rereads the config files and connects to every server that may run. */
export const reload: Command = {
  ...reloadOnce,
  async run({ json, printJson, terminal, style, openHost }) {
    const host = await openHost();
    if (!json) terminal.out(`${style.dim("Reloading MCP servers and runtime tools...")}\n`);
    await host.reload({ hard: true, connect: false });
    await host.connectAll();
    const servers = host.servers();
    const tools = await host.tools({ connect: false });
    const inState = (...states: readonly string[]): typeof servers =>
      servers.filter(({ state }) => states.includes(state));
    if (json) {
      printJson({ servers });
      return 0;
    }
    const connected = inState("connected");
    const connecting = inState("installing", "connecting", "reconnecting").length;
    const untrusted = inState("untrusted").map(({ name }) => safeLine(name));
    const failed = inState("failed", "needs_auth", "needs_client_registration", "invalid");
    const toolsOf = (name: string): string =>
      count(tools.filter(({ server }) => server === name).length, "tool");
    terminal.out(
      [
        `${style.good("✓")} MCP reload complete`,
        `  Connected: ${connected.length}`,
        ...connected.map(
          ({ name }) =>
            `    ${style.good("●")} ${style.name(safeLine(name))} ${style.dim(`· ${toolsOf(name)}`)}`,
        ),
        ...(connecting > 0 ? [`  Connecting: ${connecting}`] : []),
        ...(untrusted.length > 0
          ? [`  Not approved: ${untrusted.join(", ")}. To approve: /mcp trust <server>`]
          : []),
        ...(failed.length > 0 ? [`${style.warn("!")} Some servers failed to connect:`] : []),
        ...failed.map(({ name, because = "" }) => `  ${safeLine(name)}: ${safeText(messageOf(because))}`),
        "",
      ].join("\n"),
    );
    return 0;
  },
};
