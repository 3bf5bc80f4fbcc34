import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { klens, klensJson } from './cli.js'
import { temporaryFolder } from './workspace.js'

/** `klens train` as a user meets it: the run is in the store, and its weights say what they are. */

const QUICK = [
  '--set',
  'epochs.rce=1',
  '--set',
  'epochs.grpo=2',
  '--set',
  'policy.hidden=32',
  '--set',
  'data.width=24',
  '--set',
  'data.candidates=24',
]

describe('klens train', () => {
  it('needs no config, puts the run into the store like an imported one, and keeps checkpoints that carry their config', () => {
    const folder = temporaryFolder()
    const { code, out } = klens(folder, ['train', '--name', 'mine', '--seed', '5', ...QUICK, '--json'])
    expect(code).toBe(0)
    const lines = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.slice(0, 3).map(({ epoch, phase }) => [epoch, phase])).toEqual([
      [1, 'rce'],
      [2, 'grpo'],
      [3, 'grpo'],
    ])
    const { run, checkpoints, evaluations } = lines[3]
    expect(checkpoints).toEqual(['epoch1.safetensors', 'epoch2.safetensors', 'epoch3.safetensors'])
    expect(evaluations).toHaveLength(3)
    const [listed] = klensJson<{ id: string; name: string; status: string; config: { [key: string]: unknown } }[]>(
      folder,
      ['runs'],
    )
    expect(listed).toMatchObject({ id: run, name: 'mine', status: 'finished' })
    expect(listed.config).toMatchObject({ seed: 5, 'kl.loss.coef': 0.1 })
    const bytes = readFileSync(join(folder, '.klens', 'runs', run, 'checkpoints', 'epoch3.safetensors'))
    const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())).toString())
    expect(Object.keys(header)).toContain('query_proj.weight')
    expect(JSON.parse(header.__metadata__.klens)).toMatchObject({
      run,
      epoch: 3,
      seed: 5,
      config: { 'kl.loss.coef': 0.1 },
    })
    expect(klensJson<{ findings: object[] }>(folder, ['diagnose', 'mine']).findings).toBeDefined()
    const ranked = klensJson<{ ranking: object[]; best: { heldOut: number } }>(folder, ['checkpoints', 'mine'])
    expect(ranked.ranking).toHaveLength(3)
    expect(ranked.best.heldOut).toBeGreaterThan(0)
  })

  it('refuses settings that do not exist or do not hold, with a suggestion', () => {
    const folder = temporaryFolder()
    const sentence = (words: readonly string[]): string => klens(folder, ['train', ...words]).error
    expect(sentence(['--set', 'kl.los.coef=1'])).toContain('Did you mean "kl.loss.coef"?')
    expect(sentence(['--set', 'kl.loss.coef=-1'])).toContain('kl.loss.coef')
    expect(sentence(['nope.yaml'])).toContain('there is no config file nope.yaml')
    expect(sentence(['--task', 'lever'])).toContain('lever')
  })
})
