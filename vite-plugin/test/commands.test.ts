import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { candidateCommands, commandText } from '../src/companion/commands.ts';
import { programEndings } from '../src/companion/installed.ts';
import { resolveSettings } from '../src/options.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

const pythonIn = (folder: string) => programAt(path.join(folder, 'bin/python'));

function programAt(file: string, mode = 0o755): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}

function temporary(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'pageside-commands-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function texts(command: string[] | undefined, project: string, viteRoot: string, env = {}) {
  const settings = resolveSettings({ companion: command ? { command } : {} }, {});
  return candidateCommands(settings, { project, viteRoot }, env).map(commandText);
}

test('the versions of the plugin and of the companion that it downloads are the same', () => {
  const project = readFileSync(new URL('../../pyproject.toml', import.meta.url), 'utf8');
  expect(project).toContain(`\nversion = "${version}"\n`);
});

test.runIf(process.platform !== 'win32')(
  'the nearest companion is tried first, and each command once',
  () => {
    const project = temporary();
    const viteRoot = path.join(project, 'apps/shop');
    const active = pythonIn(path.join(project, 'active'));
    const inRoot = pythonIn(path.join(viteRoot, 'venv'));
    const inProject = pythonIn(path.join(project, '.venv'));
    const installed = programAt(path.join(temporary(), 'pageside'));
    const env = { VIRTUAL_ENV: path.join(project, 'active'), PATH: path.dirname(installed) };
    expect(texts(['docker', 'run', 'pageside'], project, viteRoot, env)).toEqual([
      'docker run pageside',
      `${active} -m pageside`,
      `${inRoot} -m pageside`,
      `${inProject} -m pageside`,
      installed,
      `uvx pageside@${version}`,
      `pipx run --spec pageside==${version} pageside`,
      'python3 -m pageside',
    ]);
    expect(
      texts(undefined, project, project, { VIRTUAL_ENV: path.join(project, '.venv') })[0],
    ).toBe(`${inProject} -m pageside`);
    expect(
      texts(undefined, project, project, {}).filter((text) => text.includes(inProject)),
    ).toHaveLength(1);
  },
);

test.runIf(process.platform !== 'win32')(
  'the first `pageside` on PATH is taken, but none beside the code, of npm or of an environment that is tried',
  () => {
    const [project, machine] = [temporary(), temporary()];
    const viteRoot = path.join(project, 'apps/shop');
    pythonIn(path.join(project, '.venv'));
    const passedOver = [
      path.join(viteRoot, 'node_modules/.bin'),
      project,
      viteRoot,
      path.join(project, '.venv/bin'),
      path.join(machine, 'folder'),
    ];
    for (const folder of passedOver) programAt(path.join(folder, 'pageside'));
    rmSync(path.join(machine, 'folder/pageside'));
    mkdirSync(path.join(machine, 'folder/pageside'));
    programAt(path.join(machine, 'data/pageside'), 0o644);
    mkdirSync(path.join(machine, 'linked'));
    symlinkSync(
      path.join(viteRoot, 'node_modules/.bin/pageside'),
      path.join(machine, 'linked/pageside'),
    );
    const near = path.relative('', path.join(machine, 'first'));
    const others = [...passedOver, path.join(machine, 'data'), path.join(machine, 'linked'), near];
    const onPath = (folders: string[]) =>
      texts(undefined, project, viteRoot, { PATH: ['', '.', ...folders].join(':') }).filter(
        (text) => text.endsWith('/pageside'),
      );
    const first = programAt(path.join(machine, 'first/pageside'));
    const second = programAt(path.join(machine, 'second/pageside'));
    expect(onPath(others)).toEqual([]);
    expect(onPath([...others, ...[first, second].map((file) => path.dirname(file))])).toEqual([
      first,
    ]);
  },
);

test('on Windows a program has one of the endings that need no shell, in the user’s order', () => {
  expect(programEndings(undefined, false)).toEqual(['']);
  expect(programEndings(undefined, true)).toEqual(['.com', '.exe']);
  expect(programEndings('.EXE;.BAT;.CMD;.COM;.PY', true)).toEqual(['.exe', '.com']);
});
