import type { VNode } from "preact";
import type { ToolDetails } from "../../../page-api.ts";
import { useRight } from "../gateway/context.ts";
import { pathOf } from "../gateway/request.ts";
import { useDocument } from "../gateway/use-document.ts";
import { DecisionBadge } from "../parts/badge.tsx";
import { CodeBlock } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { Notice } from "../parts/notice.tsx";
import { Card, DocumentView, Page, ReadOnly } from "../parts/page.tsx";
import { linkTo } from "../routes.ts";
import { count } from "../text/format.ts";
import { hintsText } from "./tools.tsx";
import { TryTool } from "./try-tool.tsx";

interface ToolPageProps {
  readonly server: string;
  readonly tool: string;
}

export function ToolPage({ server, tool }: ToolPageProps): VNode {
  const document = useDocument<ToolDetails>(pathOf("tools", server, tool), "tools");
  const canCall = useRight("tools.call");
  const details = document.data;
  return (
    <Page
      title={tool}
      parent={{ title: "Tools", link: linkTo("tools") }}
      badge={details === undefined ? undefined : <DecisionBadge decision={details.decision} />}
    >
      <ReadOnly right="tools.call" what="call tools" />
      <DocumentView document={document} what="the tool">
        {(data) => (
          <>
            {data.findings.length === 0 ? null : (
              <Notice
                tone="warn"
                title="The definition seems to give the model instructions. Read it before you use the tool."
              >
                <ul>
                  {data.findings.map((finding) => (
                    <li key={finding}>{finding}</li>
                  ))}
                </ul>
              </Notice>
            )}
            <Definition tool={data} />
            {canCall ? <TryTool key={JSON.stringify([server, tool])} tool={data} /> : null}
            <Schemas tool={data} />
          </>
        )}
      </DocumentView>
    </Page>
  );
}

function Definition({ tool }: { readonly tool: ToolDetails }): VNode {
  return (
    <Card id="definition" title="Definition">
      <Facts
        facts={[
          [
            "Server",
            <a key="server" href={linkTo("servers", [tool.server])}>
              {tool.server}
            </a>,
          ],
          ["Title", tool.title === tool.tool || tool.title === "" ? undefined : tool.title],
          [
            "Description",
            <p key="text" class="prose">
              {tool.description}
            </p>,
          ],
          [
            "Policy",
            <span key="policy">
              <DecisionBadge decision={tool.decision} /> <span>{tool.rule}</span>
            </span>,
          ],
          ["The server says", `${hintsText(tool.annotations)} (not verified)`],
          ["Cost", `about ${count(tool.tokens)} tokens in each request of a model`],
        ]}
      />
    </Card>
  );
}

function Schemas({ tool }: { readonly tool: ToolDetails }): VNode {
  return (
    <Card id="schemas" title="Schemas">
      <details>
        <summary>Arguments</summary>
        <CodeBlock text={JSON.stringify(tool.inputSchema, undefined, 2)} what="the schema of the arguments" />
      </details>
      {tool.outputSchema === undefined ? null : (
        <details>
          <summary>Structured result</summary>
          <CodeBlock text={JSON.stringify(tool.outputSchema, undefined, 2)} what="the schema of the result" />
        </details>
      )}
    </Card>
  );
}
