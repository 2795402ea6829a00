import type { ComponentChildren, VNode } from "preact";
import type { LaunchDetails } from "../../../page-api.ts";
import { Chips, Facts } from "../parts/facts.tsx";
import { Card } from "../parts/page.tsx";
import { Path } from "../parts/place.tsx";

type Findings = LaunchDetails["inspection"];

/** What starting the server would do, determined without running it. */
export function Inspection({ inspection }: { readonly inspection: Findings }): VNode {
  const { program, starts, destination, runs, reads, files, secrets, envFile, installs } = inspection;
  const isLocal = runs.some(({ field }) => field === "command");
  const others = runs.filter(({ command, unpinned }) => command !== program || unpinned.length > 0);
  return (
    <Card id="inspection" title="What it would do">
      <Facts
        facts={[
          ["Sends requests to", isLocal ? undefined : destination],
          ["Program", isLocal ? <Program path={program} /> : undefined],
          ["Starts", starts === undefined ? undefined : <code>{starts}</code>],
          ["Installs", installs === undefined ? undefined : <Chips texts={installs.packages} />],
          [
            "Runs commands",
            list(others, ({ command, field, unpinned }) => (
              <>
                <code>{command}</code> <span class="soft">({field})</span>
                {unpinned.length === 0 ? null : (
                  <p class="warn-text">
                    Without a fixed version: {unpinned.join(", ")}. The code can change without asking you.
                  </p>
                )}
              </>
            )),
          ],
          ["Reads variables", list(reads, ({ variable, field }) => <Used name={variable} field={field} />)],
          ["Uses secrets", list(secrets, ({ secret, field }) => <Used name={secret} field={field} />)],
          [
            "Uses files",
            list(files, ({ file, field, leadsTo }) => (
              <>
                <Used name={file} field={field} />
                {leadsTo === undefined ? null : <p class="warn-text">Leads to {leadsTo}</p>}
              </>
            )),
          ],
          [
            "Variables file",
            envFile === undefined ? undefined : (
              <>
                <Path text={envFile.path} />
                {envFile.found ? (
                  <Chips texts={envFile.names} />
                ) : (
                  <p class="warn-text">The file does not exist.</p>
                )}
              </>
            ),
          ],
          ["Sandbox", sandboxOf(inspection)],
        ]}
      />
    </Card>
  );
}

function Program({ path }: { readonly path: string | undefined }): VNode {
  if (path === undefined) return <span class="warn-text">It was not found on this computer.</span>;
  return <code>{path}</code>;
}

function Used({ name, field }: { readonly name: string; readonly field: string }): VNode {
  return (
    <>
      <code>{name}</code> <span class="soft">({field})</span>
    </>
  );
}

function list<T>(items: readonly T[], show: (item: T) => ComponentChildren): VNode | undefined {
  if (items.length === 0) return undefined;
  return (
    <ul class="plain">
      {items.map((item, index) => (
        <li key={index}>{show(item)}</li>
      ))}
    </ul>
  );
}

function sandboxOf({ sandbox, turnsOffSandbox }: Findings): VNode | string | undefined {
  if (turnsOffSandbox === true)
    return <p class="warn-text">None: its entry turns off the sandbox of your settings.</p>;
  return sandbox === undefined ? undefined : `${sandbox.access} (${sandbox.source})`;
}
