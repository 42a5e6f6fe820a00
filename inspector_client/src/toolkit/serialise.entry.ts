// What kind of value a script has, and as much of it as JSON can say.
import { toJson, typeOf } from '../tools/serialise';

export default function serialise(value: unknown): { type: string; value: unknown } {
  return { type: typeOf(value), value: toJson(value) };
}
