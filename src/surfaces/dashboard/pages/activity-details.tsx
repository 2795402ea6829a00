import type { VNode } from "preact";
import type { ActivityRow } from "../../../page-api.ts";
import { OutcomeBadge } from "../parts/badge.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { Time } from "../parts/time.tsx";
import { linkTo } from "../routes.ts";
import { bytes, milliseconds } from "../text/format.ts";
import { utcTime } from "../text/times.ts";

interface ActivityDetailsProps {
  readonly row: ActivityRow;
  readonly onClose: () => void;
}

/** Everything that is recorded about one request. */
export function ActivityDetails({ row, onClose }: ActivityDetailsProps): VNode {
  const { client, server, item } = row;
  return (
    <Dialog title={item ?? row.method} onClose={onClose}>
      <Facts
        facts={[
          ["Outcome", <OutcomeBadge key="outcome" outcome={row.outcome} />],
          ["Error code", row.code],
          ["Time", <Time key="time" at={row.at} style="complete" />],
          ["UTC", utcTime(row.at)],
          ["Duration", milliseconds(row.durationMs)],
          [
            "Method",
            <span key="method" class="mono">
              {row.method}
            </span>,
          ],
          [
            "Server",
            server === undefined ? undefined : (
              <a key="server" href={linkTo("servers", [server])}>
                {server}
              </a>
            ),
          ],
          [
            "Tool",
            row.method !== "tools/call" || server === undefined || item === undefined ? undefined : (
              <a key="tool" href={linkTo("tools", [server, item])}>
                {item}
              </a>
            ),
          ],
          ["Client", [client.name ?? "unnamed", client.version].filter(Boolean).join(" ")],
          [
            "Session",
            <a
              key="session"
              class="mono"
              href={linkTo("activity", [], { session: row.session })}
              onClick={onClose}
            >
              {row.session}
            </a>,
          ],
          [
            "Endpoint",
            <span key="endpoint" class="mono">
              {row.endpoint}
            </span>,
          ],
          [
            "Protocol",
            row.serverEra === undefined
              ? `${row.clientEra} client`
              : `${row.clientEra} client, ${row.serverEra} server`,
          ],
          ["Sent to the client", bytes(row.bytesOut)],
          [
            "Hash of the arguments",
            row.argumentsHash === undefined ? undefined : <code key="hash">{row.argumentsHash}</code>,
          ],
        ]}
      />
    </Dialog>
  );
}
