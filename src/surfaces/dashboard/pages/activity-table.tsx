import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ActivityRow } from "../../../page-api.ts";
import type { Activity } from "../gateway/use-activity.ts";
import { OutcomeBadge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Time } from "../parts/time.tsx";
import { useWindowed, type Windowed } from "../parts/windowed.ts";
import { milliseconds, plural } from "../text/format.ts";

const TITLES = ["Time", "Outcome", "Item", "Client", "Duration"];
/** Older rows are loaded before the end of the list is reached. */
const AHEAD = 200;
const PAGE = 12;

interface ActivityTableProps {
  readonly activity: Activity;
  readonly rows: readonly ActivityRow[];
  readonly onOpen: (row: ActivityRow) => void;
}

/** A list of any length: only the rows near the visible part exist. */
export function ActivityTable({ activity, rows, onOpen }: ActivityTableProps): VNode {
  const indexes = useMemo(() => new Map(rows.map(({ id }, index) => [id, index])), [rows]);
  const windowed = useWindowed(rows.length, rows[0]?.id, (id) => indexes.get(id) ?? -1);
  const { first, end, box } = windowed;
  const [active, setActive] = useState<string>();
  const mustFocus = useRef(false);
  const shown = rows.slice(first, end);
  const reachable = shown.some(({ id }) => id === active) ? active : shown[0]?.id;

  useEffect(() => {
    if (end + AHEAD > rows.length) activity.loadOlder();
  }, [end, rows.length]);

  useLayoutEffect(() => {
    if (!mustFocus.current) return;
    const button = box.current?.querySelector<HTMLElement>("[data-active]");
    if (button === null || button === undefined) return;
    mustFocus.current = false;
    button.focus({ preventScroll: true });
  });

  const move = (event: KeyboardEvent): void => {
    const from = active === undefined ? first : (indexes.get(active) ?? first);
    const to = target(event.key, from, rows.length);
    if (to === undefined) return;
    event.preventDefault();
    mustFocus.current = true;
    setActive(rows[to]?.id);
    windowed.reveal(to);
  };

  return (
    <>
      <NewRows rows={rows} indexes={indexes} windowed={windowed} />
      <div ref={box} class="scroll activity" data-scroll onScroll={windowed.onScroll}>
        <table role="table" aria-rowcount={activity.hasOlder ? -1 : rows.length + 1} aria-label="Activity">
          <thead role="rowgroup">
            <tr role="row" aria-rowindex={1}>
              {TITLES.map((title) => (
                <th key={title} role="columnheader" scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" onKeyDown={move}>
            <Spacer height={windowed.before} />
            {shown.map((row, index) => (
              <Row
                key={row.id}
                row={row}
                index={first + index}
                isActive={row.id === reachable}
                onFocus={() => setActive(row.id)}
                onOpen={() => onOpen(row)}
              />
            ))}
            <Spacer height={windowed.after} />
          </tbody>
        </table>
      </div>
    </>
  );
}

interface RowProps {
  readonly row: ActivityRow;
  readonly index: number;
  readonly isActive: boolean;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
}

function Row({ row, index, isActive, onFocus, onOpen }: RowProps): VNode {
  return (
    <tr role="row" aria-rowindex={index + 2} data-row onClick={onOpen}>
      <th role="rowheader" scope="row">
        <button
          type="button"
          class="row-button"
          tabIndex={isActive ? 0 : -1}
          data-active={isActive ? "" : undefined}
          onFocus={onFocus}
          onClick={(event) => {
            event.stopPropagation();
            onOpen();
          }}
        >
          <Time at={row.at} />
          <span class="unseen">, show details</span>
        </button>
      </th>
      <td role="cell">
        <OutcomeBadge outcome={row.outcome} />
      </td>
      <td role="cell" class="item">
        <span class="strong">{row.item ?? row.method}</span>{" "}
        <span class="soft">
          {row.server ?? ""}
          {row.item === undefined || row.method === "tools/call" ? "" : ` ${row.method}`}
        </span>
      </td>
      <td role="cell" class="client">
        {row.client.name ?? "unnamed"}
      </td>
      <td role="cell" class="number">
        {milliseconds(row.durationMs)}
      </td>
    </tr>
  );
}

/** A placeholder for rows that are not rendered. Its height is an attribute, because styles in the page are forbidden. */
function Spacer({ height }: { readonly height: number }): VNode {
  return (
    <tr class="spacer" aria-hidden="true">
      <td>
        <svg width="1" height={height} focusable="false" />
      </td>
    </tr>
  );
}

interface NewRowsProps {
  readonly rows: readonly ActivityRow[];
  readonly indexes: ReadonlyMap<string, number>;
  readonly windowed: Windowed;
}

/** Shows a person who has scrolled down that there are new rows at the top. */
function NewRows({ rows, indexes, windowed }: NewRowsProps): VNode {
  const seen = useRef(rows[0]?.id);
  const isAtTop = windowed.first === 0;
  const fresh = seen.current === undefined ? 0 : (indexes.get(seen.current) ?? 0);
  useEffect(() => {
    if (isAtTop) seen.current = rows[0]?.id;
  }, [isAtTop, rows]);
  return (
    <div class="new-rows">
      {isAtTop || fresh === 0 ? null : (
        <Button
          small
          kind="primary"
          onClick={() => {
            windowed.box.current?.scrollTo({ top: 0 });
            windowed.box.current?.querySelector<HTMLElement>("[data-active]")?.focus({ preventScroll: true });
          }}
        >
          {plural(fresh, "new request")}
        </Button>
      )}
    </div>
  );
}

function target(key: string, from: number, rows: number): number | undefined {
  const to = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + PAGE,
    PageUp: from - PAGE,
    Home: 0,
    End: rows - 1,
  }[key];
  return to === undefined ? undefined : Math.max(0, Math.min(rows - 1, to));
}
