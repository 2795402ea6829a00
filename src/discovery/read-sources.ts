import { ProjectBudget, problemIn, type ReadDocument, readDocument } from "../config/index.ts";
import type { DocumentFormat } from "../documents/index.ts";
import {
  createOwnershipCheck,
  createPace,
  type Environment,
  type Files,
  type OwnershipCheck,
} from "../platform/index.ts";
import { expandPath } from "./expand-path.ts";
import { MAX_FILES, MAX_MATCHES, MAX_NAMES } from "./limits.ts";
import type { ServerQuota, SourceDocument, SourceFile, Where } from "./provider.ts";

/** A file that exists, parsed or not. */
export interface ReadSource {
  readonly origin: SourceFile;
  readonly file: string;
  readonly read: ReadDocument;
}

/** The paths of one config file, with `*` expanded. */
interface Expanded {
  readonly origin: SourceFile;
  readonly paths: readonly string[];
  /** Project folders with too many names, of which only some were checked. */
  readonly crowded: readonly string[];
}

/** Reads each file only once, even if several providers request it. */
export class SourceReader {
  readonly #files: Files;
  readonly #where: Where;
  readonly #foreignWriter: OwnershipCheck;
  readonly #known = new Map<string, Promise<ReadDocument>>();
  readonly #budget: ProjectBudget;
  /** Lets other work run after a file that took long. */
  readonly pace: () => Promise<void> | undefined = createPace();
  /** All files and folders that were checked, whether or not they exist. */
  readonly looked: Set<string> = new Set();

  constructor(files: Files, where: Where, environment: Environment) {
    this.#files = files;
    this.#where = where;
    this.#budget = new ProjectBudget(where.projectFolders.at(-1));
    this.#foreignWriter = createOwnershipCheck(files, environment);
  }

  /** Returns the files that exist, in order. */
  async read(origins: readonly SourceFile[]): Promise<ReadSource[]> {
    const expanded = await Promise.all(origins.map((origin) => this.#expandAll(origin)));
    const present = await this.#files.present(expanded.flatMap(({ paths }) => paths));
    const sources: ReadSource[] = [];
    for (const { origin, paths, crowded } of expanded) {
      for (const file of crowded) sources.push({ origin, file, read: tooManyNames(file) });
      let count = 0;
      for (const file of paths) {
        this.looked.add(file);
        if (!present.has(file) && !origin.named) continue;
        count += 1;
        if (count > MAX_FILES && origin.tier === "project") {
          sources.push({ origin, file, read: tooManyFiles(file) });
          break;
        }
        const source = await this.readOwn(file, origin);
        await this.pace();
        if (!source.read.exists && !origin.named) continue;
        sources.push(source);
        if (origin.all !== true) break;
      }
    }
    return sources;
  }

  /** Reads a user file. Treats it as a project's file if another user could have written it. */
  async readOwn(file: string, origin: SourceFile): Promise<ReadSource> {
    const read = await this.#readFile(file, origin);
    const why = origin.tier === "project" || !read.exists ? undefined : await this.#foreignWriter(file);
    if (why === undefined) return { origin, file, read };
    const asProject: SourceFile = { ...origin, tier: "project" };
    const again = await this.#readFile(file, asProject);
    const message = `is not treated as your own file, because ${why}. Its servers require approval; to avoid that, fix its owner and permissions (chown, chmod)`;
    const problem = problemIn(file, "file-not-own", message, undefined, "warning");
    return { origin: asProject, file, read: { ...again, problems: [...again.problems, problem] } };
  }

  #readFile(file: string, { format = formatOf(file), tier }: SourceFile): Promise<ReadDocument> {
    const isProject = tier === "project";
    const key = `${format} ${isProject} ${file}`;
    this.looked.add(file);
    const budget = isProject ? this.#budget : undefined;
    const known = this.#known.get(key) ?? readDocument(this.#files, file, format, budget);
    this.#known.set(key, known);
    return known;
  }

  async #expandAll(origin: SourceFile): Promise<Expanded> {
    const { paths, tier } = origin;
    const crowded: string[] = [];
    if (!paths.some((path) => path.includes("*"))) return { origin, paths, crowded };
    const limited = tier === "project" ? crowded : undefined;
    const expanded = await Promise.all(paths.map((path) => this.#expand(path, limited)));
    return { origin, paths: expanded.flat(), crowded };
  }

  /** Expands a path with `*` to the matching paths. Adds folders with too many names to `crowded`. */
  #expand(path: string, crowded: string[] | undefined): Promise<string[]> {
    return expandPath(path, this.#where.join, async (folder, pattern) => {
      this.looked.add(folder);
      const all = await this.#files.list(folder, crowded && MAX_NAMES + 1);
      const names = all.filter((name) => pattern.test(name)).sort();
      if (crowded && (all.length > MAX_NAMES || names.length > MAX_MATCHES)) crowded.push(folder);
      return names.slice(0, crowded && MAX_MATCHES);
    });
  }
}

export function toSourceDocument(
  { origin, file, read }: ReadSource,
  quota?: ServerQuota,
): SourceDocument | undefined {
  const { document, text, isLink } = read;
  if (document?.value === undefined) return undefined;
  const { scope, tier, role } = origin;
  const limited = tier === "project" && quota ? { quota } : {};
  return {
    file,
    scope,
    tier,
    role,
    document,
    value: document.value,
    text,
    ...limited,
    ...(isLink && { isLink }),
  };
}

/** Represents the first file beyond the limit. */
function tooManyFiles(file: string): ReadDocument {
  const message = `is ignored, and so are the files after it: a project can have at most ${MAX_FILES} of this kind`;
  const problems = [problemIn(file, "file-too-large", message)];
  return { document: undefined, exists: true, text: "", problems };
}

/** Represents the names in a folder that were not checked. */
function tooManyNames(folder: string): ReadDocument {
  const message =
    "contains too many files (limits: 10,000 in total, 1,000 with a matching name); the rest are ignored";
  const problems = [problemIn(folder, "file-too-large", message, undefined, "warning")];
  return { document: undefined, exists: false, text: "", problems };
}

function formatOf(file: string): DocumentFormat {
  if (file.endsWith(".toml")) return "toml";
  return /\.ya?ml$/.test(file) ? "yaml" : "json";
}
