/** Names as weak evidence of a scale: told only where the flow of units says nothing. */
import { describe, expect, test } from 'vitest';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import { memoryFiles, testParser } from './python';

const source = `
import torch

class Runner:
    def plan(self, total):
        free, _ = torch.cuda.mem_get_info()
        now_mb = free / (1 << 30)
        rest_gb = now_mb - total * (1 - self.mem_fraction_static)
        spare_gb = self.settings.lookup("spare")
        slack_mb = self.settings.lookup("slack")
        page_bytes = self.settings.lookup("page")
        other = self.settings.lookup("other")
        names_gb = "a text"
        return int(rest_gb * (1 << 30))
`;

describe('the ending of a name', () => {
  test('is told only of what nothing else is known of, and is no unit', async () => {
    const annotator = new PythonAnnotator(await testParser(), memoryFiles({}));
    const file = await annotator.annotate({ path: 'box/runner.py', text: source });
    expect(file?.functions.map(({ role }) => role)).toEqual(['sizing']);
    const noteOf = (name: string) => {
      const found = file?.annotations.find(one => one.name === name);
      return found && [found.note.id === 'by-name' ? found.note.scale : 'flow', found.unit?.name];
    };
    expect(noteOf('spare_gb')).toEqual(['gigabytes', undefined]);
    expect(noteOf('slack_mb')).toEqual(['megabytes', undefined]);
    expect(noteOf('page_bytes')).toEqual(['bytes', undefined]);
    expect(noteOf('other')).toBeUndefined();
    expect(noteOf('names_gb')).toBeUndefined();
    expect(noteOf('now_mb')).toEqual(['flow', 'GiB']);
    expect(noteOf('rest_gb')).toEqual(['flow', 'GiB']);
  });
});
