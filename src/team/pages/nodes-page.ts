import { safeLine } from "../../model/index.ts";
import { html, table } from "./html.ts";
import type { TeamPagesContext } from "./page-context.ts";
import { type Answers, forRoles, READERS, type SignedInRequest, sendPage } from "./team-page.ts";

/** The page with the team's gateways and the state of the database. */
export function nodeAnswers(context: TeamPagesContext): Answers {
  return { "GET /nodes": forRoles(context.access, READERS, (asked) => show(context, asked)) };
}

async function show({ opened, people }: TeamPagesContext, asked: SignedInRequest): Promise<void> {
  const { isUp, spooledEntries, lostEntries } = opened.health();
  const nodes = (await opened.shared?.nodes.list()) ?? [];
  const rows = nodes.map(
    ({ id, version, address, isDraining, ageMs }) =>
      html`<tr><td class="name"><code>${id.slice(0, 8)}</code></td><td>${safeLine(version)}</td><td>${safeLine(address ?? "")}</td>
<td>${isDraining ? "draining" : ageMs < 15_000 ? html`<span class="good">running</span>` : html`<span class="bad">no heartbeat</span>`}</td><td>${(ageMs / 1_000).toFixed(0)} s ago</td></tr>`,
  );
  const where =
    opened.shared === undefined
      ? html`<p>This gateway keeps its data in files, so it is the only one. To run several, add a database to its config file.</p>`
      : table("Gateways", ["Gateway", "Version", "Address", "State", "Heartbeat"], rows, "None.");
  sendPage(
    asked,
    "Gateways",
    html`${where}
<h2>This gateway</h2>
<ul><li>Store: ${isUp ? html`<span class="good">reachable</span>` : html`<span class="bad">not reachable</span>`}</li>
<li>Audit entries that wait for the store: ${String(spooledEntries)}</li><li>Audit entries that were lost: ${String(lostEntries)}</li>
<li>People who use it now: ${String(people().size)}</li></ul>`,
  );
}
