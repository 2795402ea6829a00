/** One end of a connection between two processes of the same user. */
export interface LocalSocket {
  /** Sends one line. Returns the number of characters that the other end has not taken yet. */
  send(line: string): number;
  /** Resolves with the next line, or with `undefined` at the end. */
  nextLine(): Promise<string | undefined>;
  /** Calls the listener with each further line. Lines that were not read yet come first. */
  onLine(listener: (line: string) => void): void;
  /** Resolves when no more lines can arrive. Never rejects. */
  readonly ended: Promise<void>;
  /** Ends the connection after what was sent. */
  close(): void;
  /** Whether the connection keeps the process running. Default: `true`. */
  hold(isHeld: boolean): void;
}

/** Accepts connections from processes of the same user. */
export interface LocalListener {
  /** Returns whether processes that connect to the address reach this listener: `false` if the socket was removed or replaced. */
  isReachable(): Promise<boolean>;
  /** Removes the address, so that no process can connect. Open connections stay. */
  withdraw(): Promise<void>;
  /** Removes the address and ends all connections. */
  close(): Promise<void>;
}

/** Connections between processes of the same user: Unix sockets, or named pipes on Windows. */
export interface LocalSockets {
  /** Rejects with code `ENOENT` or `ECONNREFUSED` if no process listens. */
  connect(address: string): Promise<LocalSocket>;
  /** Replaces a socket that is at the address. Only the user can connect. */
  listen(address: string, onConnection: (socket: LocalSocket) => void): Promise<LocalListener>;
}
