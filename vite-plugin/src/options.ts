import path from 'node:path';
import { checkedOverlay, type OverlayOptions } from './overlay.ts';

/** Options of `pageside()`. Precedence: defaults, then these, then the `PAGESIDE_*` environment variables. */
export interface PagesideOptions {
  /**
   * Whether Pageside takes part at all. Environment: `PAGESIDE_ENABLED`.
   * @default true, except under Vitest
   */
  enabled?: boolean;
  /**
   * Folder that the companion and its queue of inspections belong to. Environment: `PAGESIDE_PROJECT`.
   * @default the nearest folder upwards with `.git`, else with `package.json`, else Vite's root
   */
  project?: string;
  /**
   * Folder for the companion's registry and queue. Environment: `PAGESIDE_STATE_DIR`.
   * @default the user's state folder, for example `~/.local/state/pageside`
   */
  stateDir?: string;
  /**
   * Whether React's JSX runtime is wrapped in development, so that elements know their source location.
   * @default true
   */
  react?: boolean;
  /**
   * Whether Vue's templates are compiled so in development that their tags know their source location.
   * @default true; without Vite's Vue plugin it does nothing
   */
  vue?: boolean;
  /**
   * Whether Solid's elements get their source location as an attribute, and its components note where they are used.
   * @default true; without vite-plugin-solid it does nothing
   */
  solid?: boolean;
  /**
   * Whether tags get their source location as an attribute in HTML pages, in `html` and `svg` templates, and in
   * literals that are assigned to `innerHTML` or given to `insertAdjacentHTML`.
   * @default true
   */
  markup?: boolean;
  /**
   * Whether the page notes which code makes its elements: `createElement`, `innerHTML`, `cloneNode` and the like.
   * Some 5 µs for each element.
   * @default 'auto': where the config has no plugin of React, Preact, Vue, Svelte or Solid
   */
  dom?: boolean | 'auto';
  /**
   * Whether pages on other machines, in containers and behind tunnels may use Pageside too. Everybody who reaches the
   * dev server then reads and writes the inspections. Environment: `PAGESIDE_LAN`.
   * @default false
   */
  lan?: boolean;
  /** How the overlay looks and behaves, until a user has it otherwise in its settings. */
  overlay?: OverlayOptions;
  /** How the companion, the process that agents talk to, is found and started. */
  companion?: CompanionOptions;
}

export interface CompanionOptions {
  /**
   * Address of a companion that runs already; none is ever started then. Environment: `PAGESIDE_URL`.
   * @default none
   */
  url?: string;
  /**
   * Command tried first to start a companion; `serve --project …` is added to it.
   * @default none: Python environments, `pageside` on PATH, uvx, pipx and python3 are tried in turn
   */
  command?: string[];
  /**
   * The companion ends after so many seconds without dev server and agent. Environment: `PAGESIDE_IDLE_SECONDS`.
   * @default 30
   */
  idleSeconds?: number;
  /**
   * Time that one command has to start a companion; uvx and pipx, which may download, have six times as long.
   * @default 20000
   */
  startTimeoutMs?: number;
}

/** What the plugin works with: every option decided. */
export interface Settings {
  enabled: boolean;
  project: string | undefined;
  stateDir: string | undefined;
  react: boolean;
  vue: boolean;
  solid: boolean;
  markup: boolean;
  dom: boolean | 'auto';
  lan: boolean;
  overlay: OverlayOptions;
  companion: {
    url: string | undefined;
    command: string[] | undefined;
    idleSeconds: number;
    startTimeoutMs: number;
  };
  tokens: { page: string | undefined; plugin: string | undefined };
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function resolveSettings(options: PagesideOptions, env: Environment): Settings {
  const companion = options.companion ?? {};
  return {
    enabled: flag('PAGESIDE_ENABLED', env) ?? options.enabled ?? env.VITEST === undefined,
    project: env.PAGESIDE_PROJECT || options.project,
    stateDir: absolute(env.PAGESIDE_STATE_DIR || options.stateDir),
    react: options.react ?? true,
    vue: options.vue ?? true,
    solid: options.solid ?? true,
    markup: options.markup ?? true,
    dom: options.dom ?? 'auto',
    lan: flag('PAGESIDE_LAN', env) ?? options.lan ?? false,
    overlay: checkedOverlay(options.overlay),
    companion: {
      url: env.PAGESIDE_URL || companion.url,
      command: companion.command,
      idleSeconds: seconds('PAGESIDE_IDLE_SECONDS', env) ?? companion.idleSeconds ?? 30,
      startTimeoutMs: companion.startTimeoutMs ?? 20_000,
    },
    tokens: {
      page: env.PAGESIDE_PAGE_TOKEN || undefined,
      plugin: env.PAGESIDE_PLUGIN_TOKEN || undefined,
    },
  };
}

function absolute(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : path.resolve(folder);
}

function flag(name: string, env: Environment): boolean | undefined {
  const value = env[name]?.toLowerCase();
  if (!value) return undefined;
  if (['1', 'true', 'on', 'yes'].includes(value)) return true;
  if (['0', 'false', 'off', 'no'].includes(value)) return false;
  throw new Error(`${name} is ${JSON.stringify(value)}: set it to 1 or 0.`);
}

function seconds(name: string, env: Environment): number | undefined {
  const text = env[name];
  if (!text) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${name} is ${JSON.stringify(text)}: set it to a number of seconds above 0.`);
}
