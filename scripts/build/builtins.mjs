import { isBuiltin } from "node:module";

/**
 * Imports Node's modules without their ES facade. Importing `node:fs` as an ES module reads all of its exports, some of
 * which load half of Node. `process.getBuiltinModule` costs nothing. Exports that should load only when called are wrapped.
 */
const AT_FIRST_CALL = new Set([
  "node:crypto",
  "node:child_process",
  "node:fs/promises",
  "node:os",
  "node:tty",
  "node:readline/promises",
  "node:zlib",
]);

/**
 * The test kit shares no file with modules that the host loads later. If it did, a bundler could put that file into a program with
 * top-level `await`, and the host would wait for a file that waits for the host.
 */
const TEST_KIT = /[\\/]src[\\/]testing[\\/]/;
const OWN_COPY = "?test-kit";

export function builtinsWithoutFacade() {
  return {
    name: "builtins-without-facade",
    resolveId(id, importer = "") {
      if (!id.startsWith("node:") || !isBuiltin(id)) return null;
      return TEST_KIT.test(importer) ? `\0${id}${OWN_COPY}` : `\0${id}`;
    },
    async load(id) {
      if (!id.startsWith("\0node:")) return null;
      const name = id.slice(1).replace(OWN_COPY, "");
      const exported = Object.entries(await import(name)).filter(
        ([key]) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default",
      );
      const get = `process.getBuiltinModule(${JSON.stringify(name)})`;
      const isLazy = AT_FIRST_CALL.has(name);
      const lines = exported.map(([key, value]) =>
        isLazy && typeof value === "function" && !/^[A-Z]/.test(key)
          ? `export const ${key} = (...args) => (loaded ??= ${get}).${key}(...args);`
          : `export const ${key} = /* @__PURE__ */ (() => ${get}.${key})();`,
      );
      return { code: [...(isLazy ? ["let loaded;"] : []), ...lines].join("\n"), moduleSideEffects: false };
    },
  };
}
