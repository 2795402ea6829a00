import { createToken, type TokenScopes } from "../../access/index.ts";
import { messageOf, safeLine } from "../../model/index.ts";
import type { AccessToken, Person } from "../../store/index.ts";
import { button, type Html, html, table } from "./html.ts";
import type { TeamPagesContext } from "./page-context.ts";
import { recordChange } from "./record-change.ts";
import {
  type Answers,
  EVERYONE,
  formOf,
  forRoles,
  nameOf,
  type SignedInRequest,
  sendPage,
  timeText,
} from "./team-page.ts";

const DAY_MS = 86_400_000;

/** The page with the person's own tokens. */
export function tokenAnswers(context: TeamPagesContext): Answers {
  return {
    "GET /tokens": forRoles(context.access, EVERYONE, (asked) => showOwn(context, asked)),
    "POST /tokens": forRoles(context.access, EVERYONE, async (asked) =>
      showOwn(context, asked, await changeTokens(context, asked, asked.person, await formOf(asked.request))),
    ),
  };
}

async function showOwn(context: TeamPagesContext, asked: SignedInRequest, result?: Html): Promise<void> {
  const tokens = await tokensSection(context, asked.person, "/tokens");
  sendPage(
    asked,
    "Your tokens",
    html`<p>A token lets a program use this gateway as you. It is shown once, when you create it.</p>${result ?? ""}${tokens}`,
  );
}

/** Returns a person's tokens, and a form for a new one. */
export async function tokensSection(
  { opened, servers, bundles, ports }: TeamPagesContext,
  person: Person,
  action: string,
): Promise<Html> {
  const now = ports.clock.now();
  const rows = (await opened.team.tokens.list(person.id)).map(
    (token) =>
      html`<tr><td class="name">${safeLine(token.name)}</td><td>${scopeText(token)}</td><td>${timeText(token.usedAt)}</td>
<td>${token.revokedAt !== undefined ? "revoked" : token.expiresAt <= now ? "expired" : html`until ${timeText(token.expiresAt)}`}</td>
<td>${isValid(token, now) ? button(action, { action: "revoke", token: token.id }, "Revoke", "bad") : ""}</td></tr>`,
  );
  const boxes = (name: string, all: readonly string[]): readonly Html[] =>
    all.map(
      (one) => html`<label><input type="checkbox" name="${name}" value="${one}"> ${safeLine(one)}</label>`,
    );
  const chosenBundles = boxes(
    "bundle",
    bundles().map(({ id }) => id),
  );
  return html`${table("Tokens", ["Name", "For", "Last used", "State", "Change"], rows, "There are no tokens.")}
<form method="post" action="${action}"><fieldset><legend>New token</legend><input type="hidden" name="action" value="create">
<p><label>Name <input name="name" required maxlength="64" placeholder="laptop"></label>
<label>Valid for <input name="days" type="number" min="1" max="365" value="90" required> days</label></p>
<p>Only these servers. Without a choice, all that the person may use:<br>${boxes("server", servers())}</p>
${chosenBundles.length === 0 ? "" : html`<p>Only these bundles:<br>${chosenBundles}</p>`}
<p><label><input type="checkbox" name="readOnly" value="yes"> Only tools that trusted servers declare as read-only</label></p>
<button class="main">Create token</button></fieldset></form>`;
}

/** Creates or revokes a token of a person. Returns what to show. */
export async function changeTokens(
  { opened, ports, servers, bundles }: TeamPagesContext,
  { person: by }: SignedInRequest,
  owner: Person,
  form: URLSearchParams | undefined,
): Promise<Html> {
  const { tokens } = opened.team;
  const now = ports.clock.now();
  const record = (method: string, item: string): void =>
    recordChange(opened.audit, now, { kind: "token", by: by.id, method, item, client: "pages" });
  if (form?.get("action") === "revoke") {
    const id = form.get("token") ?? "";
    const isOwn = (await tokens.list(owner.id)).some((token) => token.id === id);
    if (isOwn && (await tokens.revoke(id))) record("token/revoke", id);
    return html`<p role="status">Revoked. Gateways refuse the token within two seconds.</p>`;
  }
  if (form?.get("action") !== "create") return html`<p role="alert">Unknown action.</p>`;
  const known = (name: string, all: readonly string[]): readonly string[] | undefined => {
    const chosen = form.getAll(name).filter((one) => all.includes(one));
    return chosen.length === 0 ? undefined : chosen;
  };
  const onlyServers = known("server", servers());
  const onlyBundles = known(
    "bundle",
    bundles().map(({ id }) => id),
  );
  const scopes: TokenScopes = {
    ...(onlyServers && { servers: onlyServers }),
    ...(onlyBundles && { bundles: onlyBundles }),
    ...(form.get("readOnly") === "yes" && { readOnly: true }),
  };
  try {
    const lifetimeMs = Number(form.get("days")) * DAY_MS;
    const wanted = { person: owner.id, name: form.get("name") ?? "", scopes, lifetimeMs };
    const { text, token } = await createToken(tokens, wanted, now);
    record("token/create", token.id);
    return html`<p role="status">Token "${safeLine(token.name)}" of ${nameOf(owner)}. Copy it now; it is not shown again:<br><code>${text}</code></p>`;
  } catch (error) {
    return html`<p role="alert">${safeLine(messageOf(error))}</p>`;
  }
}

function isValid({ revokedAt, expiresAt }: AccessToken, now: number): boolean {
  return revokedAt === undefined && expiresAt > now;
}

function scopeText({ scopes }: AccessToken): string {
  const named = Object.entries(scopes).map(([key, value]) =>
    Array.isArray(value) ? safeLine(`${key} ${value.join(", ")}`) : "read-only",
  );
  return named.length === 0 ? "everything" : named.join("; ");
}
