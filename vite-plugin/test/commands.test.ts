import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { candidateCommands, commandText } from '../src/companion/commands.ts';
import { resolveSettings } from '../src/options.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

function pythonIn(folder: string): string {
  const python = path.join(folder, 'bin/python');
  mkdirSync(path.dirname(python), { recursive: true });
  writeFileSync(python, '');
  chmodSync(python, 0o755);
  return python;
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
    const project = realpathSync(mkdtempSync(path.join(tmpdir(), 'pageside-commands-')));
    onTestFinished(() => rmSync(project, { recursive: true }));
    const viteRoot = path.join(project, 'apps/shop');
    const active = pythonIn(path.join(project, 'active'));
    const inRoot = pythonIn(path.join(viteRoot, 'venv'));
    const inProject = pythonIn(path.join(project, '.venv'));
    const env = { VIRTUAL_ENV: path.join(project, 'active') };
    expect(texts(['docker', 'run', 'pageside'], project, viteRoot, env)).toEqual([
      'docker run pageside',
      `${active} -m pageside`,
      `${inRoot} -m pageside`,
      `${inProject} -m pageside`,
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
