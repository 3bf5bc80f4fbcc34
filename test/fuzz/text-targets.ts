import { readFileSync } from 'node:fs'
import { readFormula } from '../../src/lab/gym/function/formula.js'
import { readJudged } from '../../src/lab/gym/judged/judge.js'
import { replay } from '../../src/lab/gym/replay.js'
import { cellsOf, markdownBlocks, type Span } from '../../src/logs/document/markdown.js'
import { plain } from '../../src/logs/document/plain.js'
import { isJsonObject, type Json } from '../../src/logs/model/json.js'
import { Problem } from '../../src/logs/model/problem.js'
import { detectFramework } from '../../src/logs/model/vocabulary/detect.js'
import { FRAMEWORKS } from '../../src/logs/model/vocabulary/framework.js'
import { meaningOf, rawNamesFor, vocabularyFor } from '../../src/logs/model/vocabulary/resolve.js'
import { settingsOf } from '../../src/logs/model/vocabulary/settings.js'
import { trapsFor } from '../../src/logs/model/vocabulary/traps.js'
import { parseUserVocabulary } from '../../src/logs/model/vocabulary/user.js'
import { parsePythonJson } from '../../src/logs/sources/python-json.js'
import { checkCondition, checkMessage, demand, isPlainJson } from './check.js'
import type { Seed } from './corpus.js'
import { randomFrom } from './random.js'
import type { Target } from './targets.js'

/** Parsers that read texts rather than files: Markdown, and the vocabulary of metrics and settings. */

export function markdownTarget(seeds: readonly Seed[]): Target {
  return {
    name: 'markdown',
    seeds,
    async check({ bytes }) {
      const text = bytes.toString('utf8')
      let end = 0
      for (const block of markdownBlocks(text)) {
        demand(block.from >= end && block.to <= text.length, 'blocks stand one behind the other', { block, end })
        end = block.from
        for (const span of spansOf(block)) {
          demand(span.from >= 0 && span.from <= span.to && span.to <= text.length, 'a span is in the text', span)
          plain(text, span)
        }
        if (block.kind === 'table')
          for (const row of block.rows) for (const cell of cellsOf(text, row)) plain(text, cell)
      }
    },
  }
}

function spansOf(block: ReturnType<typeof markdownBlocks> extends Generator<infer Each> ? Each : never): Span[] {
  if (block.kind === 'table') return [block.header, ...block.rows]
  if (block.kind === 'paragraph' || block.kind === 'item') return [...block.lines]
  return [block]
}

/** The first line of an input is a config as JSON, the rest is a vocabulary.yaml whose lines are tried as names. */
export const vocabularyTarget: Target = {
  name: 'vocabulary',
  seeds: [
    {
      name: 'a/vocabulary.yaml',
      bytes:
        Buffer.from(`{"actor_rollout_ref.actor.use_kl_loss":true,"algorithm.kl_ctrl.kl_coef":0.001,"data.val_size":200}
metrics:
  kl.ref: {names: [my/kl*, "**KL散度** (KL)"], unit: nats, goal: min}
  score.mean: reward
config:
  kl.loss.coef: [beta, "train.*"]
# val-core/openai/gsm8k/acc/mean@8
# eval_rewards/chosen/std
# shot_num=4
# objective/kl_at_10
`),
    },
    {
      name: 'b/vocabulary.yaml',
      bytes: Buffer.from(`{"kl_beta":"0.1","grpo_lr":1e-6,"warmup_ratio":0.1,"max_steps":-1,"num_generations":8}
metrics: {val.score: [val/exact, shot_num=2], "new.one": {goal: none}}
config: {}
# train/kl
# timing_s/step
# val-aux/x/y/reward/best@4/std
# 3-shot accuracy @ 0.7
`),
    },
  ],
  async check({ bytes }) {
    const random = randomFrom(bytes)
    const text = bytes.toString('utf8')
    const [config = '', ...lines] = text.split('\n')
    const { vocabulary: user, problems } = parseUserVocabulary(lines.join('\n'))
    problems.forEach(checkMessage)
    const parsed = parsePythonJson(config)
    const settings: { readonly [key: string]: Json } = isJsonObject(parsed) ? parsed : {}
    const names = lines.flatMap(line => [line, line.replace(/^[#\s]+/, '')]).slice(0, 400)
    detectFramework(names, Object.keys(settings))
    const framework = random.pick([null, ...FRAMEWORKS])
    const vocabulary = vocabularyFor({ framework, user })
    for (const name of names) {
      const { notes, condition } = meaningOf(name, vocabulary)
      notes.forEach(checkMessage)
      checkCondition(condition)
      trapsFor(name, framework, { verl: config.slice(0, 20) }).forEach(checkMessage)
    }
    for (const canonical of ['kl.ref', 'val.score', '__proto__']) rawNamesFor(canonical, names, vocabulary)
    for (const { reason } of settingsOf(settings, framework, user)) if (reason !== null) checkMessage(reason)
  },
}

/** Recordings of gyms, a line of which may hold any task and any answer of a judge: a `Problem`, or differences. */
export const gymTarget: Target = {
  name: 'gym',
  seeds: ['function', 'persuade', 'telepathy', 'turtle'].map(gym => {
    const text = readFileSync(`src/lab/gym/fixtures/${gym}-transitions.jsonl`, 'utf8')
    return { name: `${gym}.jsonl`, bytes: Buffer.from(text.split('\n').slice(0, 6).join('\n')) }
  }),
  async check({ name, bytes }) {
    const text = bytes.toString('utf8')
    try {
      const { episodes, transitions, differences } = replay(name, text)
      demand(episodes <= text.split('\n').length && transitions >= 0, 'an episode is a line', { episodes })
      demand(differences.every(isPlainJson), 'a difference can be written', {})
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      checkMessage(error.sentence)
    }
    for (const line of text.split('\n').slice(0, 50)) {
      readJudged(line, 'json')
      readFormula(line.slice(0, 200))
    }
  },
}
