/**
 * Bytes per token of a model on one rank: what the budget divides by, what the buffers take, and the
 * receipt of both. The formulas are texts of the sglang layer; each kind of attention has a file that
 * fills them in. Leaves out tokens and pools.
 */
import type { LayoutOptions, TokenBytes } from './bytesContext';
import { BytesContext } from './bytesContext';
import { compressedBytes } from './compressedBytes';
import { headBytes } from './headBytes';
import { latentBytes } from './latentBytes';
import type { ModelLayout } from './modelLayout';
import type { Answer } from './refusal';
import { answer } from './refusal';
import { servedLayout } from './servedLayout';

export type { DraftPlan, LayoutOptions, ParallelPlan, TokenBytes } from './bytesContext';

/** Bytes per token, or the reason why the release has none for this layout. */
export function tokenBytes(layout: ModelLayout, options: LayoutOptions): Answer<TokenBytes> {
  return answer(() => {
    const served = servedLayout(layout, options);
    const context = new BytesContext(served, options);
    const { attention } = served;
    switch (attention.kind) {
      case 'heads':
        return headBytes(context, attention);
      case 'latent':
        return latentBytes(context, attention);
      case 'compressed':
        return compressedBytes(context, attention);
    }
  });
}
