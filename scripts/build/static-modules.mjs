import { resolve } from "node:path";

/**
 * Groups modules that are loaded together: everything that a root imports statically becomes one file. The search ends
 * at dynamic imports, so lazily loaded modules stay in other files. The entry files in `apart` are not moved.
 */
export function groupStaticModules(roots, apart) {
  const reached = new Map();
  const entries = new Set(apart.map((file) => resolve(file)));
  return {
    plugin: {
      name: "group-static-modules",
      buildEnd() {
        for (const { name, root } of roots) reached.set(name, reach(resolve(root), this));
      },
    },
    groups: roots.map(({ name, priority }) => ({
      name,
      priority,
      test: (id) => reached.get(name).has(id) && !entries.has(id),
    })),
  };
}

function reach(root, graph) {
  const found = new Set([root]);
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
