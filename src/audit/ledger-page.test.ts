import { expect, test } from 'vitest'
import { ledgerHtml } from './ledger-page.js'

test('the ledger marks each figure where it stands, and tells what was logged instead of a wrong one', () => {
  const text = 'Reward **1.660**, beside <b> 0.777.\n'
  const from = { run: 'alpha', metric: 'val/reward', step: 40, aggregate: null, over: null, file: 'alpha.csv' }
  const place = { line: 1, column: 8 }
  const page = ledgerHtml(
    [
      {
        file: 'r.md',
        text,
        ledger: [
          { ...place, text: '1.660', state: 'contradicted', source: { logged: 1.6059, from }, offset: 7 },
          { ...place, text: '0.777', state: 'untraced', source: null, offset: text.indexOf('0.777') },
        ],
      },
    ],
    'en',
  )
  expect(page).toContain(
    '**<mark class="contradicted" title="1.6059 by the logs (alpha: val/reward at step 40 · alpha.csv)">1.660</mark>**, beside &lt;b&gt; <mark class="untraced"',
  )
  expect(page).toContain('0 of 2 figures traced, 1 contradicted, 1 untraced')
})
