import { expect, test } from "vitest";
import { connectionOwner } from "./connection-owner.ts";

const HEADER =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
const row = (own: string, other: string, uid: number): string =>
  `   0: ${own} ${other} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 123 1 0 20 4 30 10 -1`;
const SERVER = "0100007F:1D00";

const ownerIn = (tables: Readonly<Record<string, readonly string[]>>): Promise<number | undefined> =>
  connectionOwner({ localPort: 0x1d00, remotePort: 0xa2b3 }, async (table) => {
    const rows = tables[table];
    if (rows === undefined) throw new Error("ENOENT");
    return [HEADER, ...rows, ""].join("\n");
  });

test("the owner of a connection is the user of the client's side, in either table", async () => {
  const rows = [row(SERVER, "0100007F:A2B3", 1_000), row("0100007F:A2B3", SERVER, 1_001)];
  expect(await ownerIn({ "/proc/net/tcp": rows })).toBe(1_001);
  const mapped = "0000000000000000FFFF00000100007F";
  expect(await ownerIn({ "/proc/net/tcp6": [row(`${mapped}:A2B3`, `${mapped}:1D00`, 1_002)] })).toBe(1_002);
});

test("the owner is unknown on other systems, and for connections of other machines", async () => {
  expect(await ownerIn({})).toBeUndefined();
  expect(
    await ownerIn({ "/proc/net/tcp": [row(SERVER, "0100007F:A2B3", 1_000), "damaged"] }),
  ).toBeUndefined();
  expect(await connectionOwner({ localPort: undefined, remotePort: undefined })).toBeUndefined();
});
