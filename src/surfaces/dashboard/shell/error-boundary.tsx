import { Component, type ComponentChildren } from "preact";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/notice.tsx";

interface ErrorBoundaryProps {
  readonly children: ComponentChildren;
}

/** Limits the effect of a bug to one page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error?: unknown }> {
  static override getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ComponentChildren {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Notice tone="bad" title="This page has a bug and cannot be shown." role="alert">
        <p>{error instanceof Error ? error.message : String(error)}</p>
        <p>
          <Button onClick={() => this.setState({ error: undefined })}>Try again</Button>
        </p>
      </Notice>
    );
  }
}
