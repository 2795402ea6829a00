import { readFileSync } from "node:fs";
import { rolldown } from "rolldown";

/** Returns the launcher with the function that finds the home folder, which is also part of the library. */
export async function launcherText() {
  const building = await rolldown({ input: "src/platform/home-folder.ts", platform: "node" });
  const { output } = await building.generate({ format: "esm" });
  await building.close();
  const [{ code }] = output;
  const functions = code
    .replace(/^export \{[^}]*\};?$/m, "")
    .replace(/^\/\/#(?:end)?region.*$/gm, "")
    .trim();
  return `${readFileSync("src/surfaces/cli/launcher.cjs", "utf8").trimEnd()}\n\n${functions}\n`;
}
