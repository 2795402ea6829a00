import type { SignInView } from "../../auth/index.ts";
import { isJsonObject } from "../../model/index.ts";
import { expandForDisplay } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";

/** Returns all sign-ins. Shows placeholders instead of resolved values in URLs and client ids. */
export async function listSignIns(workspace: Workspace): Promise<SignInView[]> {
  const views = await (await workspace.auth()).list();
  return views.map((view) => showSignIn(workspace, view));
}

export function showSignIn({ inventory, environment }: Workspace, view: SignInView): SignInView {
  for (const { launch, declaration } of inventory().servers.values()) {
    if (launch === undefined || !("url" in launch) || view.url === undefined) continue;
    const { fields } = declaration;
    const url = expandForDisplay("url", launch.url.replace(/[?#].*$/s, ""), declaration, environment);
    if (!URL.canParse(url.text) || keyOf(url.text) !== view.url) continue;
    const { oauth } = fields;
    const id = isJsonObject(oauth) && typeof oauth["clientId"] === "string" ? oauth["clientId"] : "";
    const client = expandForDisplay("oauth.clientId", id, declaration, environment);
    return {
      ...view,
      ...(url.shown !== url.text && { url: url.shown }),
      ...(client.text === view.clientId && { clientId: client.shown }),
    };
  }
  return view;
}

/** Sign-ins are stored by URL without the query. */
function keyOf(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}
