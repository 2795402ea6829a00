import type { ComponentChildren, VNode } from "preact";

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ComponentChildren;
  /** Numbers are aligned at the right. */
  readonly isNumber?: boolean;
  /** The first column names the row. */
  readonly isHead?: boolean;
  /** Has a title for screen readers only. */
  readonly isUntitled?: boolean;
  readonly wide?: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Keeps the table's form on small screens, where it scrolls instead. For numbers. */
  readonly isDense?: boolean;
}

/**
 * A table. On small screens, each row becomes a block with the titles of the columns beside the values. The roles are given because that
 * form would remove them.
 */
export function Table<Row>({ caption, columns, rows, keyOf, isDense = false }: TableProps<Row>): VNode {
  return (
    <div
      class={isDense ? "scroll" : "table-box"}
      data-scroll={isDense ? "" : undefined}
      {...(isDense ? { tabIndex: 0, role: "group", "aria-label": caption } : {})}
    >
      <table class={isDense ? "table dense" : "table"} role="table">
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, isNumber, isUntitled }) => (
              <th
                key={title}
                scope="col"
                role="columnheader"
                class={isNumber === true ? "number" : undefined}
              >
                {isUntitled === true ? <span class="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }): VNode {
  const classes = [column.isNumber === true && "number", column.wide === true && "wide"]
    .filter(Boolean)
    .join(" ");
  const content = column.show(row);
  if (column.isHead === true)
    return (
      <th scope="row" role="rowheader" class={classes}>
        {content}
      </th>
    );
  return (
    <td role="cell" class={classes} data-label={column.isUntitled === true ? undefined : column.title}>
      <div class="value">{content}</div>
    </td>
  );
}
