import type { VNode } from "preact";
import type { PageProblem } from "../../../page-api.ts";
import { linkTo } from "../routes.ts";
import { Badge, type Tone } from "./badge.tsx";
import type { IconName } from "./icon.tsx";
import { Place } from "./place.tsx";
import { Row } from "./rows.tsx";

const LOOKS: Readonly<
  Record<PageProblem["severity"], { readonly tone: Tone; readonly icon: IconName; readonly text: string }>
> = {
  error: { tone: "bad", icon: "cross", text: "Error" },
  warning: { tone: "warn", icon: "warning", text: "Warning" },
  info: { tone: "info", icon: "info", text: "Note" },
};

/** Problems of config files and tools, each with its place and its solution. */
export function Problems({ problems }: { readonly problems: readonly PageProblem[] }): VNode {
  return (
    <ul class="rows">
      {problems.map((problem, index) => (
        <Row key={index} isTop lead={<Badge {...(LOOKS[problem.severity] ?? LOOKS.info)} />}>
          <p>{problem.message}</p>
          {problem.hint === undefined ? null : <p class="soft">{problem.hint}</p>}
          <p class="small">
            {problem.server === undefined ? null : (
              <>
                <a href={linkTo("servers", [problem.server])}>{problem.server}</a>{" "}
              </>
            )}
            {problem.place === undefined ? null : <Place place={problem.place} />}{" "}
            <code class="soft">{problem.code}</code>
          </p>
        </Row>
      ))}
    </ul>
  );
}
