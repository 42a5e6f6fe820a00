import path from 'node:path';
import { normalizePath } from 'vite';
import type { Refusal } from '../http/errors.ts';
import { badRequest } from './places.ts';
import { isInside } from './resolve.ts';
import { realPath } from './sources.ts';

/** A file that a page names: its real path, if that lies in one of the roots; or why not. */
export function projectFile(
  named: unknown,
  roots: [project: string, vite: string],
): { path: string } | { refusal: Refusal } {
  if (typeof named !== 'string' || !named)
    return { refusal: badRequest('"file" must be a path, relative to the project root.') };
  const file = realPath(path.resolve(roots[0], named));
  const shown = JSON.stringify(named.slice(0, 200));
  if (file === null)
    return {
      refusal: {
        status: 404,
        code: 'NOT_FOUND',
        message: `There is no file ${shown} in the project (any more).`,
        fix: 'Pick the element again.',
      },
    };
  // Links are followed first, so that none leads out.
  if (roots.some((root) => isInside(realPath(root) ?? root, file))) return { path: file };
  return {
    refusal: {
      status: 403,
      code: 'FORBIDDEN',
      message: `${shown} lies outside the project.`,
      fix: `Name a file in ${normalizePath(roots[0])}.`,
    },
  };
}
