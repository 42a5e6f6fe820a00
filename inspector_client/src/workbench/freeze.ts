import type { Clock } from '../clock';
import { innerRoot } from '../element/deep';

/** Stops what moves by itself. What is as it was afterwards: everything. */
export interface Freeze {
  start(): void;
  end(): void;
}

export function createFreeze(clock: Clock | null): Freeze {
  const rates = new Map<Animation, number>();
  const drawings = new Set<SVGSVGElement>();
  let frame = 0;

  /** Set to the rate 0, not paused: a style sheet that pauses and plays it still has its say afterwards. */
  function stop(animation: Animation): void {
    rates.set(animation, animation.playbackRate);
    animation.playbackRate = 0;
  }
  /** What begins now, for example because the pointer is there, is shown as it will be. */
  function settle(): void {
    for (const animation of running()) {
      if (rates.has(animation)) continue;
      if (Number(animation.effect?.getComputedTiming().endTime) < Infinity) animation.finish();
      else stop(animation);
    }
    frame = requestAnimationFrame(settle);
  }
  return {
    start() {
      clock?.hold();
      running().forEach(stop);
      for (const svg of document.querySelectorAll('svg'))
        if (!svg.animationsPaused() && svg.querySelector(SMIL)) {
          svg.pauseAnimations();
          drawings.add(svg);
        }
      settle();
    },
    end() {
      cancelAnimationFrame(frame);
      for (const [animation, rate] of rates) animation.playbackRate = rate;
      for (const svg of drawings) svg.unpauseAnimations();
      rates.clear();
      drawings.clear();
      clock?.release();
    },
  };
}

const SMIL = 'animate,animateTransform,animateMotion,set';

/** Those that run by the time, not by the scroll position, in the page and in its frames. */
function running(): Animation[] {
  const documents = [document];
  // Grows while it is walked.
  for (const each of documents)
    for (const frame of each.querySelectorAll('iframe,frame')) {
      const inner = innerRoot(frame);
      if (inner) documents.push(inner as Document);
    }
  return documents
    .flatMap((each) => each.getAnimations())
    .filter(({ playState, timeline }) => playState === 'running' && isClock(timeline));
}

/** Also the timeline of a frame, whose classes are its own. */
function isClock(timeline: AnimationTimeline | null): boolean {
  return typeof timeline?.currentTime === 'number';
}
