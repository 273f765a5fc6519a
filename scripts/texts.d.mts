/** Path of the file with every text. */
export const textsFile: string;

/** What the file is to hold. */
export function translatableTexts(): Promise<string>;
