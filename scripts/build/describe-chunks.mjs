import { relative } from "node:path";

/** Lists each chunk with its source modules, for the test of lazy loading. A chunk that groups a root's static imports is core. */
export function describeChunks(output, { folder, roots, root }) {
  return output
    .filter(({ type }) => type === "chunk")
    .map(({ name, fileName, moduleIds }) => ({
      file: `${folder}${fileName}`,
      isCore: roots.some((group) => group.name === name),
      modules: moduleIds
        .map((id) => relative(root, id).replaceAll("\\", "/"))
        .filter((path) => path.startsWith("src/")),
    }));
}
