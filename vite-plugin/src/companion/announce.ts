import { CHANNEL } from '../contract.ts';
import type { ConsoleLink } from './console-link.ts';
import { isLoopbackAddress } from './peer.ts';
import type { Companion } from './registry.ts';

const COMMAND = 'claude mcp add --transport http pageside';

/** Prints the MCP endpoint under Vite's URLs, once both are known, and then a link to the console, and what keeps tabs away. */
export function createAnnouncer(
  info: (line: string) => void,
  colors: boolean,
  consoleLink: (companion: Companion) => Promise<ConsoleLink | null>,
  platform: NodeJS.Platform = process.platform,
) {
  const paint = (code: number, text: string) => (colors ? `\x1b[${code}m${text}\x1b[39m` : text);
  const bold = (text: string) => (colors ? `\x1b[1m${text}\x1b[22m` : text);
  let ready: Companion | null = null;
  let printed: string | null = null;
  let mayPrint = false;

  const arrow = `  ${paint(32, '➜')}  `;

  function print(): void {
    if (!mayPrint || ready === null) return;
    const endpoint = endpointOf(ready);
    const command = `${COMMAND} ${endpoint}${authorization(ready, platform)}`;
    if (command === printed) return;
    printed = command;
    info(`${arrow}${bold('Pageside')}: ${paint(36, endpoint)}`);
    info(`${arrow}${bold('Agent')}:    ${command}`);
    void printLink(ready);
  }

  async function printLink(companion: Companion): Promise<void> {
    const link = await consoleLink(companion);
    if (link === null) return;
    info(`${arrow}${bold('Console')}:  ${paint(36, link.url)}`);
    if (link.tabs !== '') info(`${arrow}${bold('Tabs')}:     ${link.tabs}`);
  }

  return {
    /** Vite's own URLs stand there now. */
    urlsPrinted(): void {
      mayPrint = true;
      printed = null;
      print();
    },
    companionReady(companion: Companion): void {
      ready = companion;
      print();
    },
  };
}

function endpointOf({ host, port }: Companion): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${CHANNEL.mcp}`;
}

/** Only on Linux, and only on its own machine, does the companion see by itself whose process is calling. */
function authorization({ host, agentToken }: Companion, platform: NodeJS.Platform): string {
  if (platform === 'linux' && (host === 'localhost' || isLoopbackAddress(host))) return '';
  return ` --header "Authorization: Bearer ${agentToken ?? '<agent token>'}"`;
}
