import { dirname, isAbsolute, join, parse } from "node:path";
import {
  describePlace,
  type Launch,
  type Problem,
  type ProblemCode,
  positionOfField,
  type Server,
} from "../model/index.ts";
import {
  type ExpansionContext,
  expand,
  mayHoldSecrets,
  placeholder,
  placeholdersIn,
  unsetRuleFor,
} from "./expand.ts";
import { expansionContext } from "./expansion-context.ts";
import { declaringFolder, describeOutsideLink, isOfProject, resolveInsideProject } from "./inside-project.ts";
import { launchTexts } from "./launch-texts.ts";
import type { ResolveContext } from "./resolved-server.ts";
import { inputSecretName } from "./stored-inputs.ts";
import type { CommandOutput } from "./value-commands.ts";
import { fileMissing, MAX_VALUE_FILE_BYTES, secretMissing, UNAPPROVED } from "./value-source.ts";

type StoredInputs = Map<string, { readonly text: string; readonly isSecret: boolean }>;

/** Expands the strings of one server by its file's rules and records what could not be expanded. */
export class ServerTexts {
  readonly problems: Problem[] = [];
  /** Values that must not be displayed. */
  readonly hidden: Set<string> = new Set();
  /** Strings that contain such values, each with the string to display instead. */
  readonly shown: Map<string, string> = new Map();
  /** The env variables and headers that contain folder variables and no other values. */
  readonly plain: Set<string> = new Set();
  readonly server: Server;
  readonly context: ResolveContext;
  readonly #expansion: ExpansionContext;
  /** Why the file of a placeholder was not read. */
  readonly #unread: Map<string, string> = new Map();

  private constructor(
    server: Server,
    context: ResolveContext,
    files: ReadonlyMap<string, string>,
    secrets: ReadonlyMap<string, string>,
    inputs: StoredInputs,
  ) {
    this.server = server;
    this.context = context;
    const known = expansionContext(context.environment, server.declaration);
    this.#expansion = { ...known, files, secrets, inputs };
  }

  /** Reads the files and stored secrets of all placeholders first. */
  static async create(server: Server, launch: Launch, context: ResolveContext): Promise<ServerTexts> {
    const { expansion, fields } = server.declaration;
    const oauth = fields["oauth"] === undefined ? [] : [["oauth", JSON.stringify(fields["oauth"])] as const];
    const named = [...launchTexts(launch), ...oauth].flatMap(([, text]) => placeholdersIn(text, expansion));
    const files = new Map<string, string>();
    const secrets = new Map<string, string>();
    const inputs: StoredInputs = new Map();
    const texts = new ServerTexts(server, context, files, secrets, inputs);
    for (const { file, secret } of named) {
      if (file !== undefined && context.sources !== undefined) {
        const read = await texts.readNamed(file);
        if ("text" in read) files.set(file, read.text);
        else texts.#unread.set(file, read.failed);
      }
      const stored = secret === undefined ? undefined : await context.sources?.secret(secret);
      if (secret !== undefined && stored !== undefined) secrets.set(secret, stored);
    }
    for (const { id, secret } of server.declaration.inputs ?? []) {
      const text = await context.sources?.secret(inputSecretName(server, id));
      if (text !== undefined) inputs.set(id, { text, isSecret: secret === true });
    }
    return texts;
  }

  fill(field: string, text: string): { text: string; shown: string; complete: boolean } {
    const { expansion } = this.server.declaration;
    const expanded = expand(text, expansion, this.#expansion, field);
    this.hide(...expanded.hidden);
    if (expanded.hidden.length > 0 && !/^(?:env|headers)\./.test(field))
      this.shown.set(expanded.text, expanded.shown);
    for (const name of expanded.missing)
      this.complain(
        field,
        this.#describeMissing(name, field),
        name.startsWith("keychain:") ? "value-dynamic" : undefined,
      );
    for (const id of expanded.inputs) this.complain(field, this.#describeInput(id));
    for (const piece of expanded.dynamic)
      this.complain(field, `contains the command ${piece}, which Plugboard does not run`, "value-dynamic");
    // An unset variable that its tool expands to an empty string is complete. Other missing values stay as written.
    const isEmpty = unsetRuleFor(field, expansion) === "empty";
    const left = expanded.missing.filter((name) => !isEmpty || !/^[A-Za-z_]\w*$/.test(name));
    const complete = left.length + expanded.inputs.length + expanded.dynamic.length === 0;
    return { text: expanded.text, shown: expanded.shown, complete };
  }

  /** The folder in which value commands run: the project's folder or the home folder. Never just the working folder. */
  get commandFolder(): string {
    const { environment } = this.context;
    const { cwd, home } = environment;
    if (isOfProject(this.server)) return declaringFolder(this.server, environment);
    return this.server.resolveInProject ? cwd : (home ?? parse(cwd).root);
  }

  hide(...values: readonly string[]): void {
    for (const value of values) this.hidden.add(value);
  }

  /** Reads and trims a file that a value refers to. Relative paths start from the config file's folder. */
  async readNamed(name: string): Promise<CommandOutput> {
    const { environment, files } = this.context;
    const isInHome = name.startsWith("~/");
    if (isInHome && environment.home === undefined) return { failed: fileMissing(name) };
    const file = isInHome ? join(environment.home ?? "", name.slice(2)) : name;
    const path = isAbsolute(file) ? file : join(dirname(this.server.provenance.file), file);
    try {
      const found = await resolveInsideProject(this.server, file, path, this.context);
      if ("leadsTo" in found)
        return { failed: `needs the file ${name}, ${describeOutsideLink(found.leadsTo)}` };
      const bytes = await files.read(found.path, MAX_VALUE_FILE_BYTES);
      return bytes ? { text: new TextDecoder().decode(bytes).trim() } : { failed: fileMissing(name) };
    } catch {
      return { failed: fileMissing(name) };
    }
  }

  complain(field: string, what: string, code: ProblemCode = "value-unresolved"): void {
    const { name, declaration } = this.server;
    const place = positionOfField(declaration, field.split(".")[0] ?? field);
    const message = `${describePlace(place)} server "${name}": ${field} ${what}`;
    this.problems.push({ code, severity: "warning", message, server: name, ...place });
  }

  #describeInput(id: string): string {
    const isStored = this.#expansion.inputs?.has(id) === true;
    return isStored
      ? `refers to the secret input "${id}", but secrets are available only in env, headers and oauth`
      : `requires the input "${id}"`;
  }

  #describeMissing(name: string, field: string): string {
    const [, kind, rest = ""] = /^(file|keychain):([\s\S]*)$/.exec(name) ?? [];
    const isGiven = this.context.sources !== undefined;
    if (kind === "file") return isGiven ? (this.#unread.get(rest) ?? fileMissing(rest)) : UNAPPROVED.file;
    if (kind !== "keychain") return `needs ${placeholder(name)}, which is not set`;
    if (!mayHoldSecrets(field))
      return `refers to the secret "${rest}", but secrets are available only in env, headers and oauth`;
    return isGiven ? secretMissing(rest) : UNAPPROVED.keychain;
  }
}
