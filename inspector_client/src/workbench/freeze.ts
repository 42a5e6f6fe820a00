import { attempt } from '../basics';
import type { Clock } from '../clock';
import { innerRoot } from '../element/deep';
import { hold, release } from './stand-still';

const SMIL = 'animate,animateTransform,animateMotion,set';
/** What begins while the page stands still is seen within this time; asking in each frame costs more than it is worth. */
const LOOK_MS = 60;

/** Stops what moves by itself. What is as it was afterwards: everything. */
export interface Freeze {
  start(): void;
  end(): void;
}

export function createFreeze(clock: Clock | null): Freeze {
  const rates = new Map<Animation, number>();
  const drawings = new Set<SVGSVGElement>();
  let documents: Document[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Set to the rate 0, not paused: a style sheet that pauses and plays it still has its say afterwards. */
  function stop(animation: Animation): void {
    rates.set(animation, animation.playbackRate);
    setRate(animation, 0);
  }
  /** What begins now, for example because the pointer is there, is shown as it will be. */
  function settle(): void {
    for (const animation of runningIn(documents)) {
      if (rates.has(animation)) continue;
      // What has the rate 0 of its own cannot be finished.
      const ends = Number(animation.effect?.getComputedTiming().endTime) < Infinity;
      if (ends && animation.playbackRate) attempt(() => animation.finish());
      else stop(animation);
    }
    timer = setTimeout(settle, LOOK_MS);
  }
  return {
    start() {
      if (clock) hold(clock);
      documents = allDocuments();
      runningIn(documents).forEach(stop);
      for (const svg of document.querySelectorAll('svg'))
        if (!svg.animationsPaused() && svg.querySelector(SMIL)) {
          svg.pauseAnimations();
          drawings.add(svg);
        }
      settle();
    },
    end() {
      clearTimeout(timer);
      if (clock) release(clock);
      for (const [animation, rate] of rates) setRate(animation, rate);
      for (const svg of drawings) svg.unpauseAnimations();
      rates.clear();
      drawings.clear();
    },
  };
}

/** One that refuses keeps nobody from picking. */
function setRate(animation: Animation, rate: number): void {
  attempt(() => {
    animation.playbackRate = rate;
  });
}

/** The page's and those of its frames, as far as they are of its origin. */
function allDocuments(): Document[] {
  const found = [document];
  // Grows while it is walked.
  for (const each of found)
    for (const frame of each.querySelectorAll('iframe,frame')) {
      const inner = innerRoot(frame);
      if (inner) found.push(inner as Document);
    }
  return found;
}

/** Those that run by the time, not by the scroll position. */
function runningIn(documents: Document[]): Animation[] {
  return documents
    .flatMap((each) => each.getAnimations())
    .filter(({ playState, timeline }) => playState === 'running' && isClock(timeline));
}

/** Also the timeline of a frame, whose classes are its own. */
function isClock(timeline: AnimationTimeline | null): boolean {
  return typeof timeline?.currentTime === 'number';
}
