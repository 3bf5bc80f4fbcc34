import { copyFileSync, existsSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { klens, klensJson } from './cli.js'
import { temporaryFolder } from './workspace.js'

/** `klens weights` as a user or a script meets it. */

const FIXTURES = fileURLToPath(new URL('../src/weights/fixtures', import.meta.url))
const [FIRST, SECOND] = ['grpo_epoch1.pt', 'grpo_epoch2.pt'].map(name => join(FIXTURES, name))

describe('klens weights show', () => {
  it('lists tensors, parameters and what the file says of itself, and what it does not', () => {
    const { code, out } = klens(temporaryFolder(), ['weights', 'show', SECOND])
    expect(code).toBe(0)
    expect(out).toContain('9 tensors, 560 parameters')
    expect(out).toMatch(/kl_beta +0\.1/)
    expect(out).toContain('it does not say: its config, its seed')
    expect(out).toMatch(/\[24, 8\] +F32 +192 +cross_attn_layers\.0\.in_proj_weight/)
  })

  it('gives scripts the same as JSON', () => {
    const shown = klensJson<object>(temporaryFolder(), ['weights', 'show', SECOND])
    expect(Object.keys(shown)).toEqual([
      'path',
      'format',
      'layout',
      'bytes',
      'parameters',
      'contentHash',
      'about',
      'missing',
      'notRun',
      'tensors',
    ])
    expect(shown).toMatchObject({
      format: 'pytorch',
      layout: 'v3',
      parameters: 560,
      missing: ['config', 'seed', 'parent', 'data'],
    })
  })

  it('says what a hostile file would call, and calls nothing', () => {
    const { out } = klens(temporaryFolder(), ['weights', 'show', join(FIXTURES, 'evil.pt')])
    expect(out).toContain('loading this file in Python would call posix.system; klens called nothing')
    expect(existsSync('/tmp/klens-was-run')).toBe(false)
  })

  it('ends with 2 and one sentence that names a damaged file, in the language asked for', () => {
    const folder = temporaryFolder()
    const cut = join(folder, 'cut.pt')
    copyFileSync(SECOND, cut)
    truncateSync(cut, 3000)
    const { code, error, out } = klens(folder, ['weights', 'show', cut])
    expect([code, out]).toEqual([2, ''])
    expect(error).toContain(`klens: ${cut} is cut short`)
    expect(klens(folder, ['weights', 'show', cut, '--lang', 'zh']).error).toContain('不完整')
  })
})

describe('klens weights diff', () => {
  it('says that the share that differs is the share that was trained', () => {
    const { out } = klens(temporaryFolder(), ['weights', 'diff', FIRST, SECOND])
    expect(out).toContain('54.29 % of the parameters differ: 304 of 560')
    expect(out).toContain('54.29 % is the share that was trained')
    const difference = klensJson<object>(temporaryFolder(), ['weights', 'diff', FIRST, SECOND])
    expect(difference).toMatchObject({
      total: { parameters: 560, differing: 304 },
      touched: 304,
      notAtAll: ['input_proj.weight', 'query_proj.weight', 'cand_proj.weight'],
    })
  })

  it('finds a checkpoint identical to its converted file', () => {
    const { out } = klens(temporaryFolder(), ['weights', 'diff', SECOND, join(FIXTURES, 'grpo_epoch2_v2format.ckpt')])
    expect(out).toMatch(/^IDENTICAL {2}all 560 parameters of the 9 tensors are equal/)
  })
})

describe('klens weights convert', () => {
  it('writes another format and overwrites nothing', () => {
    const folder = temporaryFolder()
    const made = klensJson<object>(folder, ['weights', 'convert', SECOND, 'made.safetensors'])
    expect(made).toMatchObject({ target: 'safetensors', tensors: 9, leftOut: [] })
    expect(klens(folder, ['weights', 'diff', SECOND, 'made.safetensors']).out).toContain('IDENTICAL')
    const again = klens(folder, ['weights', 'convert', SECOND, 'made.safetensors'])
    expect(again.code).toBe(2)
    expect(again.error).toContain('exists already')
    expect(klens(folder, ['weights', 'convert', SECOND, 'made.bin']).error).toContain(
      'must be .safetensors, .pt or .ckpt',
    )
  })
})
