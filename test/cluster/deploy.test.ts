import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { findFreePort } from "../support/find-free-port.ts";
import { noPostgres, openDatabase, type TestDatabase } from "../support/postgres.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { type RunningCli, startCli } from "../support/start-cli.ts";
import { TEST_KEY } from "../support/team-store.ts";

const folder = fileURLToPath(new URL("../../deploy/", import.meta.url));
const read = (path: string): Promise<string> => readFile(folder + path, "utf8");
const CONFIG = "/etc/plugboard/gateway.jsonc";

type Variables = Record<string, string>;

interface ComposeService {
  readonly command: string[];
  readonly user: string;
  readonly read_only: boolean;
  readonly cap_drop: string[];
  readonly environment: Variables;
  readonly volumes: string[];
  readonly healthcheck: { readonly test: string[] };
  readonly stop_grace_period: string;
}

interface Container {
  readonly name: string;
  readonly args: string[];
  readonly env: { name: string; value?: string; valueFrom?: Record<string, Record<string, string>> }[];
  readonly ports?: { name: string; containerPort: number }[];
  readonly securityContext: Record<string, unknown>;
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: Container[];
        readonly securityContext: Record<string, unknown>;
        readonly terminationGracePeriodSeconds: number;
      };
    };
  };
}

/** A gateway that was started as a manifest says. Only its addresses differ, because all of them run on one machine here. */
interface Started {
  readonly cli: RunningCli;
  readonly clients: number;
  readonly internal: number;
}

