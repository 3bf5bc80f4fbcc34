import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutMarkup } from './markup.js'
import { plain } from './plain.js'

describe('withoutMarkup', () => {
  it.each([
    ['**2.202** ⭐', '2.202 ⭐'],
    ['***both*** and *one* and __two__', 'both and one and two'],
    ['~~1.85~~ 1.90', '1.85 1.90'],
    ['~1.85 to ~1.90', '~1.85 to ~1.90'],
    ['`actor/kl_loss` and ``a`b``', 'actor/kl_loss and a`b'],
    ['KL_BETA and val_loss_mean', 'KL_BETA and val_loss_mean'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['2**10', '2**10'],
    ['**约束：**后文', '约束：后文'],
    ['a\\|b \\*c\\*', 'a|b *c*'],
    ['[the log](https://example.org/a_b_c "title") ![plot](x.png)', 'the log plot'],
    ['interval [0.1, 0.2] (wide)', 'interval [0.1, 0.2] (wide)'],
    ['1<br>2 <b>3</b> <sup>4</sup>', '1 2 3 4'],
    ['KL<limit and x>0', 'KL<limit and x>0'],
    ['a &lt; b &amp;&nbsp;c &unknown;', 'a < b & c &unknown;'],
    ['`**not bold**` **`code`**', '**not bold** code'],
    ['`open', '`open'],
  ])('shows %s as %s', (source, seen) => {
    expect(withoutMarkup(source)).toBe(seen)
  })

  it('adds nothing but white space and entities to what was written', () => {
    const character = fc.constantFrom(
      '*',
      '_',
      '~',
      '`',
      '[',
      ']',
      '(',
      ')',
      '\\',
      '<',
      'b',
      '>',
      '&',
      ';',
      ' ',
      '中',
      '1',
    )
    fc.assert(
      fc.property(fc.string({ unit: character }), source => {
        let at = 0
        for (const letter of withoutMarkup(source)) {
          at = source.indexOf(letter, at) + 1
          expect(at).toBeGreaterThan(0)
        }
      }),
    )
  })

  it.each(['*a ', '**a', '[a](', '`a ``b ', '\\*', '<b ', '&am', '_a_', '[', ']('])(
    'takes no longer than its length for 200,000 times %s',
    unit => {
      expect(withoutMarkup(unit.repeat(200_000)).length).toBeLessThanOrEqual(unit.length * 200_000)
    },
  )
})

describe('plain', () => {
  it('knows where every character it shows stands in the file', () => {
    const source = 'before\n- **KL**: `0.084` at [step](x) 40 &lt; 45'
    const { text, originOf } = plain(source, { from: 9, to: source.length })
    expect(text).toBe('KL: 0.084 at step 40 < 45')
    for (const shown of ['KL', '0.084', 'step', '40', '45']) {
      expect(source.startsWith(shown, originOf(text.indexOf(shown)))).toBe(true)
    }
  })
})
