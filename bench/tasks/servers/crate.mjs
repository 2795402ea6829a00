/** Crate: builds and deployments. */
import { added, byId, choice, matching, object, text, tool } from "../define.mjs";

export function createData() {
  return {
    builds: [
      { id: "bld_70", service: "payments", commit: "9f2c", state: "passed" },
      { id: "bld_71", service: "payments", commit: "b771", state: "failed" },
      { id: "bld_72", service: "search", commit: "10ad", state: "passed" },
    ],
    deployments: [
      { id: "dep_1", service: "payments", build: "bld_60", environment: "production", state: "live" },
      { id: "dep_2", service: "payments", build: "bld_71", environment: "staging", state: "live" },
    ],
    variables: [{ id: "var_1", service: "payments", name: "GATEWAY_KEY", value: "old" }],
    freezes: [],
  };
}

export function createTools(data) {
  const environment = choice("Where", "staging", "production");
  const service = text("Name of the service");
  return {
    list_builds: tool("List the builds of a service, newest last.", { service }, (facts) =>
      matching(data.builds, facts.service, "service"),
    ),
    retry_build: tool("Run a failed build again.", { buildId: text("Id of the build") }, ({ buildId }) =>
      Object.assign(byId(data.builds, buildId), { state: "running" }),
    ),
    deploy: tool(
      "Deploy a build to an environment.",
      { buildId: text("Id of the build, such as bld_70"), environment },
      (facts) => {
        const build = byId(data.builds, facts.buildId);
        return added(data.deployments, "dep", {
          service: build.service,
          build: build.id,
          environment: facts.environment,
          state: "live",
        });
      },
    ),
    list_deployments: tool("List what is deployed.", { service, "environment?": environment }, (facts) =>
      data.deployments.filter(
        (each) =>
          each.service === facts.service &&
          (facts.environment === undefined || each.environment === facts.environment),
      ),
    ),
    roll_back: tool(
      "Undo a deployment: the previous build serves again.",
      { deploymentId: text("Id of the deployment") },
      ({ deploymentId }) => Object.assign(byId(data.deployments, deploymentId), { state: "rolled_back" }),
    ),
    set_variable: tool(
      "Set a configuration variable of a service.",
      {
        service,
        variable: object("The variable", { name: text("Its name"), value: text("Its value") }),
      },
      (facts) => {
        const { name, value } = facts.variable;
        const known = data.variables.find((each) => each.service === facts.service && each.name === name);
        return known === undefined
          ? added(data.variables, "var", { service: facts.service, name, value })
          : Object.assign(known, { value });
      },
    ),
    freeze_deployments: tool(
      "Block deployments of a service until someone lifts the block.",
      { service, reason: text("Why") },
      (facts) => added(data.freezes, "frz", facts),
    ),
  };
}
