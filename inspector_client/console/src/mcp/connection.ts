import {
  type CallToolResult,
  Client,
  type Progress,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import { attempt, createState, messageOf, randomId, type State } from '../../../src/basics';
import { connectionTexts as texts } from '../texts';
import type { Ask } from './questions';

export type ConnectionState =
  | { kind: 'off' }
  | { kind: 'connecting' }
  | { kind: 'on'; tools: Tool[] }
  | { kind: 'failed'; message: string };

export interface CallOptions {
  signal: AbortSignal;
  progress(progress: Progress): void;
}

/** The console as an agent among others. */
export interface Connection {
  readonly state: State<ConnectionState>;
  readonly url: string;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  call(name: string, args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>;
}

export interface ConnectionOptions {
  /** The MCP endpoint, by its path. */
  path: string;
  token(): string | null;
  ask: Ask;
}

const ID_KEY = 'pageside-console-id';
/** A tool that waits for the user says when it gives up; this is only for a companion that says nothing at all. */
const SILENT_MS = 11 * 60_000;

export function createConnection({ path, token, ask }: ConnectionOptions): Connection {
  const state = createState<ConnectionState>({ kind: 'off' });
  const url = new URL(path, location.href);
  const id = takeId();
  url.search = new URLSearchParams({ clientId: id, toolsets: 'all' }).toString();
  let client: Client | undefined;
  let transport: StreamableHTTPClientTransport | undefined;

  async function open(): Promise<Client> {
    const opened = new Client(
      { name: 'Pageside console', version: '1' },
      { capabilities: { elicitation: { form: {} } } },
    );
    opened.setRequestHandler('elicitation/create', ({ params }) => ask(params));
    const requestInit = { headers: { Authorization: `Bearer ${token()}` } };
    transport = new StreamableHTTPClientTransport(url, { requestInit, fetch: withoutStream });
    await opened.connect(transport);
    return opened;
  }

  /** Ends the session with a request that outlives the page: it has to be on its way before this returns. */
  function leave(): void {
    const session = transport?.sessionId;
    if (!session) return;
    const headers = { Authorization: `Bearer ${token()}`, 'mcp-session-id': session };
    void fetch(url, { method: 'DELETE', keepalive: true, headers }).catch(() => undefined);
  }

  async function disconnect(): Promise<void> {
    const leaving = client;
    const session = transport;
    client = transport = undefined;
    state.set({ kind: 'off' });
    // A companion that is gone has ended it as well.
    await session?.terminateSession().catch(() => undefined);
    await leaving?.close();
  }

  async function connect(): Promise<void> {
    await disconnect();
    state.set({ kind: 'connecting' });
    const opening = open();
    try {
      client = await opening;
      const { tools } = await client.listTools();
      state.set({ kind: 'on', tools });
    } catch (error) {
      state.set({ kind: 'failed', message: messageOf(error) });
    }
  }

  window.addEventListener('pagehide', () => {
    keepId(id);
    leave();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && client) void connect();
  });
  return {
    state,
    url: url.origin + url.pathname,
    disconnect,
    connect,
    async call(name, args, { signal, progress }) {
      const options = {
        ...{ signal, timeout: SILENT_MS, resetTimeoutOnProgress: true },
        onprogress: progress,
      };
      const call = () => {
        if (!client) throw new Error(texts.none);
        return client.callTool({ name, arguments: args }, options);
      };
      try {
        return await call();
      } catch (error) {
        if (!isSessionGone(error)) throw error;
        await connect();
        return call();
      }
    },
  };
}

/** Sessions end when nothing was called for half an hour. */
function isSessionGone(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404;
}

/**
 * Without the stream that a session may have besides its calls: a browser has six connections for all consoles together,
 * and what is new comes with the overview.
 */
const withoutStream: typeof fetch = async (input, init) => {
  const method = init?.method ?? 'GET';
  return method === 'GET' ? new Response(null, { status: 405 }) : fetch(input, init);
};

/** The same over reloads: the companion knows the agent again. While the page is there nobody else finds it: not a copy of the tab. */
function takeId(): string {
  const kept = attempt(() => sessionStorage.getItem(ID_KEY), null);
  attempt(() => sessionStorage.removeItem(ID_KEY));
  return kept ?? `console-${randomId()}`;
}

function keepId(id: string): void {
  attempt(() => sessionStorage.setItem(ID_KEY, id));
}
