import { HostError, isJsonObject, isList } from "../../../model/index.ts";
import type { ChainRow } from "./audit-chain.ts";

/** The newest entry of a chain. */
interface Head {
  readonly position: number;
  readonly hash: string;
}

/** The content of a checkpoint. */
export interface Checkpoint {
  /** How many chains there were, and the hash of the last one. */
  readonly chains: number;
  readonly mac: string;
  /** The newest entry of the newest chains, by chain. */
  readonly heads: ReadonlyMap<string, Head>;
  /** Reports deleted entries. `hashes` are those of the entries that still exist, by chain. */
  check(
    chains: readonly ChainRow[],
    hashes: ReadonlyMap<string, string>,
    onMissing: (where: Pick<ChainRow, "day" | "node">, message: string) => void,
  ): void;
}

/** Older chains are covered by the hash of the last one. */
const CHAINS_WITH_HEAD = 32;

/** Returns a text that names the newest entries. A database that was restored to an earlier state no longer has them. */
export function createCheckpoint(chains: readonly ChainRow[]): string {
  const last = chains.at(-1);
  const heads = chains
    .slice(-CHAINS_WITH_HEAD)
    .filter(({ last_position: position }) => position > 0)
    .map(({ chain, last_position: position, last_hash: hash }) => [chain, position, hash]);
  const content = { version: 1, chains: last?.number ?? 0, mac: last?.mac ?? "", heads };
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

export function readCheckpoint(text: string): Checkpoint {
  const { version, chains, mac, heads } = parse(text);
  if (version !== 1 || typeof chains !== "number" || typeof mac !== "string" || !isList(heads))
    throw invalid();
  const known = new Map<string, Head>();
  for (const head of heads) {
    const [chain, position, hash] = isList(head) ? head : [];
    if (typeof chain !== "string" || typeof position !== "number" || typeof hash !== "string")
      throw invalid();
    known.set(chain, { position, hash });
  }
  return {
    chains,
    mac,
    heads: known,
    check(present, hashes, onMissing) {
      const nowhere = { day: "", node: "" };
      const last = present.find(({ number }) => number === chains);
      if (chains > 0 && last?.mac !== mac)
        onMissing(last ?? nowhere, "The checkpoint names a chain that no longer exists.");
      for (const [chain, { hash }] of known) {
        const found = present.find((each) => each.chain === chain);
        if (found?.removed_mac) continue;
        if (hashes.get(chain) !== hash)
          onMissing(found ?? nowhere, "The checkpoint names an entry that no longer exists.");
      }
    },
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (isJsonObject(content)) return content;
  } catch {
    // reported below
  }
  throw invalid();
}

function invalid(): HostError {
  return new HostError("USAGE_INVALID", "The checkpoint is not valid.", {
    hint: "Copy it from the output of plugboard audit verify.",
  });
}
