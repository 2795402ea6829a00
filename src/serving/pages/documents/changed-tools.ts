import { shellWord } from "../../../model/index.ts";
import type { PinReport } from "../../../operations/index.ts";
import type { ChangedToolsRow } from "../api/approval-documents.ts";
import type { PageContext } from "../page-context.ts";
import { PageFailure, unknownItem } from "../page-failure.ts";
import type { KnownLists } from "../page-lists.ts";
import { isShownWhole } from "../safe-document.ts";

interface Changed {
  readonly lists: KnownLists;
  readonly report: PinReport;
}

/** Returns the servers whose tools changed since a person reviewed them, as far as their lists are known. Starts none. */
export async function serversWithChangedTools({ lists }: Pick<PageContext, "lists">): Promise<Changed[]> {
  const { known } = await lists.all();
  const compared = await Promise.all(
    known.map(async (one) => ({
      lists: one,
      report: await one.workspace.pins.check(one.server, one.catalog.tools),
    })),
  );
  return compared.filter(({ report }) => needsReview(report));
}

function needsReview({ policy, differences, unreadable }: PinReport): boolean {
  return policy !== "off" && (differences.length > 0 || unreadable !== undefined);
}

/** More would not fit into the document. After some are accepted, others are shown. */
const MOST_ROWS = 24;

export async function changedTools(context: PageContext): Promise<ChangedToolsRow[]> {
  const changed = (await serversWithChangedTools(context)).slice(0, MOST_ROWS);
  return changed.map(({ report }) => {
    const row = describeReport(report);
    if (isShownWhole(row)) return row;
    const unreadable = `The changes are too large to be shown here. To review them: plugboard pins ${shellWord(row.server)}`;
    return { ...row, tools: [], findings: [], unreadable };
  });
}

function describeReport({
  server,
  hash,
  isFirst,
  policy,
  takenAt,
  differences,
  findings,
  unreadable,
}: PinReport): ChangedToolsRow {
  return {
    server,
    hash,
    isFirst,
    isHeld: policy === "hold",
    ...(takenAt !== undefined && { reviewedAt: takenAt }),
    tools: differences.map(({ tool, kind, changes }) => ({
      tool,
      kind,
      changes: changes.map(({ field, before, after }) => ({
        field,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      })),
    })),
    findings,
    ...(unreadable !== undefined && { unreadable }),
  };
}

/** Records that a person reviewed the tools with this hash, if all of them could be shown. */
export async function acceptTools(
  { gateway, lists }: PageContext,
  name: string,
  hash: string,
): Promise<void> {
  const server = lists.server(name);
  const known = await lists.find(server);
  if (known === undefined) throw unknownItem(`The tools of "${name}" are not known.`);
  const { workspace, catalog } = known;
  const report = await workspace.pins.check(server, catalog.tools);
  if (!isShownWhole(describeReport(report)))
    throw new PageFailure(
      400,
      "PAGE_NOT_ALLOWED",
      "These tools are too large to be reviewed here.",
      `To review them: plugboard pins ${shellWord(name)}`,
    );
  await workspace.pins.accept(server, catalog.tools, hash);
  gateway.workspace.toolsChanged(name); // sessions of this host
  gateway.listeners.listChanged(name, "tools"); // clients of the gateway
}
