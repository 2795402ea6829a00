import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Done } from "../../../page-api.ts";
import { useGateway } from "../gateway/context.ts";
import { send } from "../gateway/request.ts";
import { useAction } from "../gateway/use-action.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Failure } from "../parts/notice.tsx";
import { setTheme, storedTheme, type Theme } from "../preferences.ts";

const THEMES: readonly { readonly value: Theme; readonly text: string }[] = [
  { value: "system", text: "Auto" },
  { value: "light", text: "Light" },
  { value: "dark", text: "Dark" },
];

/** The signed-in person, and the page's appearance. */
export function Footer({ onHelp }: { readonly onHelp: () => void }): VNode {
  const { session, live } = useGateway();
  const [theme, change] = useState(storedTheme());
  const action = useAction();
  return (
    <div class="footer">
      <p class="soft small">
        {session.isLocal ? "On this computer" : session.person}
        {session.role === "administrator" ? "" : `, ${session.role}`} · {session.version}
      </p>
      <Choice
        legend="Colours"
        value={theme}
        choices={THEMES}
        onChange={(value) => {
          setTheme(value);
          change(value);
        }}
      />
      <div class="actions">
        <Button kind="quiet" small icon="keyboard" onClick={onHelp}>
          Shortcuts
        </Button>
        <Button
          kind="quiet"
          small
          icon="off"
          isBusy={action.isRunning}
          onClick={() =>
            action.run(
              () => send<Done>("session/end"),
              () => {
                live.signedOut();
                return undefined;
              },
            )
          }
        >
          Sign out
        </Button>
      </div>
      <Failure failure={action.failure} what="Could not sign out." />
    </div>
  );
}
