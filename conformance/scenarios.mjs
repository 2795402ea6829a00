/** Which scenarios are run: all that the suite itself lists for a client, but for those set aside here. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const REVISIONS = ["2025-11-25", "2026-07-28"];

/** Set aside until Plugboard offers the feature they judge. Take a line away to switch its scenarios on. */
const SET_ASIDE = [];

/** Required ones and those that are run but not scored alike. */
export function scenariosOf(suiteFolder) {
  const all = REVISIONS.flatMap((revision) => {
    const lists = parse(readFileSync(`${suiteFolder}/requirements/${revision}.yaml`, "utf8"));
    const unscored = lists.not_scored
      .filter(({ leg }) => leg === "client")
      .map(({ scenario, reason }) => ({
        revision,
        scenario,
        required: false,
        isExtension: reason === "extension",
      }));
    return [...lists.client.map((scenario) => ({ revision, scenario, required: true })), ...unscored];
  });
  const reasonFor = ({ scenario }) => SET_ASIDE.find(({ matches }) => matches.test(scenario))?.because;
  return {
    run: all.filter((entry) => reasonFor(entry) === undefined),
    setAside: all.flatMap((entry) => reasonFor(entry) ?? []),
  };
}

/** The scenarios that a revision requires of servers. */
export function serverScenarios(suiteFolder, revision) {
  return parse(readFileSync(`${suiteFolder}/requirements/${revision}.yaml`, "utf8")).server;
}
