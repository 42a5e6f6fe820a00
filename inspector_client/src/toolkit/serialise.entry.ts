// What kind of value a script has, and as much of it as JSON can say.
import { ToolError } from '../failure';
import { toJson, typeOf } from '../tools/serialise';

interface Serialised {
  type: string;
  value?: unknown;
  /** Why there is no value. */
  tooLarge?: string;
}

export default function serialise(value: unknown): Serialised {
  const type = typeOf(value);
  try {
    return { type, value: toJson(value) };
  } catch (error) {
    if (error instanceof ToolError) return { type, tooLarge: error.message };
    throw error;
  }
}
