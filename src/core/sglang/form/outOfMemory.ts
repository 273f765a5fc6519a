/**
 * The text by which torch says that the device has no memory left, alone or inside the message of
 * another error. Amounts have the scale that they print.
 */
import { count, scaled, word } from './field';
import { anywhere } from './pattern';

/** An amount as torch prints it, with its scale in a second group. */
function amount(name: string): string {
  return `<${name}> (?<${name}Scale>bytes|[KMGT]iB)`;
}

/** Source of the pattern, up to the amount asked for; the rest of the line is looked through. */
export const outOfMemory = [
  '(?<device>CUDA|HIP|NPU|XPU|MUSA|HPU) out of memory\\. Tried to allocate ',
  amount('asked'),
  `(?:(?<old>) \\((?:GPU|NPU|XPU) <gpuOld#>; ${amount('totalOld')} total capacity; ${amount('allocatedOld')} already allocated;(?: <active> \\w+ current active;)? ${amount('freeOld')} free;(?: ${amount('reservedOld')} reserved)?)?`,
  anywhere('GPU <gpu#> has a total capac(?:i)?ty of'),
  anywhere(`has a total capac(?:i)?ty of ${amount('total')}`),
  anywhere(`of which ${amount('free')} is free`),
  anywhere(`this process has ${amount('process')} memory in use`),
  anywhere(`Of the allocated memory ${amount('allocated')} is allocated by PyTorch`),
  anywhere(`with ${amount('graphs')} allocated in private pools`),
  anywhere(`and ${amount('unallocated')} is reserved by PyTorch but unallocated`),
].join('');

export const outOfMemoryFields = {
  device: word(),
  gpu: count(undefined, ['gpu', 'gpuOld']),
  asked: scaled(),
  total: { ...scaled('cardCapacity'), groups: ['total', 'totalOld'] },
  free: { ...scaled(), groups: ['free', 'freeOld'] },
  process: scaled(),
  allocated: { ...scaled(), groups: ['allocated', 'allocatedOld'] },
  reserved: { ...scaled(), groups: ['reservedOld'] },
  graphs: scaled('graphMemory'),
  unallocated: scaled(),
} as const;

/** How a line begins that goes on with the text, where a terminal or a person broke it. */
export const wrappedOutOfMemory =
  /^(?:Tried to |to allocate |allocate |GPU \d|has a |total |capac|of which |which |is free|free\.|Process \d|Including |non-PyTorch |this process |process has |memory |Of the |allocated |is allocated |by PyTorch|PyTorch|with \d|in private |private pools|and \d|is reserved |reserved |\d[\d.]* [KMG]iB)/;
