import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { startChatServer } from './support/chat-server.js'
import { answer, asked, embed, questionsFolder } from './support/questions.js'

/**
 * The story of docs/identical-results.md from end to end: two trainings that differ in KL_BETA alone, evaluated as the
 * original's inference does it, on one pool of the first two examples, and then on pools that leave a choice.
 */
const QUERIES = 60
const TO_TRAIN = 20

it('says that an evaluation on a pool of two cannot tell two trainings apart, and which weights it does not see', async () => {
  const folder = questionsFolder(QUERIES, TO_TRAIN)
  const at = (name: string): string => join(folder, name)
  const server = await startChatServer(answer, embed)
  const items = [at('items.jsonl'), '-o', at('items.safetensors')]
  await klensInside(folder, ['data', 'embed', ...items, '--url', server.url, '--model', 'tiny'])
  writeFileSync(
    at('train.yaml'),
    JSON.stringify({
      task: 'llm',
      data: { train: 'items.jsonl', query_embeddings: 'items.safetensors', candidates: 12 },
      llm: { url: server.url, model: 'tiny', 'prompt.shape': 'turns', answer: 'cut' },
      group: { size: 4, proposals: { beams: 2, temperatures: [1], samples: 1, random: 1, retrieval: 1 } },
      policy: { hidden: 4 },
      freeze: { grpo: ['backbone'] },
      'clip.old': 'start',
      epochs: { rce: 1, grpo: 2 },
      'lr.grpo': 0.001,
      'eval.every': 3,
    }),
  )
  const files: string[] = []
  for (const beta of ['0.12', '0.18']) {
    const out = at(`kl-${beta}`)
    mkdirSync(out)
    const words = ['train', at('train.yaml'), '--set', `kl.loss.coef=${beta}`, '--out', out, '--json']
    expect(await klensInside(folder, words)).toMatchObject({ code: 0 })
    files.push(join(out, 'grpo_epoch2.pt'))
  }

  const evaluate = ['eval', ...files, '--config', at('train.yaml'), '--shots', '1,2', '--choices', at('choices.json')]
  const firstTwo = ['--set', 'llm.pool=first', '--set', 'data.candidates=2']
  const blind = await klensInside(folder, [...evaluate, ...firstTwo, '--json'])
  expect(blind.code).toBe(1)
  const answerOf = (out: string) => JSON.parse(out.trim().split('\n').at(-1) ?? '')
  const { evaluations, findings } = answerOf(blind.out)
  expect(evaluations.map(({ name, shots }: { name: string; shots: number }) => [name, shots])).toEqual([
    ['kl-0.12/grpo_epoch2', 1],
    ['kl-0.12/grpo_epoch2', 2],
    ['kl-0.18/grpo_epoch2', 1],
    ['kl-0.18/grpo_epoch2', 2],
  ])
  const errors = findings.filter(({ rule }: { rule: string }) => rule === 'eval-blind')
  expect(errors).toHaveLength(4)
  expect(errors[0]).toMatchObject({
    severity: 'error',
    message: expect.stringMatching(
      /^kl-0\.12\/grpo_epoch2, 1 shot: [12] distinct choices? over 40 queries \(pools of 2\): this evaluation cannot show what was trained$/,
    ),
  })
  expect(findings.at(-1)).toMatchObject({ rule: 'weights-differ-results-identical', severity: 'warning' })
  expect(findings.at(-1).message).toMatch(/differ in \d tensors \((?:cross_attn|attn_norms).*were these tensors loaded/)

  // Everything that was chosen is there for one's own inference, at every number of shots.
  const { checkpoints } = JSON.parse(readFileSync(at('choices.json'), 'utf8'))
  expect(Object.keys(checkpoints[0].icd_idx_list)).toEqual(['shot_num=1', 'shot_num=2'])
  expect(new Set(checkpoints[0].icd_idx_list['shot_num=2'].flat())).toEqual(new Set([0, 1]))
  expect(checkpoints[0].icd_idx_list['shot_num=2']).toEqual(checkpoints[1].icd_idx_list['shot_num=2'])
  // Two examples are four turns before the question.
  const prompts = server.requests.filter(request => asked(request).length === 3)
  expect(
    prompts
      .at(-1)
      ?.messages.map(({ role }) => role)
      .slice(-5),
  ).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])

  const sighted = answerOf((await klensInside(folder, [...evaluate, '--json'])).out)
  expect(sighted.findings.filter(({ rule }: { rule: string }) => rule === 'eval-blind')).toEqual([])
  expect(sighted.evaluations[0].spread.distinct).toBeGreaterThan(5)

  const diff = JSON.parse((await klensInside(folder, ['weights', 'diff', ...files, '--json'])).out)
  expect([...diff.entirely, ...diff.partly].every((name: string) => /attn/.test(name))).toBe(true)
  const chinese = await klensInside(folder, [...evaluate, ...firstTwo, '--lang', 'zh'])
  expect(chinese.out).toMatch(/40 个查询只有 [12] 种不同的选择/)
}, 60_000)
