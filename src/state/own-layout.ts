import { LOG_FILE } from "./server-logs.ts";

/** The names that Plugboard writes in a folder. `uninstall` removes nothing else, so every new name belongs here. */
export interface Layout {
  readonly files?: readonly RegExp[];
  readonly folders?: readonly (readonly [name: RegExp, content: Layout])[];
}

/** A file, its locks, and what an interrupted write of any of them leaves. */
const withSideFiles = (name: string): RegExp =>
  new RegExp(`^(?:${name})(?:\\.lock|\\.turn)?(?:\\.[0-9a-f]{16}\\.tmp)?$`);

export const CONFIG_LAYOUT: Layout = { files: [withSideFiles("mcp\\.json|settings\\.json")] };

export const STATE_LAYOUT: Layout = {
  files: [withSideFiles("(?:approvals|eras|tool-names)\\.json")],
  folders: [
    [/^pins$/, { files: [withSideFiles("[0-9a-f]{64}\\.jsonl")] }],
    [/^artifacts$/, { files: [/^\d{17}-\d+-[0-9a-f]{16}\.[a-z0-9]+$/] }],
    [/^logs$/, { folders: [[/^[0-9a-f]{32}$/, { files: [LOG_FILE] }]] }],
    [/^vault$/, { files: [withSideFiles("[0-9a-f]{64}\\.sealed|master\\.key|key-in-keychain|key\\.lock")] }],
  ],
};

export const CACHE_LAYOUT: Layout = {
  files: [withSideFiles("swept")],
  folders: [
    [/^catalogs$/, { files: [withSideFiles("[0-9a-f]{64}(?:-[0-9a-f]{16})?\\.jsonl")] }],
    [/^code$/, { folders: [[/^v\d+\.\d+\.\d+.*-[a-z0-9]+$/, { files: [/\.cjs\.[a-z]+\.bin(?:\.\d+)?$/] }]] }],
    [/^runners$/, { files: [withSideFiles("enter-folder\\.(?:sh|cjs)|empty\\.toml|tsconfig\\.json")] }],
  ],
};

/** For state and cache in one folder: `XDG_STATE_HOME` and `XDG_CACHE_HOME` may be the same. */
export function mergeLayouts(one: Layout, other: Layout): Layout {
  return {
    files: [...(one.files ?? []), ...(other.files ?? [])],
    folders: [...(one.folders ?? []), ...(other.folders ?? [])],
  };
}
