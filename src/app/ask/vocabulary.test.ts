import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { blocksHtml } from '../../core/present/html.js'
import { meaningBlocks } from '../../core/present/meaning.js'
import { speakerIn } from '../../core/present/speaker.js'
import { vocabularyBlocks } from '../../core/present/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import { compare } from './compare.js'
import { diagnose } from './diagnose.js'
import { series } from './series.js'
import { show } from './show.js'
import { editVocabularyQuestion, vocabulary } from './vocabulary.js'

type Row = { readonly [metric: string]: number }

function logOf(name: string, row: (step: number) => Row, steps = 30): string {
  const path = join(temporaryFolder(), `${name}.jsonl`)
  const rows = Array.from({ length: steps }, (_, i) => JSON.stringify({ step: i + 1, ...row(i + 1) }))
  writeFileSync(path, `${rows.join('\n')}\n`)
  return path
}

async function workspaceOf(...logs: readonly string[]): Promise<Workspace> {
  const workspace = await temporaryWorkspace()
  for (const log of logs) await answerTo(workspace, show, { run: log })
  return workspace
}

const HOSTILE = 'a</td><script>alert(1)</script>\u001b[31m\n- b: *c'

const ODD = (step: number): Row => ({
  'policy/actor_entropies': 1 / step,
  'optim/grad_norm_policy': 1 + step / 10,
  'loss/entropy_loss': -1,
  skip_ratio: 0.5,
  [HOSTILE]: step,
})

