import { findPerson } from "../../access/index.ts";
import { messageOf, safeLine } from "../../model/index.ts";
import type { Person, Role } from "../../store/index.ts";
import { button, type Html, html, table } from "./html.ts";
import type { TeamPagesContext } from "./page-context.ts";
import { recordChange } from "./record-change.ts";
import {
  ADMINISTRATORS,
  type Answers,
  formOf,
  forRoles,
  lastPart,
  nameOf,
  queryOf,
  READERS,
  redirect,
  type SignedInRequest,
  sendPage,
  timeText,
} from "./team-page.ts";
import { changeTokens, tokensSection } from "./tokens-page.ts";

const PER_PAGE = 100;
const ROLES: readonly Role[] = ["person", "auditor", "administrator"];

/** The pages with all people, and with one person: role, state, tokens. */
export function peopleAnswers(context: TeamPagesContext): Answers {
  const { access } = context;
  return {
    "GET /people": forRoles(access, READERS, (asked) => showAll(context, asked)),
    "POST /people": forRoles(access, ADMINISTRATORS, (asked) => add(context, asked)),
    "GET /people/*": forRoles(access, READERS, (asked) => showOne(context, asked)),
    "POST /people/*": forRoles(access, ADMINISTRATORS, (asked) => change(context, asked)),
  };
}

async function showAll(
  { opened, access }: TeamPagesContext,
  asked: SignedInRequest,
  problem?: string,
): Promise<void> {
  const query = queryOf(asked.request);
  const search = query.get("search") ?? "";
  const offset = Math.max(0, Number(query.get("offset")) || 0);
  const people = await opened.team.people.list({ search, offset, limit: PER_PAGE });
  const rows = people.map((person) => {
    const facts = access.describe(person);
    const state = person.disabledAt === undefined ? "" : html` <span class="bad">disabled</span>`;
    return html`<tr><td class="name"><a href="/people/${person.id}">${nameOf(person)}</a>${state}</td><td>${access.roleOf(person, facts)}</td>
<td>${safeLine(facts.groups.join(", "))}</td><td>${safeLine(person.issuer)}</td><td>${timeText(person.seenAt)}</td></tr>`;
  });
  const next = new URLSearchParams({ search, offset: String(offset + PER_PAGE) }).toString();
  const more = people.length < PER_PAGE ? "" : html`<p><a href="/people?${next}">More people</a></p>`;
  const form =
    asked.role === "administrator"
      ? html`<form method="post" action="/people"><fieldset><legend>Add a person</legend>
<p class="soft">People of the identity provider appear here after their first request. Add only people who use a token.</p>
<label>Name <input name="name" required maxlength="256"></label> <button class="main">Add</button></fieldset></form>`
      : "";
  sendPage(
    asked,
    "People",
    html`${problem === undefined ? "" : html`<p role="alert">${problem}</p>`}
<form method="get" action="/people"><p><label>Search <input name="search" value="${search}"></label><button>Search</button></p></form>
${table("People", ["Person", "Role", "Groups", "Identity provider", "Last used"], rows, "No people match.")}${more}${form}`,
  );
}

async function add(context: TeamPagesContext, asked: SignedInRequest): Promise<void> {
  const name = (await formOf(asked.request))?.get("name") ?? "";
  try {
    const { id } = await findPerson(context.opened.team.people, name);
    record(context, asked, "person/add", id);
    redirect(asked.response, `/people/${id}`);
  } catch (error) {
    await showAll(context, asked, safeLine(messageOf(error)));
  }
}

async function showOne(context: TeamPagesContext, asked: SignedInRequest, result?: Html): Promise<void> {
  const { opened, access } = context;
  const person = await opened.team.people.get(lastPart(asked.path));
  if (person === undefined)
    return sendPage(asked, "Unknown person", html`<p>This person does not exist, or was deleted.</p>`, 404);
  const path = `/people/${person.id}`;
  const { groups } = access.describe(person);
  const facts = html`<ul><li>Identity provider: ${safeLine(person.issuer)}, as <code>${safeLine(person.subject)}</code></li>
<li>Role: ${access.roleOf(person, access.describe(person))}</li><li>Groups: ${groups.length === 0 ? "none" : safeLine(groups.join(", "))}</li>
<li>Last used: ${timeText(person.seenAt)}</li>${person.disabledAt === undefined ? "" : html`<li class="bad">Disabled since ${timeText(person.disabledAt)}</li>`}</ul>
<p><a href="/activity?person=${person.id}">Activity</a></p>`;
  const body =
    asked.role === "administrator"
      ? html`${facts}${result ?? ""}${roleForm(person, path)}<h2>Tokens</h2>${await tokensSection(context, person, path)}
<h2>Delete</h2><p>Deletes the person with all tokens, sign-ins, secrets and approvals. Audit entries keep only a number.</p>
<form method="post" action="${path}"><input type="hidden" name="action" value="delete"><label>Type the name to confirm: <input name="confirm" autocomplete="off" required></label> <button class="bad">Delete ${nameOf(person)}</button></form>`
      : facts;
  sendPage(asked, nameOf(person), body);
}

function roleForm(person: Person, path: string): Html {
  const options = ROLES.map(
    (role) => html`<option value="${role}"${person.role === role ? html` selected` : ""}>${role}</option>`,
  );
  const isDisabled = person.disabledAt !== undefined;
  return html`<p><form class="inline" method="post" action="${path}"><input type="hidden" name="action" value="role">
<label>Role <select name="role">${options}</select></label><button>Change</button></form>
${isDisabled ? button(path, { action: "enable" }, "Enable") : button(path, { action: "disable" }, "Disable", "bad")}</p>`;
}

async function change(context: TeamPagesContext, asked: SignedInRequest): Promise<void> {
  const { people } = context.opened.team;
  const person = await people.get(lastPart(asked.path));
  const form = await formOf(asked.request);
  const action = form?.get("action");
  if (person === undefined || form === undefined) return showOne(context, asked);
  const { id } = person;
  try {
    switch (action) {
      case "role": {
        const role = ROLES.find((one) => one === form.get("role"));
        if (role !== undefined && (await people.setRole(id, role)))
          record(context, asked, `role/${role}`, id);
        break;
      }
      case "disable":
      case "enable":
        if (await people.setDisabled(id, action === "disable"))
          record(context, asked, `person/${action}`, id);
        break;
      case "delete": {
        if (form.get("confirm") !== nameOf(person))
          throw new Error("The name is not the same, so nothing was deleted.");
        await context.people().close(id);
        await people.remove(id);
        record(context, asked, "person/delete", id);
        return redirect(asked.response, "/people");
      }
      default:
        return showOne(context, asked, await changeTokens(context, asked, person, form));
    }
    redirect(asked.response, `/people/${id}`);
  } catch (error) {
    await showOne(context, asked, html`<p role="alert">${safeLine(messageOf(error))}</p>`);
  }
}

function record(
  { opened, ports }: TeamPagesContext,
  { person }: SignedInRequest,
  method: string,
  item: string,
): void {
  recordChange(opened.audit, ports.clock.now(), {
    kind: "admin",
    by: person.id,
    method,
    item,
    client: "pages",
  });
}
