// The door to the companion: a WebSocket with messages of JSON.
export interface Socket {
  /** Dropped where the socket is not open. */
  send(message: object): void;
  close(): void;
}

export interface SocketListener {
  opened(): void;
  said(data: unknown): void;
  /** The close code; 0 if it never opened. Called once. */
  closed(code: number): void;
}

export type OpenSocket = (port: number, listener: SocketListener) => Socket;

export const openSocket: OpenSocket = (port, listener) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  let wasOpen = false;
  socket.onopen = () => {
    wasOpen = true;
    listener.opened();
  };
  socket.onmessage = ({ data }) => listener.said(data);
  socket.onclose = ({ code }) => listener.closed(wasOpen ? code : 0);
  return {
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close: () => socket.close(1000),
  };
};
