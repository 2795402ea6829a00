import { AUDIT_FILE } from "./audit-files.ts";
import { USERS_FOLDER } from "./principal.ts";
import { LOG_FILE } from "./server-logs.ts";

/**
 * The names of files that Plugboard writes to a folder. `uninstall` removes nothing else, so add every new name here.
 */
export interface Layout {
  readonly files?: readonly RegExp[];
  readonly folders?: readonly (readonly [name: RegExp, content: Layout])[];
}

/** Matches a file, its lock files, and the temporary files that an interrupted write leaves. */
const withSideFiles = (name: string): RegExp =>
  new RegExp(`^(?:${name})(?:\\.lock|\\.turn)?(?:\\.[0-9a-f]{16}\\.tmp)?$`);

/** The gateway's token, the dashboard's key, and the daemon's files. The socket and the lock of a start have the daemon's versions in their names. */
const DAEMON_FILE = /^daemon-[\w.-]+(?:\.sock(?:\.[0-9a-f]{8})?|\.lock|\.turn)?(?:\.[0-9a-f]{16}\.tmp)?$/;

const RUN_FILES = [
  withSideFiles("token|dashboard-key|daemon\\.key|session\\.key|daemon-agreed|daemons\\.jsonl|daemon\\.log"),
  DAEMON_FILE,
];

const SESSIONS = [/^sessions$/, { files: [withSideFiles("[0-9a-f]{64}\\.json")] }] as const;

/** The files in Plugboard's config folder. */
export const CONFIG_LAYOUT: Layout = {
  files: [withSideFiles("mcp\\.json|mcp\\.lock\\.json|settings\\.json")],
};

const PERSON_STATE = {
  files: [withSideFiles("(?:allowed-calls|approvals|usage)\\.json")],
  folders: [
    [/^pins$/, { files: [withSideFiles("[0-9a-f]{64}\\.jsonl")] }],
    [/^artifacts$/, { files: [/^\d{17}-\d+-[0-9a-f]{16}\.[a-z0-9]+$/] }],
    [/^conversations$/, { files: [withSideFiles("\\d{17}-[0-9a-f]{8}\\.json")] }],
    [/^logs$/, { folders: [[/^[0-9a-f]{32}$/, { files: [LOG_FILE] }]] }],
    [/^vault$/, { files: [withSideFiles("[0-9a-f]{64}\\.sealed|master\\.key|key-in-keychain|key\\.lock")] }],
  ],
} as const satisfies Layout;

const PERSON_CACHE = {
  files: [withSideFiles("swept")],
  folders: [[/^catalogs$/, { files: [withSideFiles("[0-9a-f]{64}(?:-[0-9a-f]{16})?\\.jsonl")] }]],
} as const satisfies Layout;

/** One folder per principal. It has state and caches, because both parent folders can be the same. */
const USERS = [
  new RegExp(`^${USERS_FOLDER}$`),
  { folders: [[/^[0-9a-f]{32}$/, mergeLayouts(PERSON_STATE, PERSON_CACHE)]] },
] as const satisfies NonNullable<Layout["folders"]>[number];

/** A folder whose whole content belongs to Plugboard: an unpacked bundle, or the data of a sandboxed server. */
const ANYTHING: Layout = {
  files: [/^/],
  get folders() {
    return [[/^/, ANYTHING]] as const;
  },
};

/** The files in Plugboard's state folder. */
export const STATE_LAYOUT: Layout = {
  files: [...PERSON_STATE.files, withSideFiles("(?:eras|tool-names|advisories)\\.json")],
  folders: [
    ...PERSON_STATE.folders,
    USERS,
    [/^packages$/, { files: [withSideFiles("[0-9a-f]{64}\\.json")] }],
    [/^audit$/, { files: [AUDIT_FILE] }],
    [/^team$/, { files: [withSideFiles("(?:people|tokens|tickets|policies|call-approvals)\\.json")] }],
    [/^run$/, { files: RUN_FILES, folders: [SESSIONS] }],
    // Entries that wait for a team's database.
    [/^audit-spool$/, { files: [/^[0-9a-f-]{36}-\d{1,9}\.(?:jsonl|closed)$/] }],
    [/^mcpb$/, { folders: [[/^[0-9a-f]{32}$/, ANYTHING]] }],
    // The data folders of sandboxed servers.
    [/^sandbox$/, { folders: [[/^[0-9a-f]{16}$/, ANYTHING]] }],
  ],
};

/** The files in Plugboard's cache folder. */
export const CACHE_LAYOUT: Layout = {
  files: PERSON_CACHE.files,
  folders: [
    ...PERSON_CACHE.folders,
    USERS,
    [/^registry$/, { files: [withSideFiles("[0-9a-f]{64}\\.json")] }],
    [/^code$/, { folders: [[/^v\d+\.\d+\.\d+.*-[a-z0-9]+$/, { files: [/\.cjs\.[a-z]+\.bin(?:\.\d+)?$/] }]] }],
    [/^runners$/, { files: [withSideFiles("enter-folder\\.(?:sh|cjs)|empty\\.toml|tsconfig\\.json")] }],
  ],
};

/** Merges two layouts, because `XDG_STATE_HOME` and `XDG_CACHE_HOME` can be the same folder. */
export function mergeLayouts(one: Layout, other: Layout): Layout {
  return {
    files: [...(one.files ?? []), ...(other.files ?? [])],
    folders: [...(one.folders ?? []), ...(other.folders ?? [])],
  };
}
