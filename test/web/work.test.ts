import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { WITHOUT_BROWSER } from '../browser.js'
import { ended, klens, klensJson, startKlens } from '../cli.js'
import { openPage, sharedDashboard } from '../dashboard.js'

/** What pages do beside showing: start and stop, lead to log lines, play dialogues, list reports; and every clause about charts. */

const LONG_STEPS = 20_000

/** A program that logs its score and ends at once. */
const PROGRAM = `
import { writeFileSync } from 'node:fs'
const [out, seed, rate] = process.argv.slice(2)
writeFileSync(out + '/metrics.jsonl', [1, 2, 3].map(step => JSON.stringify({ step, 'val.score': step * Number(rate) + Number(seed) / 100 }) + '\\n').join(''))
`

const PROGRAM_STUDY = `
question: Which rate?
engine: {command: [node, train.mjs, "{folder}", "{seed}", "{rate}"], metrics: metrics.jsonl, folder: code}
arms: {low: {rate: 0.1}, high: {rate: 0.2}}
seeds: 2
`

const TRAINED_STUDY = `
question: How strong a KL term?
base: {task: digits, epochs: {rce: 1, grpo: 200}}
vary: {kl.loss.coef: [0, 0.1]}
seeds: 1
workers: 1
`

describe('the pages', () => {
  const dashboard = sharedDashboard('userrl-intentiongym', 'grpo-addition/sick-length-bonus')

  beforeAll(() => {
    const { folder } = dashboard()
    mkdirSync(join(folder, 'code'))
    writeFileSync(join(folder, 'code', 'train.mjs'), PROGRAM)
    writeFileSync(join(folder, 'rates.yaml'), PROGRAM_STUDY)
    const { programs } = klensJson<{ programs: { hash: string } }>(folder, ['study', 'run', 'rates.yaml', '--dry-run'])
    klens(folder, ['study', 'run', 'rates.yaml', '--trust', programs.hash])
    klens(folder, ['gym', 'eval', 'scripted:asker', 'scripted:oracle', '--limit', '8'])
    klens(folder, ['report', 'no-kl', 'kl', '-o', 'pair.md'])
    const big = join(folder, 'big')
    mkdirSync(big)
    const rows = Array.from({ length: LONG_STEPS }, (_, step) =>
      JSON.stringify({ step, timestamp: 1.7e9 + 2 * step, reward: step === 12_345 ? 500 : Math.sin(step / 900) }),
    )
    writeFileSync(join(big, 'metrics.jsonl'), `${rows.join('\n')}\n`)
    klens(folder, ['import', big])
  }, 180_000)

  async function opened(context: { skip: (note: string) => never }, path: string): Promise<Page> {
    const { browser, serving } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    return (await openPage(browser, serving.url + path)).page
  }

  const param = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name)

  it('show a stop that is announced, and let it be vetoed', async context => {
    const page = await opened(context, '/')
    const { folder } = dashboard()
    const training = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const words = ['watch', 'big', '--act', '--pid', String(training.pid), '--veto', '120', '--stop', 'steps=10']
    const watching = startKlens(folder, words)
    let said = ''
    for (const out of [watching.stdout, watching.stderr]) out?.on('data', chunk => (said += String(chunk)))
    const announced = page.getByRole('listitem').filter({ hasText: /will be stopped in \d+ s/ })
    await announced.getByRole('link', { name: 'big' }).click()
    await announced.getByRole('button', { name: 'Keep it running' }).click()
    await announced.waitFor({ state: 'detached' })
    await expect.poll(() => said).toContain('big continues')
    expect(training.exitCode).toBeNull()
    training.kill()
    watching.kill('SIGINT')
    await ended(watching)
    const trail = readFileSync(join(folder, '.klens', 'trail.jsonl'), 'utf8')
    expect(trail).toContain('keep-running')
  })

  it('begin a study from the form, show it going on, and stop it', async context => {
    const page = await opened(context, '/train')
    await page.getByLabel('Name', { exact: true }).fill('from-a-form')
    await page.getByLabel('Question').fill('How strong a KL term?')
    await page.getByLabel('Settings', { exact: true }).fill('kl.loss.coef=0, 0.1\nepochs.grpo=200')
    await page.getByRole('button', { name: 'Start the study' }).click()
    await page.getByRole('link', { name: 'from-a-form' }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor({ timeout: 60_000 })
    expect(await page.locator('.matrix').innerText()).toContain('pending')
    await page.getByRole('button', { name: 'Drop' }).last().click()
    await page.locator('.cell.dropped').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.cell.dropped').waitFor({ state: 'detached' })
  })

  it('show a study of programs, and go on with it as it was frozen', async context => {
    const page = await opened(context, '/study/rates')
    await page.getByText('4 of 4 trials').waitFor()
    await page.getByText('0.610').first().waitFor()
    await page.getByRole('button', { name: 'Run seeds until resolved' }).click()
    // Five seeds each are the first interim analysis.
    await page.getByText('5 seeds each').first().waitFor({ timeout: 60_000 })
    expect(await page.locator('.matrix').innerText()).toContain('seed 5')
  })

  it('stop a study that another klens works on', async context => {
    const { folder } = dashboard()
    writeFileSync(join(folder, 'slow.yaml'), TRAINED_STUDY)
    const page = await opened(context, '/study')
    const other = startKlens(folder, ['study', 'run', 'slow.yaml'])
    await page.getByRole('link', { name: 'slow' }).click({ timeout: 60_000 })
    await page.getByText('A klens process on this machine is working on it.').waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Stop' }).click()
    expect(await ended(other)).not.toBe(null)
  })

  it('lead from a point, a figure and a finding to the line of the log', async context => {
    const page = await opened(context, '/runs?q=length-bonus')
    await page.getByRole('link', { name: 'sick-length-bonus/seed0' }).click()
    const chart = page.getByRole('group', { name: /^Reward and score/ })
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const marked = page.locator('.origin-lines mark')
    await marked.waitFor()
    const [, step] = (param(page, 'origin') ?? '').split('@')
    expect(await page.locator('.origin-file').innerText()).toContain(`line ${Number(step) + 1}`)
    const shown = await page.locator('.origin strong.number').first().innerText()
    expect(Number(await marked.innerText())).toBe(Number(shown.replace('−', '-')))
    await page.keyboard.press('Escape')
    await page.locator('.origin').waitFor({ state: 'detached' })
    await page.locator('.findings summary').first().click()
    await page.waitForURL(/[?&]open=evidence/)
    await page.locator('.findings details .figure-origin').first().click()
    await page.locator('.origin').waitFor()
    await page.goBack()
    await page.locator('.origin').waitFor({ state: 'detached' })
    await page.goto(`${dashboard().serving.url}/compare?side=no-kl&side=kl`)
    await page
      .getByRole('button', { name: /^2\.140?$/ })
      .first()
      .click()
    await page.getByText('line 3').waitFor()
  })

  it('show dialogues turn by turn, with what was found and credited', async context => {
    const page = await opened(context, '/samples?side=scripted:asker&side=scripted:oracle')
    await page.locator('.prompts button').first().click()
    await page.locator('.dialogue').nth(1).waitFor()
    expect(param(page, 'prompt')).not.toBeNull()
    const oracle = page.locator('.side-by-side > div').nth(1)
    expect(await oracle.innerText()).toMatch(/(\d+) of \1 things found/)
    await oracle.getByText('Credit of each turn').click()
    await oracle.getByRole('columnheader', { name: 'return (R2G)' }).waitFor()
    expect(await oracle.locator('.turn-found').count()).toBeGreaterThan(1)
  })

  it('list the reports that were written, and audit one of them', async context => {
    const page = await opened(context, '/report')
    await page.getByRole('link', { name: 'kl vs no-kl' }).click()
    await page.locator('article.report canvas').first().waitFor()
    await page.getByRole('link', { name: 'Audit it' }).click()
    await page.locator('.ledger-key').waitFor()
    expect(await page.locator('.review-lines mark.traced').count()).toBeGreaterThan(5)
    expect(await page.locator('.review-lines mark.contradicted').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('rates')
    await page.getByRole('option', { name: /Which rate/ }).waitFor()
  })

  it('zoom, pan and show all; share the crosshair; count ranges and points; mark what is clipped', async context => {
    const page = await opened(context, '/runs?q=big')
    await page.getByRole('link', { name: 'big', exact: true }).click()
    const chart = page.getByRole('group', { name: /^Reward and score/ })
    await page.getByText(/20,000 points, drawn as/).waitFor()
    // What comes later than the curves, above all the findings, may move them.
    const placed = async () => {
      await page.locator('.run-findings:not(:has(.loading))').waitFor()
      const box = await chart.boundingBox()
      if (box === null) throw new Error('the chart is not there')
      return box
    }
    const drag = async (from: number, to: number): Promise<void> => {
      const box = await placed()
      await page.mouse.move(box.x + from, box.y + 110)
      await page.mouse.down()
      await page.mouse.move(box.x + to, box.y + 110, { steps: 5 })
      await page.mouse.up()
    }
    await drag(300, 400)
    await page.waitForURL(/[?&]x=/)
    const before = (param(page, 'x') ?? '').split(':').map(Number)
    await page.keyboard.down('Shift')
    await drag(400, 340)
    await page.keyboard.up('Shift')
    await expect.poll(() => Number(param(page, 'x')?.split(':')[0])).toBeGreaterThan(before[0])
    const after = (param(page, 'x') ?? '').split(':').map(Number)
    expect(after[1] - after[0]).toBeCloseTo(before[1] - before[0], 1)
    await chart.dblclick({ position: { x: 350, y: 110 } })
    await page.waitForURL(url => !url.searchParams.has('x'))
    expect(await page.locator('.origin').count()).toBe(0)
    await page.goto(`${page.url()}?x=12300:12400`)
    await page.getByText('101 points').first().waitFor()
    await page.getByLabel('X axis').selectOption('seconds')
    await page.waitForURL(/along=seconds/)
    await page.getByText(/20,000 points, drawn as/).waitFor()
    const downloading = page.waitForEvent('download')
    await page
      .getByRole('button', { name: /^Save .* as SVG/ })
      .first()
      .click()
    expect(readFileSync(await (await downloading).path(), 'utf8')).toMatch(/outside the axis, as far as 500/)
    // The middle of a range: its lowest and its highest point.
    await page.getByLabel('X axis').selectOption('steps')
    await page.getByText(/20,000 points, drawn as/).waitFor()
    const { x, y } = await placed()
    await page.mouse.click(x + 400, y + 110)
    await page.getByText('these are the lowest and the highest').waitFor()
  })
})
