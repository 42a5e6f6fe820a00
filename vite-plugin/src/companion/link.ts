import { setTimeout as delay } from 'node:timers/promises';
import { noCompanion, type Refusal, wrongProject } from '../http/errors.ts';
import { CompanionError, type Companions, WrongProjectError } from './companion.ts';
import { type Lease, type LeaseInfo, openLease } from './lease.ts';
import type { Companion } from './registry.ts';

const RETRY_MS = 250;
const RETRY_CAP_MS = 10_000;
/** A lease that held for so long was a sound one: the next try comes at once. */
const SOUND_LEASE_MS = 5_000;
const LOOK_AGAIN_MS = 1_000;
/** A companion that ran can run again: so many tries before the developer is bothered. */
const RESTART_TRIES = 3;

/** One dev server's connection to the companion: found or started, leased, and replaced when it dies. */
export interface CompanionLink {
  start(): void;
  stop(): void;
  /** The companion to talk to right now. Asking while there is none looks for one that was started by hand. */
  current(): Companion | null;
  /** What to answer while there is none. */
  absence(): Refusal;
  /** The companion that holds a lease, and which; null while none does. */
  held(): { companion: Companion; lease: string } | null;
  /** Tells the companion the dev server's URLs as they are now. */
  renew(): void;
}

export interface LinkContext {
  companions: Companions;
  leaseInfo: () => Omit<LeaseInfo, 'renews'>;
  /** The lease of the dev server that this one follows. */
  renews?: string | undefined;
  /** A lease was granted; may be called again. */
  onReady: (companion: Companion) => void;
  onFailure: (message: string) => void;
}

export function createLink({
  companions,
  leaseInfo,
  renews,
  onReady,
  onFailure,
}: LinkContext): CompanionLink {
  const stopped = new AbortController();
  let companion: Companion | null = null;
  let lease: Lease | null = null;
  let wake: (() => void) | null = null;
  let lookedAt = 0;
  let warned = false;
  let absence = noCompanion;
  let failures = 0;
  let restartTries = 0;

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await connect();
      } catch (error) {
        await recover(error);
      }
    }
  }

  async function connect(): Promise<void> {
    companion = await companions.ensure(stopped.signal);
    const began = Date.now();
    await hold(companion);
    failures = Date.now() - began > SOUND_LEASE_MS ? 0 : failures + 1;
    if (failures > 1) await backOff();
  }

  async function recover(error: unknown): Promise<void> {
    companion = null;
    if (stopped.signal.aborted) return;
    const isWrong = error instanceof WrongProjectError;
    absence = isWrong ? wrongProject : noCompanion;
    if (isWrong || (error instanceof CompanionError && restartTries === 0)) {
      await giveWarningAndWait(error);
      return;
    }
    restartTries = Math.max(0, restartTries - 1);
    failures += 1;
    await backOff();
  }

  /** Holds a lease until its stream ends. */
  async function hold(leased: Companion): Promise<void> {
    const info = leaseInfo();
    lease = await open(leased, info);
    if (stopped.signal.aborted) lease.end();
    else ready(leased);
    if (leaseInfo().urls.join() !== info.urls.join()) renew();
    for (let held: Lease | null = null; held !== lease; ) {
      held = lease;
      await held.ended;
    }
    lease = null;
    companion = null;
  }

  async function open(companion: Companion, info: LeaseInfo): Promise<Lease> {
    const opened = await openLease(companion, { ...info, renews });
    renews = opened.id;
    return opened;
  }

  function ready(leased: Companion): void {
    warned = false;
    absence = noCompanion;
    restartTries = RESTART_TRIES;
    onReady(leased);
  }

  async function backOff(): Promise<void> {
    const ms = Math.min(RETRY_MS * 2 ** failures, RETRY_CAP_MS);
    await delay(ms, undefined, { signal: stopped.signal });
  }

  /** Says once what is wrong; goes on when a companion turns up. */
  async function giveWarningAndWait(error: CompanionError): Promise<void> {
    if (!warned) onFailure(error.message);
    warned = true;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    wake = null;
  }

  async function look(): Promise<void> {
    if (wake === null || Date.now() - lookedAt < LOOK_AGAIN_MS) return;
    lookedAt = Date.now();
    const found = await companions.find().catch(() => null);
    if (found) wake?.();
  }

  function renew(): void {
    // A lease that cannot be renewed is over; `run` takes a new one with the new URLs.
    renewLease().catch(() => lease?.end());
  }

  async function renewLease(): Promise<void> {
    const held = lease;
    if (!held || !companion) return;
    const next = await open(companion, leaseInfo());
    if (lease !== held || stopped.signal.aborted) {
      next.end();
      return;
    }
    lease = next;
    held.end();
  }

  return {
    start: () => void run().catch(ignoreStop),
    stop() {
      stopped.abort();
      lease?.end();
      wake?.();
    },
    current() {
      if (companion === null) void look();
      return companion;
    },
    held: () => companion && lease && { companion, lease: lease.id },
    absence: () => absence,
    renew,
  };

  function ignoreStop(error: unknown): void {
    if (!stopped.signal.aborted) onFailure(`Pageside: ${String(error)}`);
  }
}
