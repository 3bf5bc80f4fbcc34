import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { putImported, sharedFolder } from './workspace.js'

/** Small things that everybody meets in the first week, as they read on a terminal. */

const ADDITION = fileURLToPath(new URL('../examples/grpo-addition', import.meta.url))

describe('every day', () => {
  const folder = sharedFolder()
  const klens = (...words: string[]) => klensInside(folder, words)
  beforeAll(async () => {
    await putImported(ADDITION, folder)
  })

  it('counts the settings that it lists below the count', async () => {
    for (const [name, config] of [
      ['a', { 'kl.loss.coef': 0.1, 'kl.loss.estimator': 'k1', lr: 1e-6 }],
      ['b', { 'kl.loss.coef': 0.2, 'kl.loss.estimator': 'k3', lr: 1e-6 }],
    ] as const) {
      mkdirSync(join(folder, 'settings', name), { recursive: true })
      const rows = Array.from({ length: 8 }, (_, i) =>
        JSON.stringify({ step: i + 1, 'val/acc': 0.5 + ((i * 7) % 5) / 50 }),
      )
      writeFileSync(join(folder, 'settings', name, 'metrics.jsonl'), `${rows.join('\n')}\n`)
      const flat = {
        actor_rollout_ref: {
          actor: {
            use_kl_loss: true,
            kl_loss_coef: config['kl.loss.coef'],
            kl_loss_type: config['kl.loss.estimator'],
            optim: { lr: config.lr },
          },
        },
      }
      writeFileSync(join(folder, 'settings', name, 'config.json'), JSON.stringify(flat))
    }
    const { out } = await klens('compare', 'settings/a', 'settings/b')
    const [title, ...lines] = out.slice(out.indexOf('differ')).split('\n')
    expect(out).toMatch(/2 settings differ/)
    expect(title).toBeDefined()
    expect(lines.slice(0, 2).every(line => line.includes(' → '))).toBe(true)
    expect(lines[2].trim()).toBe('')
  })

  it('says nothing about whole runs when two checkpoints of one run are compared', async () => {
    const { out } = await klens('compare', 'kl-0.0/seed0@100', 'kl-0.0/seed0@400')
    expect(out).toContain('kl-0.0/seed0@400 is better')
    expect(out).not.toMatch(/UNDETERMINED|copies|0\.0000/)
  })

  it('suggests commands in a report on checkpoints that run', async () => {
    await klens('report', 'kl-0.0/seed0@100', 'kl-0.0/seed0@400', '-o', 'checkpoints.md')
    const report = readFileSync(join(folder, 'checkpoints.md'), 'utf8')
    expect(report).not.toMatch(/\| level \||0\.0000 \|/)
    const [, command] = /`klens (checkpoints [^`]+)`/.exec(report) ?? []
    expect((await klens(...command.replaceAll("'", '').split(' '))).code).toBe(0)
  })

  it('says on import that the tail of a log was torn', async () => {
    writeFileSync(join(folder, 'torn.jsonl'), '{"step":1,"reward":0.1}\n{"step":2,"reward":0.2}\n{"step":3,"rew')
    const { out } = await klens('import', 'torn.jsonl')
    expect(out).toContain('torn.jsonl ends in the middle of a record: the last 14 bytes')
  })

  it('folds the completions of a run into one line of show', async () => {
    const completions = join(folder, 'many', 'val')
    mkdirSync(completions, { recursive: true })
    for (let step = 1; step <= 40; step += 1) {
      writeFileSync(join(completions, `${step}.jsonl`), `${JSON.stringify({ input: 'q', output: 'a', score: 1 })}\n`)
    }
    await klens('import', 'many')
    const { out } = await klens('show', 'many')
    expect(out.split('\n').filter(line => line.trimStart().startsWith('read from')).length).toBeLessThan(5)
  })

  it('says in one sentence what is wrong with a place to write to, and never hangs there', async () => {
    const long = `${'x'.repeat(300)}.md`
    expect(await klens('report', 'kl-0.0/seed0', '-o', long)).toMatchObject({
      code: 2,
      error: expect.stringContaining('does not accept a name as long as'),
    })
    expect(await klens('report', 'kl-0.0/seed0', '-o', '/proc/x.md')).toMatchObject({
      code: 2,
      error: expect.stringContaining('no permission to read or write /proc/x-charts'),
    })
    const large = await klens('train', '--set', 'policy.hidden=10000000', '--name', 'large')
    expect([large.code, large.error]).toEqual([2, expect.stringContaining('do not fit into 4 GiB')])
  })

  it('shows no character that turns or hides text, wherever a stranger wrote it', async () => {
    writeFileSync(
      join(folder, 'odd.jsonl'),
      '{"step":1,"re\u202eward\u200b":0.1}\n{"step":2,"re\u202eward\u200b":0.2}\n',
    )
    const [{ id }] = JSON.parse((await klens('import', 'odd.jsonl', '--json')).out).runs
    await klens('report', id, '-o', 'odd.md')
    const outputs = [(await klens('show', id)).out, (await klens('show', id, '--json')).out]
    for (const text of [...outputs, readFileSync(join(folder, 'odd.md'), 'utf8')]) {
      expect(text).not.toMatch(/[\u200b\u202e\u009b]/)
    }
  })

  it('speaks Chinese throughout: no English default, no half-width comma or semicolon between Chinese words', async () => {
    for (const verb of ['compare', 'diagnose', 'report', 'export', 'import']) {
      expect((await klens(verb, '--help', '--lang', 'zh')).out).not.toMatch(/\(default|Usage|Options/)
    }
    const { out } = await klens('compare', 'kl-0.0/seed0', 'kl-0.1/seed0', '--lang', 'zh', '--all')
    expect(out).toMatch(/差值/)
    expect(out).not.toMatch(/\bdiff\b/)
    expect(out).not.toMatch(/[\u4e00-\u9fff][,;] ?[\u4e00-\u9fff]/)
  })
})
