/**
 * Numbers that a nested part of a config leaves out because they are as usual for its `model_type`,
 * with that key as their source. Leaves out the values themselves.
 */
import type { TypeDefault } from '../sglang/layout/typeDefault';
import { defaultOfType } from '../sglang/layout/typeDefault';
import type { ConfigNumber } from './configNumber';
import type { ConfigObject } from './configTree';

/** The usual value; undefined outside of nested parts, and for types or values that are not known. */
export function typeNumber(
  config: ConfigObject,
  of: Exclude<keyof TypeDefault, 'windowStep'>,
): ConfigNumber | undefined {
  return config.path === '' ? undefined : numberOf(config, of);
}

/** Every how many layers one attends to all tokens, nested or not; undefined as with typeNumber. */
export function windowStepOfType(config: ConfigObject): ConfigNumber | undefined {
  return numberOf(config, 'windowStep');
}

/** Whether the usual values of a nested part are known. */
export function hasTypeDefaults(config: ConfigObject): boolean {
  return typeNumber(config, 'layers') !== undefined;
}

function numberOf(config: ConfigObject, of: keyof TypeDefault): ConfigNumber | undefined {
  const type = config.get('model_type');
  const value = typeof type?.value === 'string' ? defaultOfType(type.value)?.[of] : undefined;
  return type === undefined || value === undefined
    ? undefined
    : { value, path: type.path, place: type.place };
}
