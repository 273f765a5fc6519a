/**
 * Scale types. SGLang's real confusions are between scales of one dimension (bytes against GiB,
 * GiB against decimal GB), so each scale is a type of its own and nothing converts silently.
 * A unit is a product of powers of scales; equal units are one object, so `===` compares them.
 */

/** The scales that occur: byte scales (B, KiB, MiB, GiB = powers of 1024; GB = 10^9), and counts. */
export type ScaleName = 'B' | 'KiB' | 'MiB' | 'GiB' | 'GB' | 'token' | 'request' | 's';

const bytesPerScale: Readonly<Partial<Record<ScaleName, bigint>>> = {
  B: 1n,
  KiB: 1n << 10n,
  MiB: 1n << 20n,
  GiB: 1n << 30n,
  GB: 1_000_000_000n,
};

const scaleOrder: readonly ScaleName[] = ['B', 'KiB', 'MiB', 'GiB', 'GB', 'token', 'request', 's'];

/** Bytes in one of the scale, exactly; undefined for a scale that does not measure memory. */
export function bytesPer(scale: ScaleName): bigint | undefined {
  return bytesPerScale[scale];
}

const interned = new Map<string, Unit>();

/** A product of powers of scales, such as `GiB`, `B/token` or `1`. Interned: compare with `===`. */
export class Unit {
  readonly #exponents: ReadonlyMap<ScaleName, number>;
  /** Canonical spelling, as in the JSON contract: `GiB`, `B/token`, `1`. */
  readonly name: string;

  private constructor(name: string, exponents: ReadonlyMap<ScaleName, number>) {
    this.name = name;
    this.#exponents = exponents;
  }

  /** The unit with these powers; zero powers are dropped. */
  static from(exponents: ReadonlyMap<ScaleName, number>): Unit {
    const kept = new Map<ScaleName, number>();
    for (const scale of scaleOrder) {
      const power = exponents.get(scale) ?? 0;
      if (power !== 0) {
        kept.set(scale, power);
      }
    }
    const name = spell(kept);
    const known = interned.get(name);
    if (known !== undefined) {
      return known;
    }
    const made = new Unit(name, kept);
    interned.set(name, made);
    return made;
  }

  /** Reads a spelling such as `B/token`, `GB/s` or `1`; undefined when it is none. */
  static parse(text: string): Unit | undefined {
    const exponents = new Map<ScaleName, number>();
    let sign = 1;
    for (const token of text.split(/([*/])/)) {
      if (token === '*' || token === '/') {
        sign = token === '*' ? 1 : -1;
        continue;
      }
      const match = /^(\w+?)(?:\^(-?\d+))?$/.exec(token.trim());
      const scale = scaleOrder.find(candidate => candidate === match?.[1]);
      if (scale !== undefined) {
        const power = sign * Number(match?.[2] ?? 1);
        exponents.set(scale, (exponents.get(scale) ?? 0) + power);
      } else if (match?.[1] !== '1') {
        return undefined;
      }
    }
    return Unit.from(exponents);
  }

  power(scale: ScaleName): number {
    return this.#exponents.get(scale) ?? 0;
  }

  times(other: Unit): Unit {
    return this.#combine(other, 1);
  }

  per(other: Unit): Unit {
    return this.#combine(other, -1);
  }

  /** The byte scale of a plain amount of memory (`GiB`), or of a rate of it (`B/token`). */
  get byteScale(): ScaleName | undefined {
    const scales = [...this.#exponents].filter(([scale]) => bytesPerScale[scale] !== undefined);
    const [only] = scales;
    return scales.length === 1 && only?.[1] === 1 ? only[0] : undefined;
  }

  /** True for an amount of memory without another factor: B, KiB, MiB, GiB or GB. */
  get isMemory(): boolean {
    return this.byteScale !== undefined && this.#exponents.size === 1;
  }

  /** The same amounts counted in another byte scale; undefined when this is no memory unit. */
  withByteScale(scale: ScaleName): Unit | undefined {
    const from = this.byteScale;
    if (from === undefined) {
      return undefined;
    }
    const exponents = new Map(this.#exponents);
    exponents.delete(from);
    exponents.set(scale, 1);
    return Unit.from(exponents);
  }

  toString(): string {
    return this.name;
  }

  #combine(other: Unit, sign: 1 | -1): Unit {
    const exponents = new Map(this.#exponents);
    for (const [scale, power] of other.#exponents) {
      exponents.set(scale, (exponents.get(scale) ?? 0) + sign * power);
    }
    return Unit.from(exponents);
  }
}

/**
 * The unit after a number is multiplied (`direction` 1) or divided (-1) by a constant that changes
 * the scale: GiB x 2^30 = B, B / 2^20 = MiB, GB x 10^9 = B. Undefined when the constant is no such
 * change for this unit.
 */
export function changeScale(unit: Unit, constant: bigint, direction: 1 | -1): Unit | undefined {
  const from = unit.byteScale;
  const bytes = from === undefined ? undefined : bytesPerScale[from];
  if (bytes === undefined || constant < 1024n) {
    return undefined;
  }
  const target = scaleOrder.find(scale => {
    const other = bytesPerScale[scale] ?? 0n;
    return direction === 1 ? other * constant === bytes : other === bytes * constant;
  });
  return target === undefined ? undefined : unit.withByteScale(target);
}

/** The byte scale above B that has so many bytes: GB for 10^9; undefined where none has. */
export function scaleOfBytes(bytes: bigint): ScaleName | undefined {
  return scaleOrder.find(scale => scale !== 'B' && bytesPerScale[scale] === bytes);
}

function spell(exponents: ReadonlyMap<ScaleName, number>): string {
  const factor = ([scale, power]: [ScaleName, number]): string =>
    Math.abs(power) === 1 ? scale : `${scale}^${Math.abs(power)}`;
  const above = [...exponents].filter(([, power]) => power > 0).map(factor);
  const below = [...exponents].filter(([, power]) => power < 0).map(factor);
  return [above.join('*') || '1', ...below].join('/');
}

function known(name: string): Unit {
  const unit = Unit.parse(name);
  if (unit === undefined) {
    throw new Error(`not a unit: ${name}`);
  }
  return unit;
}

/** The units of the JSON contract. */
export const units = {
  B: known('B'),
  KiB: known('KiB'),
  MiB: known('MiB'),
  GiB: known('GiB'),
  GB: known('GB'),
  token: known('token'),
  bytesPerToken: known('B/token'),
  request: known('request'),
  second: known('s'),
  one: known('1'),
} as const;
