import { safeLine } from "../../model/index.ts";
import type { AuditEntry, AuditFilter, AuditKind, AuditOutcome } from "../../state/index.ts";
import type { Person, TeamStore } from "../../store/index.ts";
import { type Html, html, table } from "./html.ts";
import type { TeamPagesContext } from "./page-context.ts";
import {
  type Answers,
  EVERYONE,
  forRoles,
  nameOf,
  queryOf,
  type SignedInRequest,
  sendPage,
  timeText,
} from "./team-page.ts";

const PER_PAGE = 100;
const OUTCOMES: readonly AuditOutcome[] = ["ok", "tool_error", "refused", "failed", "cancelled", "timed_out"];
const KINDS: readonly AuditKind[] = ["request", "sign_in", "policy", "approval", "token", "admin"];

/** The page with the audit log: the person's own entries, or everyone's for auditors and administrators. */
export function activityAnswers(context: TeamPagesContext): Answers {
  return { "GET /activity": forRoles(context.access, EVERYONE, (asked) => show(context, asked)) };
}

async function show({ opened, access }: TeamPagesContext, asked: SignedInRequest): Promise<void> {
  const query = queryOf(asked.request);
  const given = (name: string): string | undefined => query.get(name) || undefined;
  const isReader = asked.role !== "person";
  const wanted = given("person");
  const found = isReader && wanted !== undefined ? await findPeople(opened.team, wanted) : [];
  const person = isReader ? (wanted === undefined ? undefined : (found[0]?.id ?? wanted)) : asked.person.id;
  const filter: AuditFilter = {
    person,
    server: given("server"),
    itemPart: given("item"),
    outcome: OUTCOMES.find((one) => one === given("outcome")),
    kind: KINDS.find((one) => one === given("kind")),
    before: given("before"),
    limit: PER_PAGE,
  };
  const entries = await opened.audit.read(filter);
  const names = new Map<string, string>();
  for (const id of new Set(entries.flatMap((entry) => entry.person ?? [])))
    names.set(id, await nameById(access, id));
  const rows = entries.toReversed().map((entry) => row(entry, names));
  const [first] = entries;
  query.delete("before");
  if (first !== undefined) query.append("before", first.id);
  const older =
    entries.length < PER_PAGE ? "" : html`<p><a href="/activity?${query.toString()}">Older entries</a></p>`;
  const columns = ["Time", "Person", "What", "Server", "Result", "Duration"];
  sendPage(
    asked,
    isReader ? "Activity of everyone" : "Your activity",
    html`${filters(given, isReader)}${table("Activity", columns, rows, "No entries match.")}${older}`,
  );
}

function filters(given: (name: string) => string | undefined, isReader: boolean): Html {
  const field = (name: string, label: string): Html =>
    html`<label>${label} <input name="${name}" value="${given(name) ?? ""}" size="14"></label>`;
  const choice = (name: string, label: string, values: readonly string[]): Html => {
    const options = values.map(
      (value) =>
        html`<option value="${value}"${given(name) === value ? html` selected` : ""}>${value.replace("_", " ")}</option>`,
    );
    return html`<label>${label} <select name="${name}"><option value="">any</option>${options}</select></label>`;
  };
  return html`<form method="get" action="/activity"><p>${isReader ? field("person", "Person") : ""}${field("server", "Server")}${field("item", "Tool or item")}
${choice("outcome", "Result", OUTCOMES)}${choice("kind", "Kind", KINDS)}<button>Filter</button></p></form>`;
}

function row(entry: AuditEntry, names: ReadonlyMap<string, string>): Html {
  const {
    at,
    person = "",
    method,
    item,
    server = "",
    outcome,
    decision,
    durationMs,
    kind = "request",
  } = entry;
  const isBad = outcome !== "ok";
  const rule =
    decision?.rule === undefined
      ? ""
      : html`<br><span class="soft">${decision.answer}: ${safeLine(decision.rule)}</span>`;
  return html`<tr><td>${timeText(at)}</td><td class="name">${names.get(person) ?? safeLine(entry.client.name ?? "")}</td>
<td class="name">${safeLine(item ?? "")}<br><span class="soft">${safeLine(method)}</span></td><td>${safeLine(server)}</td>
<td>${html`<span class="${isBad ? "bad" : "good"}">${outcome.replace("_", " ")}</span>`}${rule}</td><td>${kind === "request" ? `${durationMs.toFixed(0)} ms` : ""}</td></tr>`;
}

async function findPeople({ people }: Pick<TeamStore, "people">, text: string): Promise<readonly Person[]> {
  const byId = await people.get(text);
  return byId === undefined ? people.list({ search: text, limit: 1 }) : [byId];
}

/** Deleted people have no name any more. */
async function nameById({ directory }: TeamPagesContext["access"], id: string): Promise<string> {
  const person = await directory.person(id);
  return person === undefined ? `deleted (${id.slice(0, 8)})` : nameOf(person);
}