describe.skipIf(noPostgres !== undefined)("the files in deploy/", () => {
  let database: TestDatabase;
  let sandbox: Sandbox;
  beforeAll(async () => {
    database = await openDatabase();
    sandbox = await createSandbox();
  });
  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  /** Runs `plugboard` with a manifest's arguments. The config file is the one that the manifest mounts. */
  async function run(args: readonly string[], config: string, env: Variables): Promise<RunningCli> {
    const file = await sandbox.writeProject("gateway.jsonc", await read(config));
    expect(args).toContain(CONFIG);
    const variables = { ...env, DATABASE_URL: database.url, PLUGBOARD_TEAM_KEY: TEST_KEY };
    for (const name of ["DATABASE_URL", "PLUGBOARD_TEAM_KEY"]) expect(Object.keys(env)).toContain(name);
    return startCli(
      args.map((word) => (word === CONFIG ? file : word)),
      { sandbox, env: variables },
    );
  }

  async function start(args: readonly string[], config: string, env: Variables): Promise<Started> {
    const [clients, internal, nodes] = [await findFreePort(), await findFreePort(), await findFreePort()];
    const cli = await run(args, config, {
      ...env,
      PLUGBOARD_GATEWAY_LISTEN_ADDRESS: `127.0.0.1:${clients}`,
      PLUGBOARD_GATEWAY_INTERNAL: `127.0.0.1:${internal}`,
      PLUGBOARD_GATEWAY_CLUSTER_LISTEN: `127.0.0.1:${nodes}`,
      PLUGBOARD_GATEWAY_CLUSTER_ADDRESS: `127.0.0.1:${nodes}`,
    });
    await expect.poll(() => cli.output(), { timeout: 20_000 }).toContain("Press Ctrl-C to stop.");
    return { cli, clients, internal };
  }

  const status = (port: number, path: string, host = `127.0.0.1:${port}`): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on("error", reject);
      sent.end();
    });

  async function endsWell({ cli }: Started): Promise<void> {
    cli.child.kill("SIGTERM");
    expect(await cli.ended).toMatchObject({ code: 130, signal: undefined });
  }

  test("compose.yaml runs the migration and both gateways with their checks, and ends cleanly", async () => {
    const { services } = parse(await read("compose.yaml"), { merge: true }) as {
      services: Record<string, ComposeService>;
    };
    const gateways = ["gateway-1", "gateway-2"].map((name) => services[name] as ComposeService);
    const migrate = services["migrate"] as ComposeService;
    const migration = await run(migrate.command, "gateway.jsonc", migrate.environment);
    expect(await migration.ended).toMatchObject({ code: 0 });
    const started: Started[] = [];
    for (const service of gateways) {
      expect(service).toMatchObject({ user: "10001:10001", read_only: true, cap_drop: ["ALL"] });
      expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThanOrEqual(40);
      expect(service.environment["PLUGBOARD_GATEWAY_CLUSTER_ADDRESS"]).toMatch(/^gateway-\d:7431$/);
      expect(service.volumes).toContain(`./gateway.jsonc:${CONFIG}:ro`);
      started.push(await start(service.command, "gateway.jsonc", service.environment));
    }
    for (const [index, { clients, internal }] of started.entries()) {
      const [, ...check] = gateways[index]?.healthcheck.test ?? [];
      const words = check.map((word) => word.replace(":9090", `:${internal}`));
      const child = spawn(process.execPath, words.slice(1));
      expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
      expect(await status(clients, "/mcp", "plugboard.example.com")).toBe(401);
    }
    await Promise.all(started.map(endsWell));
  });

  test("kubernetes runs the job, a pod with its probes, and its network rules", async () => {
    const files = readdirSync(`${folder}kubernetes`).filter((name) => name.endsWith(".yaml"));
    const documents = new Map<string, Workload>();
    for (const name of files)
      for (const document of parseAllDocuments(await read(`kubernetes/${name}`))) {
        expect(document.errors).toEqual([]);
        const value = document.toJS() as Workload;
        documents.set(value.kind, value);
      }
    const kinds = [
      "Job",
      "Deployment",
      "Service",
      "PodDisruptionBudget",
      "HorizontalPodAutoscaler",
      "NetworkPolicy",
    ];
    expect([...documents.keys()]).toEqual(expect.arrayContaining(kinds));
    const { resources } = documents.get("Kustomization") as unknown as { resources: string[] };
    expect(resources.toSorted()).toEqual(files.filter((name) => name !== "kustomization.yaml").toSorted());
    const variablesOf = ({ env }: Container): Variables => {
      const known: Variables = {};
      for (const { name, value, valueFrom } of env)
        known[name] =
          value?.replace(/\$\((\w+)\)/g, (_, other: string) => known[other] ?? "") ??
          (valueFrom?.["fieldRef"] === undefined ? "a secret" : "127.0.0.1");
      return known;
    };
    const [job] = documents.get("Job")?.spec.template.spec.containers ?? [];
    const {
      containers: [pod] = [],
      securityContext,
      terminationGracePeriodSeconds,
    } = documents.get("Deployment")?.spec.template.spec ?? {};
    if (job === undefined || pod === undefined) throw new Error("A container is missing.");
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(40);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
    for (const { securityContext: own } of [job, pod])
      expect(own).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
    const migration = await run(job.args, "kubernetes/gateway.jsonc", variablesOf(job));
    expect(await migration.ended).toMatchObject({ code: 0 });
    expect(variablesOf(pod)["PLUGBOARD_GATEWAY_CLUSTER_ADDRESS"]).toBe("127.0.0.1:7431");
    const started = await start(pod.args, "kubernetes/gateway.jsonc", variablesOf(pod));
    for (const probe of [pod.startupProbe, pod.readinessProbe, pod.livenessProbe]) {
      expect(pod.ports?.find(({ name }) => name === probe.httpGet.port)?.containerPort).toBe(9090);
      expect(await status(started.internal, probe.httpGet.path)).toBe(200);
    }
    await endsWell(started);
  });

  test("systemd's unit starts the gateway, and treats its exit as success", async () => {
    const unit = new Map(
      [...(await read("systemd/plugboard-gateway.service")).matchAll(/^(\w+)=(.*)$/gm)].map(
        ([, key = "", value = ""]) => [key, value],
      ),
    );
    const [program, ...args] = (unit.get("ExecStart") ?? "").split(" ");
    expect(program).toBe("plugboard");
    expect(unit.get("SuccessExitStatus")).toBe("130");
    expect(Number(unit.get("TimeoutStopSec"))).toBeGreaterThanOrEqual(40);
    for (const [key, value] of [
      ["NoNewPrivileges", "yes"],
      ["ProtectSystem", "strict"],
      ["StateDirectory", "plugboard"],
    ])
      expect(unit.get(key ?? "")).toBe(value);
    const env = { DATABASE_URL: "from EnvironmentFile", PLUGBOARD_TEAM_KEY: "from EnvironmentFile" };
    await endsWell(await start(args, "gateway.jsonc", env));
    const daemon = await read("systemd/plugboard-daemon.service");
    const [, words = ""] = /^ExecStart=plugboard (.*)$/m.exec(daemon) ?? [];
    expect(words).toBe("daemon run");
  });

  test("the container file runs the same command, without root", async () => {
    const text = await read("Dockerfile");
    const stages = text.split(/^FROM /m).slice(1);
    for (const name of ["tools", "gateway"]) {
      const stage = stages.find(
        (lines) =>
          lines.startsWith("installed AS tools") === (name === "tools") && lines.includes(` AS ${name}\n`),
      );
      expect(stage).toContain("USER 10001:10001");
      const [, command = "[]"] = /^CMD (.*)$/m.exec(stage ?? "") ?? [];
      const { services } = parse(await read("compose.yaml"), { merge: true }) as {
        services: Record<string, ComposeService>;
      };
      expect(JSON.parse(command)).toEqual(services["gateway-1"]?.command);
    }
    for (const [, path = ""] of text.matchAll(/^COPY (?!--from)(\S+)/gm))
      expect(existsSync(`${folder}../${path}`)).toBe(true);
  });
});
