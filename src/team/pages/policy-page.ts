import { isJsonObject, type JsonObject, messageOf, safeLine } from "../../model/index.ts";
import { type PolicyDocument, readPolicy } from "../../policy/index.ts";
import { compareRules, type RuleComparison } from "../compare-rules.ts";
import { type Html, html, table } from "./html.ts";
import type { TeamPagesContext } from "./page-context.ts";
import { recordChange } from "./record-change.ts";
import {
  ADMINISTRATORS,
  type Answers,
  formOf,
  forRoles,
  nameOf,
  READERS,
  type SignedInRequest,
  sendPage,
} from "./team-page.ts";

const EMPTY: JsonObject = { rules: [] };

/** The policy editor. Before saving, it shows what would change for each person. */
export function policyAnswers(context: TeamPagesContext): Answers {
  return {
    "GET /policy": forRoles(context.access, READERS, (asked) => show(context, asked)),
    "POST /policy": forRoles(context.access, ADMINISTRATORS, (asked) => change(context, asked)),
  };
}

/** The editor's content. */
interface Draft {
  readonly text: string;
  readonly revision: string;
  readonly result?: Html;
  /** Whether the draft was checked, so that it can be saved. */
  readonly isChecked?: boolean;
}

async function show(
  { opened, policy, policySource }: TeamPagesContext,
  asked: SignedInRequest,
  draft?: Draft,
): Promise<void> {
  const current = await opened.team.policies.current();
  const {
    text,
    revision,
    result,
    isChecked = false,
  } = draft ?? {
    text: JSON.stringify(policySource() ?? current?.document ?? EMPTY, undefined, 2),
    revision: String(current?.revision ?? ""),
  };
  const isFixed = policy.isFromFile;
  const intro = isFixed
    ? html`<p role="status">The policy is in the gateway's config file. Here you can test another one; to edit the policy here, remove "policy" from the file.</p>`
    : html`<p>Rules apply in order; the first one that fits decides. Without one, everything is denied.</p>`;
  const readOnly = asked.role === "administrator" ? "" : html` readonly`;
  const save =
    isFixed || !isChecked ? "" : html` <button class="main" name="action" value="save">Save</button>`;
  const buttons =
    asked.role === "administrator"
      ? html`<p><button name="action" value="check">Show what would change</button>${save}</p>`
      : "";
  sendPage(
    asked,
    "Policy",
    html`${intro}${result ?? ""}<form method="post" action="/policy"><input type="hidden" name="revision" value="${revision}">
<p><label>Policy${revision === "" ? "" : ` (revision ${revision})`}</label></p><textarea name="text" aria-label="Policy" spellcheck="false"${readOnly}>${text}</textarea>${buttons}</form>`,
  );
}

async function change(context: TeamPagesContext, asked: SignedInRequest): Promise<void> {
  const { opened, policy, access, subjects, ports } = context;
  const form = await formOf(asked.request);
  const [text, revision] = [form?.get("text") ?? "", form?.get("revision") ?? ""];
  const read = readText(text);
  if ("problems" in read) {
    const lines = read.problems.map((problem) => html`<li>${safeLine(problem)}</li>`);
    const result = html`<div role="alert"><p>The policy is not valid:</p><ul>${lines}</ul></div>`;
    return show(context, asked, { text, revision, result });
  }
  if (form?.get("action") === "save" && !policy.isFromFile) {
    const expected = revision === "" ? undefined : Number(revision);
    const saved = await opened.team.policies.add(read.source, asked.person.id, expected);
    if (saved !== undefined) {
      await policy.refresh();
      const change = { kind: "policy", by: asked.person.id, method: "policy/save", client: "pages" } as const;
      recordChange(opened.audit, ports.clock.now(), { ...change, item: `revision ${saved.revision}` });
      const result = html`<p role="status">Saved. All gateways use it within two seconds.</p>`;
      return show(context, asked, { text, revision: String(saved.revision), result });
    }
    const result = html`<p role="alert">Another administrator has changed the policy. Copy your changes, and <a href="/policy">load the page again</a>.</p>`;
    return show(context, asked, { text, revision, result });
  }
  const source = { access, team: opened.team, audit: opened.audit, known: await subjects() };
  const result = comparisonText(await compareRules(source, policy.document, read.document));
  return show(context, asked, { text, revision, result, isChecked: true });
}

type ReadText =
  | { readonly document: PolicyDocument; readonly source: JsonObject }
  | { readonly problems: readonly string[] };

function readText(text: string): ReadText {
  const problems: string[] = [];
  try {
    const source = JSON.parse(text) as JsonObject;
    const document = readPolicy(source, "deny", (path, message) => {
      problems.push(`${path.join(".")} ${message}`.trim());
    });
    if (document !== undefined && isJsonObject(source)) return { document, source };
  } catch (error) {
    problems.push(messageOf(error));
  }
  return { problems };
}

function comparisonText({ changes, people, subjects, isIncomplete }: RuleComparison): Html {
  const compared = `Compared ${people} people and ${subjects} tools, resources and prompts that are known or were used.`;
  const rows = changes.map(
    ({ person, subject, before, after, rule }) =>
      html`<tr><td class="name">${nameOf(person)}</td><td>${safeLine(subject.server)}</td><td class="name">${safeLine(subject.item ?? "")}</td>
<td>${before}</td><td><b>${after}</b></td><td class="name">${safeLine(rule)}</td></tr>`,
  );
  return html`<h2>What would change for whom</h2><p class="soft">${compared}${isIncomplete ? " There is more than this." : ""} Tokens with fewer rights are not considered.</p>
${table("Changes", ["Person", "Server", "Tool or item", "Now", "Then", "Rule"], rows, "Nothing would change.")}`;
}
