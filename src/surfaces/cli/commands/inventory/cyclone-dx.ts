import { randomUUID } from "node:crypto";
import { type InventoryItem, type InventoryPackage, VERSION } from "../../../../index.ts";

const ALGORITHMS: Readonly<Record<string, string>> = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha384: "SHA-384",
  sha512: "SHA-512",
};

/** Converts an inventory to a CycloneDX 1.6 document: remote servers are services, local ones applications with their packages. */
export function toCycloneDx(items: readonly InventoryItem[], now: Date): object {
  const packages = new Map<string, object>();
  const dependencies: object[] = [];
  const components: object[] = [];
  const services: object[] = [];
  const add = (found: InventoryPackage): string => {
    const purl = toPurl(found);
    if (!packages.has(purl)) packages.set(purl, toLibrary(found, purl));
    return purl;
  };
  for (const [index, item] of items.entries()) {
    const ref = `server:${index + 1}`;
    if (item.url !== undefined) {
      services.push({
        "bom-ref": ref,
        name: item.name,
        endpoints: [item.url],
        properties: propertiesOf(item),
      });
      continue;
    }
    components.push({
      type: "application",
      "bom-ref": ref,
      name: item.name,
      ...(item.package?.version !== undefined && { version: item.package.version }),
      properties: propertiesOf(item),
    });
    if (item.package === undefined) continue;
    const own = add(item.package);
    dependencies.push({ ref, dependsOn: [own] });
    const others = [...new Set((item.dependencies ?? []).map(add))].filter((purl) => purl !== own);
    const known = dependencies.find((each) => "ref" in each && each.ref === own) as Known | undefined;
    if (known === undefined) dependencies.push({ ref: own, dependsOn: others });
    else known.dependsOn = [...new Set([...known.dependsOn, ...others])];
  }
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: now.toISOString(),
      tools: { components: [{ type: "application", name: "plugboard", version: VERSION }] },
    },
    components: [...components, ...packages.values()],
    ...(services.length > 0 && { services }),
    dependencies,
  };
}

interface Known {
  dependsOn: string[];
}

function propertiesOf(item: InventoryItem): object[] {
  const { source, tier, state, isUsed, command, args = [], sandbox, unpinned = [] } = item;
  const facts: Readonly<Record<string, string | undefined>> = {
    file: source.line === undefined ? source.file : `${source.file}:${source.line}`,
    tool: source.tool,
    tier,
    state,
    used: String(isUsed),
    command: command === undefined ? undefined : [command, ...args].join(" "),
    sandbox,
    unpinned: unpinned.length === 0 ? undefined : unpinned.join(" "),
  };
  return Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name: `plugboard:${name}`, value }],
  );
}

function toLibrary(
  { name, version, integrity, publishedAt, provenance }: InventoryPackage,
  purl: string,
): object {
  const [group, short] = name.startsWith("@") ? name.split("/", 2) : [undefined, name];
  const hashes = hashesOf(integrity);
  const facts = { publishedAt, provenance };
  const properties = Object.entries(facts).flatMap(([key, value]) =>
    value === undefined ? [] : [{ name: `plugboard:${key}`, value }],
  );
  return {
    type: "library",
    "bom-ref": purl,
    ...(group !== undefined && { group }),
    name: short,
    ...(version !== undefined && { version }),
    purl,
    ...(hashes.length > 0 && { hashes }),
    ...(properties.length > 0 && { properties }),
  };
}

/** `sha512-<base64>`, possibly several. */
function hashesOf(integrity = ""): object[] {
  return integrity.split(/\s+/).flatMap((each) => {
    const [, algorithm = "", base64 = ""] = /^(sha\d+)-([A-Za-z0-9+/=]+)/.exec(each) ?? [];
    const alg = ALGORITHMS[algorithm];
    return alg === undefined ? [] : [{ alg, content: Buffer.from(base64, "base64").toString("hex") }];
  });
}

/** Returns the package URL. A tag or range is not a version, but says what the entry asks for. */
function toPurl({ ecosystem, name, version }: InventoryPackage): string {
  const at = version === undefined ? "" : `@${encodeURIComponent(version)}`;
  const path = name.split("/").map(encodeURIComponent).join("/");
  if (ecosystem === "PyPI") return `pkg:pypi/${path}${at}`;
  if (ecosystem !== "oci") return `pkg:npm/${path}${at}`;
  const short = encodeURIComponent((name.split("/").at(-1) ?? name).toLowerCase());
  return `pkg:oci/${short}${at}?repository_url=${encodeURIComponent(name)}`;
}
