import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Bundles a program that imports our sources by paths relative to `besides`, so that Node can run it. Returns its path. */
export async function bundleProgram(source: string, besides: string): Promise<string> {
  const entry = fileURLToPath(new URL("program-entry.ts", besides));
  const file = join(await mkdtemp(join(tmpdir(), "program-")), "program.mjs");
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    external: [/^node:/],
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}
