import { createHash } from "node:crypto";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readUnpackedMcpb } from "../../discovery/index.ts";
import { parseJson } from "../../documents/index.ts";
import { HostError, messageOf, safeLine, truncate } from "../../model/index.ts";
import type { McpbFile } from "../native-files/config-api.ts";
import { toLaunch } from "../registry/registry-launch.ts";
import type { Workspace } from "../workspace.ts";
import { listZip, type ZipFile } from "./read-zip.ts";

const MOST_BYTES = 256 * 1024 * 1024;
const MANIFEST = "manifest.json";
const MOST_MANIFEST_BYTES = 1024 * 1024;

interface Opened {
  readonly files: readonly ZipFile[];
  readonly sha256: string;
  /** Where the bundle is unpacked. */
  readonly folder: string;
}

/** Reads the manifest of an MCP bundle. Unpacks and starts nothing. */
export async function readMcpb(workspace: Workspace, file: string): Promise<McpbFile> {
  const { environment } = workspace;
  const { files, sha256, folder } = await open(workspace, file);
  const manifest = files.find(({ path }) => path === MANIFEST);
  if (manifest === undefined || manifest.size > MOST_MANIFEST_BYTES)
    throw invalid(file, `it has no ${MANIFEST}`);
  const text = new TextDecoder().decode(await manifest.read().catch(because(file)));
  const { value } = parseJson(text);
  const template =
    value === undefined
      ? undefined
      : readUnpackedMcpb(value, folder, {
          platform: environment.platform,
          home: environment.home ?? "",
          join,
        });
  if (template === undefined) throw invalid(file, `its ${MANIFEST} does not describe a server`);
  const reason = template.enabled?.rule;
  if (reason !== undefined) throw invalid(file, reason);
  const launch = toLaunch(workspace, template, "mcpb", { isUnpacked: true });
  if ("reason" in launch) throw invalid(file, launch.reason);
  const { version, description } = template.fields;
  const shown = (text: unknown): string => (typeof text === "string" ? truncate(safeLine(text), 300) : "");
  return {
    name: shown(template.name),
    version: shown(version),
    description: shown(description),
    sha256,
    folder,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    server: launch.server,
    inputs: launch.inputs,
  };
}

/** Unpacks a bundle into the state folder. Rejects if the file is not the one that was read. */
export async function unpackMcpb(
  workspace: Workspace,
  file: string,
  expected: string,
): Promise<{ readonly folder: string }> {
  const { files, sha256, folder } = await open(workspace, file);
  if (sha256 !== expected) throw invalid(file, "it has just changed");
  const target = workspace.ports.files;
  for (const entry of files) {
    const path = join(folder, ...entry.path.split("/"));
    await target.makeFolder(dirname(path), 0o700);
    const content = await entry.read().catch(because(file));
    await target.replace(path, content, entry.isExecutable ? 0o700 : 0o600);
  }
  return { folder };
}

async function open({ ports, environment, places }: Workspace, file: string): Promise<Opened> {
  const path = isAbsolute(file) ? file : resolve(environment.cwd, file);
  const bytes = await ports.files.read(path, MOST_BYTES).catch(because(file));
  if (bytes === undefined) throw invalid(file, "it does not exist");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  try {
    return { files: listZip(bytes), sha256, folder: join(places.state, "mcpb", sha256.slice(0, 32)) };
  } catch (error) {
    return because(file)(error);
  }
}

function because(file: string): (error: unknown) => never {
  return (error) => {
    throw invalid(file, messageOf(error));
  };
}

function invalid(file: string, reason: string): HostError {
  return new HostError("CONFIG_INVALID", `The bundle ${safeLine(file)} cannot be used: ${reason}.`);
}
