import { expect, test } from 'vitest'
import type { LedgerEntry } from './entry.js'
import { ledgerHtml } from './page.js'
import { sourceWords } from './source-words.js'

test('the ledger marks each figure where it stands, and tells what was logged instead of a wrong one', () => {
  const text = 'Reward **1.660**, beside <b> 0.777.\n'
  const from = {
    run: 'alpha',
    metric: 'val/reward',
    step: 40,
    aggregate: null,
    over: null,
    across: null,
    file: 'alpha.csv',
    line: 41,
  }
  const entry = (own: Pick<LedgerEntry, 'text' | 'state' | 'source' | 'offset'>): LedgerEntry => {
    const made = { line: 1, column: own.offset + 1, section: null, fitsByChance: false, ...own }
    return { ...made, says: sourceWords(made) }
  }
  const page = ledgerHtml(
    [
      {
        file: 'r.md',
        text,
        ledger: [
          entry({ text: '1.660', state: 'contradicted', source: { logged: 1.6059, from }, offset: 9 }),
          entry({ text: '0.777', state: 'untraced', source: null, offset: text.indexOf('0.777') }),
        ],
      },
    ],
    'en',
  )
  expect(page).toContain(
    '**<mark id="f0-0" class="contradicted" title="1.6059 by the logs (alpha: val/reward, step 40 · alpha.csv:41)">1.660</mark>**, beside &lt;b&gt; <mark id="f0-1" class="untraced"',
  )
  expect(page).toContain('2 figures: 0 traced, 1 contradicted, 1 untraced')
})
