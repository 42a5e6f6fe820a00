import {
  type CallToolResult,
  Client,
  type Progress,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import { attempt, createState, messageOf, randomId, type State } from '../../../src/basics';
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
  url.search = new URLSearchParams({ clientId: ownId(), toolsets: 'all' }).toString();
  let client: Client | undefined;

  async function open(): Promise<Client> {
    const opened = new Client(
      { name: 'Pageside console', version: '1' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
    );
    opened.setRequestHandler('elicitation/create', ({ params }) => ask(params));
    const requestInit = { headers: { Authorization: `Bearer ${token()}` } };
    await opened.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    return opened;
  }

  async function disconnect(): Promise<void> {
    const leaving = client;
    client = undefined;
    state.set({ kind: 'off' });
    await leaving?.close();
  }

  return {
    state,
    url: url.origin + url.pathname,
    disconnect,
    async connect() {
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
    },
    async call(name, args, { signal, progress }) {
      if (!client) throw new Error('There is no connection.');
      const options = { signal, timeout: SILENT_MS, resetTimeoutOnProgress: true };
      return client.callTool({ name, arguments: args }, { ...options, onprogress: progress });
    },
  };
}

/** The same over reloads: the companion knows the agent again. */
function ownId(): string {
  const kept = attempt(() => sessionStorage.getItem(ID_KEY), null);
  const id = kept ?? `console-${randomId()}`;
  attempt(() => sessionStorage.setItem(ID_KEY, id));
  return id;
}
