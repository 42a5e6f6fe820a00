/** What goes on in the companion, as its event stream tells it: always all of it. Times in ms since 1970. */
export interface Overview {
  companion: Companion;
  agents: Agent[];
  pages: Page[];
  tabs: Tab[];
  chromes: { address: string; launched: boolean; connected: boolean; tabs: number | null }[];
  /** The ones that changed last. */
  inspections: Inspection[];
  /** All that there are. */
  inspectionCount: number;
  servers: { id: string; command: string; status: string; urls: string[]; pid: number | null }[];
  devServers: { server: string; root: string; urls: string[] }[];
  timeline: Happened[];
  brakes: { everywhere: boolean };
}

export interface Companion {
  version: string;
  project: string;
  pid: number;
  port: number;
  mcpUrl: string;
  startedAt: number;
  tabSocket: { state: string; port: number | null; why?: string | null };
}

export interface Agent {
  name: string;
  connectedAt: number;
  page: string | null;
  /** `outcome`: `running`, `ok`, or why it failed. */
  lastCall: { tool: string; at: number; outcome: string } | null;
}

export interface Page {
  id: string;
  title: string;
  url: string;
  usedAt: number | null;
}

export interface Tab {
  tabId: string;
  title: string;
  url: string;
  via: string;
  connectedAt: number | null;
}

export interface Inspection {
  id: string;
  number: number | null;
  note: string;
  status: string;
  /** The id of a page that is open. */
  page?: string;
  updatedAt: number;
  message?: string;
  progress?: { done: number; total: number; step?: string };
}

export interface Happened {
  seq: number;
  at: number;
  kind: string;
  level: string;
  text: string;
}
