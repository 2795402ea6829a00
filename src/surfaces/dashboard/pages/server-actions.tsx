import type { VNode } from "preact";
import type { Done, ServerRow } from "../../../page-api.ts";
import { useRight } from "../gateway/context.ts";
import { pathOf, send } from "../gateway/request.ts";
import { useAction } from "../gateway/use-action.ts";
import { ActionButton } from "../parts/button.tsx";
import type { IconName } from "../parts/icon.tsx";
import { Failure } from "../parts/notice.tsx";

type ServerAction = ServerRow["actions"][number];

const ACTIONS: Readonly<
  Record<ServerAction, { readonly text: string; readonly done: string; readonly icon: IconName }>
> = {
  reconnect: { text: "Reconnect", done: "is reconnecting", icon: "refresh" },
  enable: { text: "Enable", done: "is enabled", icon: "play" },
  disable: { text: "Disable", done: "is disabled", icon: "off" },
};

interface ServerActionsProps {
  readonly server: ServerRow;
  readonly small?: boolean;
}

/** Buttons for what can be done with a server now. */
export function ServerActions({ server, small = false }: ServerActionsProps): VNode | null {
  const action = useAction();
  if (!useRight("servers.control")) return null;
  const run = (name: ServerAction): void => {
    action.run(
      () => send<Done>(`${pathOf("servers", server.name)}/${name}`),
      ({ text }) => `${server.name} ${ACTIONS[name].done}. ${text ?? ""}`,
    );
  };
  return (
    <div class="actions">
      {server.actions.map((name) => (
        <ActionButton
          key={name}
          small={small}
          kind={small ? "quiet" : "plain"}
          icon={ACTIONS[name].icon}
          isBusy={action.isRunning}
          onClick={() => run(name)}
          about={server.name}
        >
          {ACTIONS[name].text}
        </ActionButton>
      ))}
      <Failure failure={action.failure} what={`Could not change ${server.name}.`} />
    </div>
  );
}
