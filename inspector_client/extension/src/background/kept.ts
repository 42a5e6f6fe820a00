// What has to survive: the port for good, the rest as long as the browser runs.
import { TABS } from '../shared/contract';
import type { Kept, KeptConsole } from './tab';

const PORT = 'port';
const tabKey = (tab: number) => `tab:${tab}`;
const consoleKey = (tab: number) => `console:${tab}`;

export interface Everything {
  port: number;
  tabs: Map<number, Kept>;
  consoles: Map<number, KeptConsole>;
}

export async function restored(): Promise<Everything> {
  const [local, session] = await Promise.all([
    chrome.storage.local.get(PORT),
    chrome.storage.session.get(null),
  ]);
  const ofKind = <T>(kind: string) =>
    new Map(
      Object.entries(session)
        .filter(([key]) => key.startsWith(`${kind}:`))
        .map(([key, value]) => [Number(key.slice(kind.length + 1)), value as T]),
    );
  const port = isPort(local[PORT]) ? local[PORT] : TABS.port;
  return { port, tabs: ofKind<Kept>('tab'), consoles: ofKind<KeptConsole>('console') };
}

export const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 65_535;

export const keepPort = (port: number) => chrome.storage.local.set({ [PORT]: port });
export const keepTab = (tab: number, kept: Kept) => put(tabKey(tab), kept);
export const keepConsole = (tab: number, kept: KeptConsole) => put(consoleKey(tab), kept);
export const forgetTab = (tab: number) =>
  chrome.storage.session.remove([tabKey(tab), consoleKey(tab)]);

async function put(key: string, value: object): Promise<void> {
  try {
    await chrome.storage.session.set({ [key]: value });
  } catch (error) {
    // It is full: then a restart of the worker starts with what was kept last.
    console.warn(`Pageside cannot keep ${key}:`, error);
  }
}
