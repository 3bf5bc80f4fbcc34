import { copyFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

/** How `klens weights` reads. What it finds is tested in src/app/ask/weights.test.ts. */

const FIXTURES = fileURLToPath(new URL('../src/lab/weights/fixtures', import.meta.url))
const [FIRST, SECOND] = ['grpo_epoch1.pt', 'grpo_epoch2.pt'].map(name => join(FIXTURES, name))

const weights = (folder: string, ...words: string[]) => klensInside(folder, ['weights', ...words])

describe('klens weights', () => {
  it('lists tensors, parameters and what the file says of itself, and what it does not', async () => {
    const { code, out } = await weights(temporaryFolder(), 'show', SECOND)
    expect(code).toBe(0)
    expect(out).toContain('9 tensors, 560 parameters')
    expect(out).toMatch(/kl_beta +0\.1/)
    expect(out).toContain('not recorded: its config, its seed')
    expect(out).toMatch(/\[24, 8\] +F32 +192 +cross_attn_layers\.0\.in_proj_weight/)
  })

  it('says that a hostile file was not obeyed', async () => {
    const { out } = await weights(temporaryFolder(), 'show', join(FIXTURES, 'evil.pt'))
    expect(out).toContain('loading this file in Python would call posix.system; klens called nothing')
  })

  it('ends with 2 and one sentence that names a damaged file, in the language asked for', async () => {
    const folder = temporaryFolder()
    const cut = join(folder, 'cut.pt')
    copyFileSync(SECOND, cut)
    truncateSync(cut, 3000)
    const { code, error, out } = await weights(folder, 'show', cut)
    expect([code, out]).toEqual([2, ''])
    expect(error).toContain(`klens: ${cut} is truncated`)
    expect((await weights(folder, 'show', cut, '--lang', 'zh')).error).toContain('不完整')
    expect((await weights(folder, 'shwo', cut)).error).toContain('there is no command "weights shwo"')
  })

  it('says that the share that differs is the share that was trained', async () => {
    const { out } = await weights(temporaryFolder(), 'diff', FIRST, SECOND)
    expect(out).toContain('54.29 % of the parameters differ: 304 of 560')
    expect(out).toContain('54.29 % is the share that was trained')
  })

  it('says where it wrote another format, and that this holds the same', async () => {
    const folder = temporaryFolder()
    expect((await weights(folder, 'convert', SECOND, 'made.safetensors')).out).toContain('made.safetensors')
    expect((await weights(folder, 'diff', SECOND, 'made.safetensors')).out).toMatch(
      /^IDENTICAL {2}all 560 parameters of the 9 tensors are equal/,
    )
    expect((await weights(folder, 'convert', SECOND, 'made.bin')).error).toContain('must be .safetensors, .pt or .ckpt')
  })
})
