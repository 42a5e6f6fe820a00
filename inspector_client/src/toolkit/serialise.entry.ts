// Any value of a script as JSON that says as much of it as JSON can.
import { toJson } from '../tools/serialise';

export default function serialise(value: unknown): unknown {
  return toJson(value);
}
