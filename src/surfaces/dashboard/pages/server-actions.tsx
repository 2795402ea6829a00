import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Done, ServerRow } from "../../../page-api.ts";
import { useGateway, useRight } from "../gateway/context.ts";
import { pathOf, send } from "../gateway/request.ts";
import { useAction } from "../gateway/use-action.ts";
import { ActionButton } from "../parts/button.tsx";
import type { IconName } from "../parts/icon.tsx";
import { Failure } from "../parts/notice.tsx";
import { linkTo } from "../routes.ts";

type ServerAction = ServerRow["actions"][number];

interface Look {
  readonly text: string;
  readonly icon: IconName;
  /** `files is connected`. */
  readonly done: string;
  /** `Could not connect to files`. */
  readonly what: string;
}

const CONNECT: Look = { text: "Connect", icon: "play", done: "is connected", what: "connect to" };

const ACTIONS: Readonly<Record<ServerAction, Look>> = {
  reconnect: { ...CONNECT, text: "Reconnect", icon: "refresh" },
  enable: { text: "Enable", icon: "check", done: "is enabled", what: "enable" },
  disable: { text: "Disable", icon: "off", done: "is disabled", what: "disable" },
};

interface ServerActionsProps {
  readonly server: ServerRow;
  readonly small?: boolean;
}

/** Buttons for what can be done with a server now. In a list, the link to the page that resolves its problem comes first. */
export function ServerActions({ server, small = false }: ServerActionsProps): VNode | null {
  const { name, state, because } = server;
  const action = useAction();
  const { announce } = useGateway();
  const [last, setLast] = useState<ServerAction>("reconnect");
  const mayControl = useRight("servers.control");
  const what = `Could not ${ACTIONS[last].what} ${name}.`;
  useEffect(() => {
    if (action.failure !== undefined) announce(what);
  }, [action.failure]);
  const run = (chosen: ServerAction): void => {
    setLast(chosen);
    action.run(
      () => send<Done>(`${pathOf("servers", name)}/${chosen}`),
      ({ text }) => `${name} ${ACTIONS[chosen].done}${text === undefined ? "" : ` (${text})`}.`,
    );
  };
  const next = small ? nextStep(server) : undefined;
  const shown = !mayControl ? [] : server.actions.filter((one) => next === undefined || one !== "reconnect");
  if (next === undefined && !mayControl) return null;
  return (
    <div class="actions">
      {next === undefined ? null : (
        <a class="button quiet small" href={next.link}>
          <span>
            {next.text}
            <span class="unseen"> {name}</span>
          </span>
        </a>
      )}
      {shown.map((one) => {
        const look = one === "reconnect" && state === "idle" ? CONNECT : ACTIONS[one];
        return (
          <ActionButton
            key={one}
            small={small}
            kind={small ? "quiet" : "plain"}
            icon={look.icon}
            isBusy={action.isRunning}
            onClick={() => run(one)}
            about={name}
          >
            {look.text}
          </ActionButton>
        );
      })}
      {/* The state of the server gives the same reason. */}
      {action.failure?.message === because ? null : <Failure failure={action.failure} what={what} />}
    </div>
  );
}

/** The page where a person can resolve why the server is not connected. */
export function nextStep({
  state,
  name,
}: ServerRow): { readonly text: string; readonly link: string } | undefined {
  if (state === "untrusted") return { text: "Review launch", link: linkTo("approvals", ["launch", name]) };
  if (state === "needs_auth") return { text: "Sign in", link: linkTo("connections", [], { server: name }) };
  return undefined;
}
