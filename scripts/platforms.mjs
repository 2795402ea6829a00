/**
 * `npm run platforms`: installs the locked packages for other platforms in a temporary folder, without running them, and
 * checks that the tools' native packages are installed. `npm run platforms -- win32` selects one. Exits with 1 if one is missing.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PLATFORMS = [
  {
    name: "darwin-arm64",
    flags: ["--os=darwin", "--cpu=arm64"],
    packages: [
      "@biomejs/cli-darwin-arm64",
      "@rolldown/binding-darwin-arm64",
      "@oxlint/binding-darwin-arm64",
      "@typescript/typescript-darwin-arm64",
    ],
  },
  {
    name: "win32-x64",
    flags: ["--os=win32", "--cpu=x64"],
    packages: [
      "@biomejs/cli-win32-x64",
      "@rolldown/binding-win32-x64-msvc",
      "@oxlint/binding-win32-x64-msvc",
      "@typescript/typescript-win32-x64",
    ],
  },
  {
    name: "linux-arm64-musl",
    flags: ["--os=linux", "--cpu=arm64", "--libc=musl"],
    packages: [
      "@biomejs/cli-linux-arm64-musl",
      "@rolldown/binding-linux-arm64-musl",
      "@oxlint/binding-linux-arm64-musl",
      "@typescript/typescript-linux-arm64",
    ],
  },
];

const root = fileURLToPath(new URL("../", import.meta.url));
const wanted = process.argv.slice(2);
const chosen = PLATFORMS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
if (chosen.length === 0) {
  console.error(`Unknown platform. Choose from: ${PLATFORMS.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
for (const platform of chosen) {
  const problems = check(platform);
  console.log(
    `${problems.length === 0 ? "✓" : "✗"} ${platform.name}${problems.map((text) => `\n  ${text}`).join("")}`,
  );
  if (problems.length > 0) process.exitCode = 1;
}

function check({ flags, packages }) {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-platform-"));
  try {
    for (const file of ["package.json", "package-lock.json"])
      copyFileSync(join(root, file), join(folder, file));
    const { status, stdout, stderr } = spawnSync(
      "npm",
      ["ci", ...flags, "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
      { cwd: folder, encoding: "utf8", shell: process.platform === "win32" },
    );
    if (status !== 0) return [`npm ci failed: ${stderr || stdout}`];
    return packages
      .filter((name) => !existsSync(join(folder, "node_modules", name, "package.json")))
      .map((name) => `${name} is not installed`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
