import { safeLine } from "../../model/index.ts";
import { signOutServer, type Workspace } from "../../operations/index.ts";
import { button, type Html, html, table } from "./html.ts";

/** Shows a person's sign-ins with the available actions. */
export async function connectionsPage(
  workspace: Workspace,
  name: string,
  sees: (server: string) => boolean,
): Promise<Html> {
  const signIns = await (await workspace.auth()).list();
  const remote = Array.from(workspace.inventory().servers.values()).filter(
    (server) => server.transport !== "stdio" && sees(server.name),
  );
  const rows = remote.map(({ name: server, launch }) => {
    const url = launch !== undefined && "url" in launch ? launch.url : "";
    const mine = signIns.filter((signIn) => signIn.url === url);
    const state = mine.map(({ account, state: now }) => safeLine(`${account}: ${now}`)).join(", ");
    return html`<tr><td>${safeLine(server)}</td><td>${state === "" ? "not signed in" : state}</td>
<td>${change("sign-in", server, state === "" ? "Sign in" : "Sign in again")} ${mine.length === 0 ? "" : change("sign-out", server, "Sign out")}</td></tr>`;
  });
  return html`<p>You are ${name}.</p>
${table("Sign-ins", ["Server", "Account", "Change"], rows, "No server needs a sign-in.")}
<form method="post" action="/logout"><p><button>Sign out of this gateway</button></p></form>`;
}

function change(action: string, server: string, label: string): Html {
  return button("/connections", { action, server }, label);
}

/** Performs the action of a button on the page. Returns a server to sign in to, if that is what the person wants. */
export async function changeConnection(
  workspace: Workspace,
  form: URLSearchParams,
  sees: (server: string) => boolean,
): Promise<string | undefined> {
  const server = form.get("server") ?? "";
  if (!workspace.inventory().servers.has(server) || !sees(server)) return undefined;
  if (form.get("action") === "sign-in") return server;
  if (form.get("action") === "sign-out") await signOutServer(workspace, server, undefined);
  return undefined;
}
