import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/page.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { useWidth } from "./use-width.ts";

export interface LegendEntry {
  readonly name: string;
  readonly series: string;
}

interface ChartProps<Row> {
  readonly id: string;
  readonly title: string;
  /** What the chart shows, in one sentence with numbers. */
  readonly summary: string;
  readonly legend?: readonly LegendEntry[];
  readonly actions?: ComponentChildren;
  /** Whether there is nothing to draw. The summary then explains that. */
  readonly isEmpty?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly children: (width: number) => ComponentChildren;
}

/** A chart with a summary, and the same numbers as a table. */
export function Chart<Row>(props: ChartProps<Row>): VNode {
  const { id, title, summary, legend = [], isEmpty = false, columns, rows, keyOf, children } = props;
  const [isTable, setTable] = useState(false);
  const [box, width] = useWidth();
  return (
    <Card
      id={id}
      title={title}
      note={summary}
      actions={
        <>
          {props.actions}
          {isEmpty ? null : (
            <Button kind="quiet" small onClick={() => setTable(!isTable)} about={`: ${title}`}>
              {isTable ? "Show chart" : "Show table"}
            </Button>
          )}
        </>
      }
    >
      {isEmpty ? null : isTable ? (
        <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} isDense />
      ) : (
        <>
          <div ref={box} class="chart" role="img" aria-label={`${title}. ${summary}`}>
            {width > 0 ? children(width) : null}
          </div>
          {legend.length === 0 ? null : <Legend entries={legend} />}
        </>
      )}
    </Card>
  );
}

function Legend({ entries }: { readonly entries: readonly LegendEntry[] }): VNode {
  return (
    <ul class="legend" aria-hidden="true">
      {entries.map(({ name, series }) => (
        <li key={name}>
          <svg width="12" height="12" viewBox="0 0 12 12" class={`mark ${series}`} focusable="false">
            <rect x="1" y="1" width="10" height="10" rx="2" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
