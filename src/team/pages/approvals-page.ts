import { safeLine, safeText } from "../../model/index.ts";
import { type Html, html } from "./html.ts";
import type { TeamPagesContext } from "./page-context.ts";
import { recordChange } from "./record-change.ts";
import {
  type Answers,
  EVERYONE,
  formOf,
  forRoles,
  nameOf,
  redirect,
  type SignedInRequest,
  sendPage,
  timeText,
} from "./team-page.ts";

/** The page with the calls that wait for a decision: the person's own calls, or all calls for administrators. */
export function approvalAnswers(context: TeamPagesContext): Answers {
  const { access } = context;
  return {
    "GET /approvals": forRoles(access, EVERYONE, (asked) => show(context, asked)),
    "POST /approvals": forRoles(access, EVERYONE, (asked) => decide(context, asked)),
  };
}

async function show({ opened, access }: TeamPagesContext, asked: SignedInRequest): Promise<void> {
  const { person, role } = asked;
  const waiting = await opened.team.callApprovals.waiting(role === "administrator" ? undefined : person.id);
  const cards: Html[] = [];
  for (const { id, person: owner, server, tool, shown, createdAt } of waiting) {
    const other = owner === person.id ? undefined : await access.directory.person(owner);
    const who = other === undefined ? "You" : nameOf(other);
    cards.push(html`<fieldset><legend>${safeLine(tool)} at ${safeLine(server)}</legend>
<p class="soft">${who}, ${timeText(createdAt)}</p>
<pre tabindex="0">${safeText(JSON.stringify(shown, undefined, 2))}</pre>
<form method="post" action="/approvals"><input type="hidden" name="id" value="${id}">
<button class="main" name="decision" value="allowed">Allow once</button> <button name="decision" value="denied">Deny</button></form></fieldset>`);
  }
  const text = html`<p>These calls need your approval. After you allow one, the client must make it again. An approval covers one execution with exactly these arguments.</p>${cards}`;
  sendPage(
    asked,
    "Approvals",
    cards.length === 0 ? html`<p class="soft">No call waits for approval.</p>` : text,
  );
}

async function decide({ opened, ports }: TeamPagesContext, asked: SignedInRequest): Promise<void> {
  const { request, response, person, role } = asked;
  const form = await formOf(request);
  const [id, decision] = [form?.get("id") ?? "", form?.get("decision")];
  const { callApprovals } = opened.team;
  const call = await callApprovals.get(id);
  const mayDecide = call !== undefined && (call.person === person.id || role === "administrator");
  if (mayDecide && (decision === "allowed" || decision === "denied")) {
    if (await callApprovals.decide(id, decision, person.id))
      recordChange(opened.audit, ports.clock.now(), {
        kind: "approval",
        by: person.id,
        method: `approval/${decision}`,
        item: call.tool,
        server: call.server,
        client: "pages",
      });
  }
  redirect(response, "/approvals");
}
