import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findProject, findProjectRoot, projectId, stateFolder } from '../src/companion/project.ts';
import { resolveSettings } from '../src/options.ts';

interface Vector {
  path: string;
  id: string;
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../tests/unit/project-ids.json', import.meta.url), 'utf8'),
);

describe('the project id', () => {
  test.each(vectors)('of $path is the one that Python computes', ({ path, id }) => {
    expect(projectId(path)).toBe(id);
  });
});

describe('the project root', () => {
  test('is the nearest folder with .git, even above a nearer package.json', () => {
    const repository = folder();
    mkdirSync(path.join(repository, '.git'));
    const app = below(repository, 'apps/shop');
    writeFileSync(path.join(app, 'package.json'), '{}');
    expect(findProjectRoot(app, '/home/nobody')).toBe(repository);
  });

  test('knows a worktree, where .git is a file', () => {
    const worktree = folder();
    writeFileSync(path.join(worktree, '.git'), 'gitdir: elsewhere');
    expect(findProjectRoot(below(worktree, 'src'), '/home/nobody')).toBe(worktree);
  });

  test('is the nearest folder with package.json when there is no .git', () => {
    const app = folder();
    writeFileSync(path.join(app, 'package.json'), '{}');
    expect(findProjectRoot(below(app, 'src/pages'), '/home/nobody')).toBe(app);
  });

  test('is the folder itself when there is neither', () => {
    const app = folder();
    expect(findProjectRoot(app, path.dirname(app))).toBe(app);
  });

  test('is never the home folder of a folder in it', () => {
    const home = folder();
    mkdirSync(path.join(home, '.git'));
    const app = below(home, 'app');
    expect(findProjectRoot(app, home)).toBe(app);
  });

  test('is a real path, and can be named by an option', () => {
    const named = folder();
    expect(findProject('/', named)).toEqual({ root: named, id: projectId(named) });
    expect(() => findProject('/', '/does/not/exist')).toThrow('/does/not/exist does not exist');
  });
});

describe('the options', () => {
  test('are overridden by the environment', () => {
    const env = {
      PAGESIDE_ENABLED: '1',
      PAGESIDE_URL: 'http://127.0.0.1:7000',
      PAGESIDE_STATE_DIR: '/state',
      PAGESIDE_IDLE_SECONDS: '5',
    };
    const settings = resolveSettings({ enabled: false, stateDir: '/other', react: false }, env);
    expect(settings).toMatchObject({
      enabled: true,
      stateDir: '/state',
      react: false,
      companion: { url: 'http://127.0.0.1:7000', idleSeconds: 5, startTimeoutMs: 20_000 },
    });
  });

  test('leave Pageside off under Vitest, unless asked for', () => {
    expect(resolveSettings({}, { VITEST: 'true' }).enabled).toBe(false);
    expect(resolveSettings({ enabled: true }, { VITEST: 'true' }).enabled).toBe(true);
    expect(resolveSettings({}, {}).enabled).toBe(true);
  });

  test.each([
    { PAGESIDE_ENABLED: 'perhaps' },
    { PAGESIDE_IDLE_SECONDS: 'soon' },
    { PAGESIDE_IDLE_SECONDS: '-1' },
  ])('refuse the environment $0 by name', (env) => {
    expect(() => resolveSettings({}, env)).toThrow(Object.keys(env)[0]);
  });

  test.runIf(process.platform === 'linux')('follow the XDG state folder', () => {
    expect(stateFolder(undefined, { XDG_STATE_HOME: '/xdg' })).toBe('/xdg/pageside');
    expect(stateFolder('/mine', { XDG_STATE_HOME: '/xdg' })).toBe('/mine');
    expect(stateFolder(undefined, {})).toMatch(/\/\.local\/state\/pageside$/);
  });
});

function folder(): string {
  const created = realpathSync(mkdtempSync(path.join(tmpdir(), 'pageside-project-')));
  onTestFinished(() => rmSync(created, { recursive: true }));
  return created;
}

function below(root: string, name: string): string {
  const created = path.join(root, name);
  mkdirSync(created, { recursive: true });
  return created;
}