describe('klens vocabulary', () => {
  it('lists the names that nothing knows, how many runs have them, and what their words say', async () => {
    const workspace = await workspaceOf(
      logOf('a', ODD),
      logOf('b', step => ({ 'optim/grad_norm_policy': step })),
    )
    const { runs, metrics } = await answerTo(workspace, vocabulary, {})
    expect(runs).toBe(2)
    expect(metrics.map(({ name, runs: count, proposal }) => [name, count, proposal?.certainty ?? null])).toEqual([
      ['optim/grad_norm_policy', 2, 'clear'],
      ['policy/actor_entropies', 1, 'likely'],
      ['loss/entropy_loss', 1, 'open'],
      [HOSTILE, 1, null],
      ['skip_ratio', 1, null],
    ])
    expect(metrics[0]?.proposal).toEqual({
      candidates: ['grad.norm'],
      certainty: 'clear',
      reason: 'by the words “grad” “norm” “policy”',
    })
  })

  it('lists what a framework’s file leaves without a meaning, with its reason', async () => {
    const workspace = await workspaceOf(logOf('a', () => ({ 'rollout/raw_reward': 1, 'train/ois': 1 })))
    const { metrics, onPurpose } = await answerTo(workspace, vocabulary, {})
    expect(metrics).toEqual([])
    expect(onPurpose).toEqual([
      { name: 'train/ois', runs: 1, framework: 'slime', reason: expect.stringContaining('ratio') },
    ])
    const shown = await answerTo(workspace, show, { run: 'a' })
    expect(shown.metrics.find(({ metric }) => metric === 'train/ois')).toMatchObject({
      role: 'unknown',
      isUnknown: false,
    })
  })

  it('uses a proposal for nothing before it is accepted, and everywhere after', async () => {
    const grown = (level: number) => (step: number) => ({ 'optim/grad_norm_policy': level + Math.sin(step) / 10 })
    const workspace = await workspaceOf(logOf('a', grown(1)), logOf('b', grown(9)))
    const sides = ['a', 'b']
    const before = await answerTo(workspace, diagnose, { runs: ['a'] })
    expect(before.runs[0]).toMatchObject({ unknownNames: 1 })
    await expect(answerTo(workspace, compare, { sides, metric: 'grad.norm' })).rejects.toThrow(/metric/)
    expect(await answerTo(workspace, series, { runs: ['a'], metric: ['grad.norm'] })).toMatchObject({ series: [] })

    const { edits } = await answerTo(workspace, editVocabularyQuestion, { accept: ['optim/grad_norm_policy'] })
    expect(edits).toEqual([{ section: 'metrics', name: 'optim/grad_norm_policy', canonical: 'grad.norm' }])
    const compared = await answerTo(workspace, compare, { sides, metric: 'grad.norm' })
    expect(JSON.stringify(compared)).toContain('optim/grad_norm_policy')
    const after = await answerTo(workspace, diagnose, { runs: ['a'] })
    expect(after.runs[0]).toMatchObject({ unknownNames: 0 })
    expect(after.notChecked.length).toBeLessThan(before.notChecked.length)
    expect(JSON.stringify(await answerTo(workspace, series, { runs: ['a'], metric: ['grad.norm'] }))).toContain(
      'optim/grad_norm_policy',
    )
    expect((await answerTo(workspace, vocabulary, {})).metrics).toEqual([])
  })

  it('asks for the meaning where the words leave it open, and takes a rejection back', async () => {
    const workspace = await workspaceOf(logOf('a', ODD))
    const edit = (accept: readonly string[], reject: readonly string[] = []) =>
      answerTo(workspace, editVocabularyQuestion, { accept, reject })
    await expect(edit(['loss/entropy_loss'])).rejects.toThrow(/entropy, entropy.negative/)
    await expect(edit(['skip_ratio'])).rejects.toThrow(/no-proposal/)
    await expect(edit(['skip_ratio=entropi'])).rejects.toThrow(/no-canonical.*"meant":"entropy"/)
    await expect(edit(['skp_ratio=entropy'])).rejects.toThrow(/no-name.*"meant":"skip_ratio"/)
    await edit(['loss/entropy_loss=entropy.negative'], ['skip_ratio'])
    const listed = await answerTo(workspace, vocabulary, {})
    expect(listed.ignored).toEqual(['skip_ratio'])
    expect(listed.metrics.map(({ name }) => name)).not.toContain('skip_ratio')
    await edit(['skip_ratio=clip.frac'])
    expect((await answerTo(workspace, vocabulary, {})).ignored).toEqual([])
  })

  it('keeps what the user wrote, and a hostile name inside its quotes', async () => {
    const workspace = await workspaceOf(logOf('a', ODD))
    const path = join(workspace.root, 'vocabulary.yaml')
    writeFileSync(path, '# ours\nmetrics:\n  agent.calls: [skip_ratio] # keep\n')
    const name = HOSTILE.replace('*', '')
    await expect(answerTo(workspace, editVocabularyQuestion, { accept: [`${HOSTILE}=lr`] })).rejects.toThrow(
      /no-yaml-name/,
    )
    const own = await workspaceOf(logOf('b', () => ({ [name]: 1 })))
    await answerTo(own, editVocabularyQuestion, { accept: [`${name}=lr`] })
    const shown = await answerTo(own, show, { run: 'b' })
    expect(shown.metrics).toMatchObject([{ metric: name, canonical: 'lr' }])
    expect(readFileSync(join(own.root, 'vocabulary.yaml'), 'utf8')).not.toMatch(/^- b/m)
    await answerTo(workspace, editVocabularyQuestion, { accept: ['optim/grad_norm_policy'] })
    const text = readFileSync(path, 'utf8')
    expect(text).toContain('# ours\nmetrics:\n  agent.calls: [skip_ratio] # keep\n')
    writeFileSync(path, 'metrics: [broken')
    await expect(answerTo(workspace, editVocabularyQuestion, { reject: ['skip_ratio'] })).rejects.toThrow(
      /not-editable/,
    )
    expect(readFileSync(path, 'utf8')).toBe('metrics: [broken')
  })

  it('shows names as text, never as markup', async () => {
    const workspace = await workspaceOf(logOf('a', ODD))
    for (const lang of ['en', 'zh'] as const) {
      const answer = await answerTo(workspace, vocabulary, { lang })
      const shown = await answerTo(workspace, show, { run: 'a', lang })
      const blocks = [...vocabularyBlocks(answer, speakerIn(lang)), ...meaningBlocks(shown.metrics, speakerIn(lang))]
      const page = blocksHtml(blocks)
      expect(page).not.toContain('<script>')
      expect(page).toContain('klens vocabulary')
    }
  })
})
