// The connection of one tab to the companion: connects, registers, notices its loss, and tries again by itself.
import { TABS } from '../shared/contract';
import type { Connection, Failure } from '../shared/messages';
import { CommandError, failureOf } from './rules/failure';
import { after, type Event, isOpen } from './rules/machine';
import { retryDelay } from './rules/retry';
import { type Incoming, problemOf, silentProblem, understood } from './rules/wire';
import type { OpenSocket, Socket } from './socket';

const REGISTER_MS = 5000;
const CLOSE_MS = 2000;

export interface Link {
  readonly connection: Connection;
  readonly problem: Failure | null;
  readonly retryAt: number | null;
  readonly connectedAt: number | null;
  /** The user connected the tab, so it is connected again whenever it is lost. */
  readonly isWanted: boolean;
  connect(): void;
  /** `why`: the problem that ended it; null when the user did. */
  disconnect(why: Failure | null): void;
  /** It was connected before the worker was stopped. */
  resume(): void;
  /** A command runs, or has ended. */
  move(event: 'taken' | 'ended'): void;
  send(message: object): void;
  fail(problem: Failure): void;
}

interface Around {
  open: OpenSocket;
  port(): number;
  /** What has to be there before the companion is told; throws why it cannot be. */
  prepare(): Promise<void>;
  /** Nothing of it is needed any more. */
  release(): void;
  /** What the companion is told first. */
  introduction(): Promise<object>;
  registered(): void;
  said(message: Incoming): void;
  /** It is open no more. */
  lost(): void;
  /** The companion has another tab of this id. */
  renamed(): void;
  changed(): void;
}

export function createLink(around: Around): Link {
  let connection: Connection = 'idle';
  let problem: Failure | null = null;
  let refusal: Failure | null = null;
  let retryAt: number | null = null;
  let connectedAt: number | null = null;
  let isWanted = false;
  let failures = 0;
  let socket: Socket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What belongs to an earlier attempt is not heard. */
  let attempt = {};

  function move(event: Event): void {
    connection = after(connection, event);
    around.changed();
  }
  function later(ms: number, work: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  }

  function begin(): void {
    const own = {};
    attempt = own;
    problem = refusal = retryAt = null;
    clearTimeout(timer);
    move('connect');
    around.prepare().then(
      () => {
        if (attempt === own) dial(own);
        // The user thought better of it meanwhile.
        else if (connection === 'idle' && !isWanted) around.release();
      },
      // Without the debugger there is nothing to try again.
      (error) => attempt === own && giveUp('failed', failureOf(error)),
    );
  }

  function dial(own: object): void {
    const port = around.port();
    const isOwn = () => attempt === own;
    const opened = async () => {
      const message = await around.introduction();
      if (isOwn()) socket?.send(message);
    };
    socket = around.open(port, {
      opened: () => void opened(),
      said: (data) => isOwn() && hear(understood(data)),
      closed: (code) => isOwn() && ended(code, problemOf(port, code, refusal)),
    });
    later(REGISTER_MS, () => {
      socket?.close();
      ended(-1, silentProblem(port));
    });
  }

  function hear(message: Incoming): void {
    if (message.type === 'ping') socket?.send({ type: 'pong' });
    else if (message.type === 'error') refusal = message.error;
    else if (message.type !== 'registered') around.said(message);
    else if (connection === 'connecting') {
      clearTimeout(timer);
      isWanted = true;
      failures = 0;
      connectedAt = Date.now();
      move('registered');
      around.registered();
    }
  }

  function ended(code: number, why: Failure): void {
    attempt = {};
    socket = null;
    clearTimeout(timer);
    const was = connection;
    connectedAt = null;
    if (was === 'disconnecting') move('closed');
    else if (isWanted) retry(was, why);
    else {
      if (code === TABS.closeCodes.tabIdInUse) around.renamed();
      giveUp('failed', why);
    }
    if (isOpen(was)) around.lost();
  }

  function retry(was: Connection, why: Failure): void {
    problem = why;
    const wait = retryDelay(failures);
    failures += 1;
    retryAt = Date.now() + wait;
    move(isOpen(was) ? 'lost' : 'failed');
    later(wait, begin);
  }

  function giveUp(event: 'failed' | 'lost', why: Failure | null): void {
    isWanted = false;
    problem = why;
    retryAt = null;
    move(event);
    around.release();
  }

  function disconnect(why: Failure | null): void {
    isWanted = false;
    problem = why;
    retryAt = null;
    clearTimeout(timer);
    around.release();
    if (connection === 'idle' || connection === 'disconnecting') {
      around.changed();
      return;
    }
    const wasOpen = isOpen(connection);
    connectedAt = null;
    move('disconnect');
    if (wasOpen) around.lost();
    if (!socket) {
      attempt = {};
      move('closed');
      return;
    }
    socket.close();
    // A companion that hangs does not take part in closing.
    later(CLOSE_MS, () => ended(-1, problemOf(0, 1000, null)));
  }

  return {
    get connection() {
      return connection;
    },
    get problem() {
      return problem;
    },
    get retryAt() {
      return retryAt;
    },
    get connectedAt() {
      return connectedAt;
    },
    get isWanted() {
      return isWanted;
    },
    connect() {
      if (connection !== 'idle') return;
      failures = 0;
      begin();
    },
    disconnect,
    resume() {
      isWanted = true;
      begin();
    },
    move,
    send: (message) => socket?.send(message),
    fail(given) {
      problem = given;
      around.changed();
    },
  };
}

export const goneBecause = (why: string) => new CommandError('TAB_DISCONNECTED', why);
