/** Loads a file of an installed peer; `path` starts below `bench/.peers/`. Throws when the peer is not installed. */
export function importPeer(path) {
  return import(new URL(`../.peers/${path}`, import.meta.url).href);
}
