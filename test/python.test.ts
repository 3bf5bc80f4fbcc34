import { spawn, spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rename } from '../src/app/ask/manage.js'
import { ask } from '../src/app/ask/question.js'
import { questionNamed } from '../src/app/library/ask-named.js'
import { importLogs } from '../src/core/store/ingest.js'
import { isAlive } from '../src/core/store/process.js'
import { openWorkspace } from '../src/core/store/workspace.js'
import { jsonLines, put } from './hostile.js'
import { sharedFolder } from './workspace.js'

/** `import klens` as it lies in the wheel, with the command line as built in place of the wheel's own. */
const isUsable = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

describe.skipIf(!isUsable)('klens in Python', () => {
  const folder = sharedFolder()
  const environment = {
    ...process.env,
    KLENS_HOME: '',
    PYTHONDONTWRITEBYTECODE: '1',
    KLENS_COMMAND: `${process.execPath} ${resolve('bin/klens.js')}`,
  }
  beforeAll(async () => {
    cpSync(fileURLToPath(new URL('../packaging/wheel', import.meta.url)), join(folder, 'klens'), { recursive: true })
    const name = '<script>alert("1")</script> & "NaN"'
    const row = (i: number) => ({ step: i + 1, data: { 'val-core/x/reward/mean@1': 0.5 + i / 100 } })
    put(folder, 'logs/evil/metrics.jsonl', jsonLines(Array.from({ length: 12 }, (_, i) => row(i))))
    const workspace = await openWorkspace(folder, {})
    await importLogs(workspace, [resolve('examples/userrl-intentiongym'), join(folder, 'logs')])
    await ask(workspace, rename, { run: 'evil', name })
    await workspace.close()
  })

  function python(code: string): unknown {
    const ran = spawnSync('python3', ['-c', `import json, klens\n${code}`], {
      cwd: folder,
      encoding: 'utf8',
      env: environment,
    })
    expect([ran.status, ran.stderr]).toEqual([0, ''])
    return JSON.parse(ran.stdout)
  }

  it('asks, and gives members by name, errors with their code, and a page for a notebook', () => {
    const told = python(`
answer = klens.compare("no-kl", "kl", margin="5%", seed_sd=0.05)
try:
    klens.compare("nobody", "kl")
except klens.KlensError as error:
    wrong = [error.code, str(error)]
shown = answer._repr_html_()
evil = klens.ask("show", run="*script*")._repr_html_() + klens.runs()._repr_html_()
print(json.dumps({
    "verdict": [answer.verdict.answer, answer.verdict.interval, answer.choose.assumption is not None],
    "rows": answer.rows()[0], "wrong": wrong, "charts": shown.count("<svg"), "evil": "<script" in evil,
    "words": str(answer).splitlines()[0], "names": sorted(run.name for run in klens.runs()),
    "chinese": str(klens.diagnose("kl", lang="zh")), "checkpoint": klens.checkpoints("no-kl").take.step,
}))`)
    expect(told).toMatchObject({
      verdict: ['undetermined', [expect.closeTo(-0.2197, 3), expect.closeTo(0.1586, 3)], true],
      rows: { step: 5, 'no-kl': 1.818, kl: 1.695 },
      wrong: ['not-found', expect.stringMatching(/no run is called "nobody"/)],
      charts: 3,
      evil: false,
      words: expect.stringMatching(/^val-core.*9 shared evaluations/),
      names: expect.arrayContaining(['kl', 'no-kl']),
      chinese: expect.stringMatching(/[\u4e00-\u9fff]/),
      checkpoint: expect.any(Number),
    })
  })

  it('may be asked by threads at once, after a fork, from another folder, and again after its process died', () => {
    const told = python(`
import os, threading
answers = []
threads = [threading.Thread(target=lambda: answers.append(klens.compare("no-kl", "kl").verdict.answer)) for _ in range(4)]
[each.start() for each in threads]
[each.join() for each in threads]
receive, give = os.pipe()
if os.fork() == 0:
    os.write(give, str(len(klens.runs())).encode())
    os._exit(0)
os.wait()
forked = int(os.read(receive, 10))
first = klens.process()
first._child.kill()
first._child.wait()
again = len(klens.runs())
os.makedirs("elsewhere/.klens")
os.chdir("elsewhere")
print(json.dumps([answers, forked, again, len(klens.runs())]))`)
    expect(told).toEqual([Array(4).fill('undetermined'), 5, 5, 0])
  })

  it('types only members that the answers have', async () => {
    const typed = z.record(z.string(), z.array(z.string())).parse(
      python(`
from klens.results import KINDS
print(json.dumps({name: [m for m in kind.__annotations__ if not m.startswith("_")] for name, kind in KINDS.items()}))`),
    )
    for (const [name, members] of Object.entries(typed)) {
      const question = await questionNamed(name).catch(() => null)
      // A question that this klens does not have yet has no answer to look at.
      if (question === null) continue
      const { properties = {} } = z.toJSONSchema(question.answer)
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(members))
    }
  })

  it('watches a run that is being logged, and hears that it should stop', () => {
    const told = python(`
import time
klens.config({"lr": 1e-6}, name="mine")
watch = klens.watch("mine", stop="hours=0.0001")
for step in range(1, 400):
    klens.log({"val/score": 0.5, "loss": 1.0}, step=step)
    if watch.should_stop():
        break
    time.sleep(0.05)
print(json.dumps([watch.should_stop(), watch.reason]))`)
    expect(told).toEqual([true, expect.any(String)])
  })

  it.skipIf(process.platform !== 'linux')('leaves no process behind when Python is killed', async () => {
    const code = `
import klens, time
klens.runs()
import os
print(klens.process()._child.pid, flush=True)
klens.process().ask({"ask": "plan", "request": {"difference": 0.0001, "sd": 0.5}})
time.sleep(60)`
    const child = spawn('python3', ['-c', code], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = Number(String(await new Promise(resolve => child.stdout.once('data', resolve))))
    expect(isAlive(pid)).toBe(true)
    child.kill('SIGKILL')
    for (let i = 0; i < 100 && isAlive(pid); i += 1) await pause(50)
    expect(isAlive(pid)).toBe(false)
  })
})
