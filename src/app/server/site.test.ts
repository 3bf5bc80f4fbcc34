import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sharedWorkspace, temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { ask } from '../ask/question.js'
import { report } from '../ask/report.js'
import { site } from './site.js'

const LOGS = fileURLToPath(new URL('../../../examples/userrl-intentiongym', import.meta.url))

describe('a site with a report', () => {
  const workspace = sharedWorkspace(LOGS)

  /** A report as klens writes it, and a site with what became of it. */
  async function siteWith(change: (html: string) => string) {
    const folder = temporaryFolder()
    const path = join(folder, 'verdict.html')
    await ask(workspace(), report, { runs: ['no-kl', 'kl'], output: path })
    const written = readFileSync(path, 'utf8')
    writeFileSync(path, change(written))
    const remarks: string[] = []
    const asked = { folder: join(folder, 'site'), reports: [path] }
    await ask(workspace(), site, asked, { remark: ({ key }) => remarks.push(key) })
    return { written, shown: readFileSync(join(folder, 'site', 'reports', 'verdict.html'), 'utf8'), remarks }
  }

  it('has it as it was written', async () => {
    const { written, shown, remarks } = await siteWith(html => html)
    expect(shown).toBe(written)
    expect(remarks).toEqual([])
  })

  it('has nothing that was put into the file since, and says so', async () => {
    for (const change of [
      (html: string) => html.replace('</body>', '<script>alert(1)</script></body>'),
      (html: string) =>
        html.replace(/<meta http-equiv.*\n/, '<meta http-equiv="refresh" content="0;url=//evil.example">'),
      (html: string) => html.replace('<main>', '<main onclick="alert(1)"><iframe src="//evil.example"></iframe>'),
    ]) {
      const { written, shown, remarks } = await siteWith(change)
      expect(shown).toBe(written)
      expect(remarks).toEqual(['site.changed-report'])
    }
  })

  it('takes no report of another workspace, nor one whose figures were changed in what it remembers', async () => {
    const unknown = { code: 'bad-request', sentence: { key: 'site.no-report' } }
    await expect(siteWith(html => html.replace('"evaluations":9', '"evaluations":10'))).rejects.toMatchObject(unknown)
    await expect(siteWith(() => '<html></html>')).rejects.toMatchObject(unknown)
    const path = join(temporaryFolder(), 'verdict.html')
    await ask(workspace(), report, { runs: ['no-kl', 'kl'], output: path })
    const asked = { folder: join(temporaryFolder(), 'site'), reports: [path] }
    await expect(ask(await temporaryWorkspace(), site, asked)).rejects.toMatchObject(unknown)
  })
})
