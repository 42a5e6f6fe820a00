import { type DevEnvironment, normalizePath } from 'vite';
import { realPath } from './sources.ts';

/** A module's id or URL without what follows the file's name. */
export function withoutQuery(id: string): string {
  return id.replace(/[?#].*$/s, '');
}

/** The file that an import leads to, normalized; of what is no file its id; null where it leads nowhere. */
export async function importedFile(
  { pluginContainer }: DevEnvironment,
  specifier: string,
  importer: string,
): Promise<string | null> {
  const found = await pluginContainer.resolveId(specifier, importer);
  if (!found) return null;
  const id = withoutQuery(found.id);
  return normalizePath(realPath(id) ?? id);
}
