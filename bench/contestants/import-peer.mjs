/** Imports a file of an installed peer. `path` is relative to `bench/.peers/`. Throws if the peer is not installed. */
export function importPeer(path) {
  return import(new URL(`../.peers/${path}`, import.meta.url).href);
}
