/**
 * Which classes of models with a vision tower a release serves as text models unless
 * `--enable-multimodal` is given: they keep the whole fraction. Facts of the releases (0.4.6 to
 * 0.5.23), by the `architectures` key; leaves out every figure of a model.
 */

const textFrom: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Gemma3ForConditionalGeneration: '0.4.6',
    Llama4ForConditionalGeneration: '0.4.6',
    Step3VLForConditionalGeneration: '0.4.10.post1',
    InklingForConditionalGeneration: '0.5.16',
  }),
);

/** The first release that serves the class as a text model without a flag; undefined for none. */
export function textModelFrom(architecture: string | undefined): string | undefined {
  return textFrom.get(architecture ?? '');
}

/** The first release that reserves nothing for a tower that `--language-only` leaves out. */
export const languageOnlyFrom = '0.5.9';
