export interface Endpoints {
  at(route: string): string;
  readonly trustedTypes: boolean;
  /** The project that the dev server belongs to, if it said so. */
  readonly project: string | null;
  /** How the project wants the overlay: JSON of the plugin's option. */
  readonly overlay: string | null;
}

/** Everything lies beside the script itself, whatever the dev server's base is. */
export function createEndpoints(scriptUrl: string): Endpoints {
  const script = new URL(scriptUrl);
  const { searchParams } = script;
  return {
    at: (route) => new URL(`.${route}`, script).href,
    trustedTypes: searchParams.get('tt') === '1',
    project: searchParams.get('project'),
    overlay: searchParams.get('overlay'),
  };
}
