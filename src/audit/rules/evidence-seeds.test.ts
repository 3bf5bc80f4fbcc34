import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { auditReports } from '../audit.js'
import { EVIDENCE_RULES } from './evidence.js'

/** The five reports that klens was written for; they are not part of the repository. */
const FOLDER = fileURLToPath(new URL('../../../../shared/seeds/', import.meta.url))

describe.skipIf(!existsSync(FOLDER))('the five reports, given together', () => {
  const reports = existsSync(FOLDER)
    ? readdirSync(FOLDER).map(name => ({ file: name.slice(0, 3), text: readFileSync(`${FOLDER}${name}`, 'utf8') }))
    : []
  const found = auditReports(reports, EVIDENCE_RULES).flatMap(({ file, findings }) =>
    findings.map(finding => ({ file, ...finding, at: `${file}:${finding.line} ${finding.rule}` })),
  )

  /** By docs/statistics.md, and their like in the last two. */
  test.each([
    ['000-1', '000:25 linear-fill'],
    ['000-1', '000:25 estimated-as-data'],
    ['000-2', '000:25 cross-estimate'],
    ['000-3', '000:27 cross-estimate'],
    ['000-3', '000:28 cross-estimate'],
    ['000-3', '000:29 cross-estimate'],
    ['000-3', '000:31 cross-estimate'],
    ['000-4', '000:38 cross-estimate'],
    ['000-11', '000:142 timeline'],
    ['000-14', '000:44 best-of-several'],
    ['000-14', '000:159 significance-untested'],
    ['000-17', '000:135 prevented-untested'],
    ['000-18', '000:204 prevented-untested'],
    ['000-19', '000:227 stability-untested'],
    ['000-22', '000:58 unlike-windows'],
    ['000-24', '000:68 level-as-stability'],
    ['000-25', '000:72 unlike-windows'],
    ['000-32', '000:10 confound'],
    ['000-33', '000:226 setting-as-success'],
    ['001-1', '001:7 same-untested'],
    ['001-2', '001:15 significance-untested'],
    ['001-3', '001:11 best-of-several'],
    ['001-4', '001:23 one-interval'],
    ['001-4', '001:210 one-interval'],
    ['001-5', '001:23 speed-contradicted'],
    ['001-5', '001:210 speed-contradicted'],
    ['001-7', '001:33 convergence-untested'],
    ['001-13', '001:68 stability-untested'],
    ['001-13', '001:162 stability-untested'],
    ['001-25', '001:87 confound'],
    ['001-28', '001:170 one-seed'],
    ['002-1', '002:40 loss-identity'],
    ['002-2', '002:40 copied-cells'],
    ['002-5', '002:73 sampling-error'],
    ['002-6', '002:72 identical-rows'],
    ['002-7', '002:85 identical-rows'],
    ['002-7', '002:89 identical-rows'],
    ['002-9', '002:61 grim'],
    ['002-17', '002:29 level-as-stability'],
    ['002-17', '002:150 level-as-stability'],
    ['002-18', '002:30 level-as-stability'],
    ['002-24', '002:145 convergence-untested'],
    ['002 against 003', '002:21 cross-setting'],
    ['003 against 002', '003:16 cross-setting'],
    ['003 against 002', '003:140 cross-identical'],
    ['003: KL loss follows its coefficient', '003:34 kl-loss-by-construction'],
    ['003: low PPO loss read as stable', '003:49 level-as-stability'],
    ['003: timed to its own minimum', '003:76 own-extremum'],
    ['003: mean advantage', '003:101 advantage-by-construction'],
    ['004: configured 0.1, acting 0.001', '004:44 effective-coefficient'],
    ['004: overfitting from validation loss alone', '004:94 prevented-untested'],
    ['004: sign of a loss read as unstable', '004:102 level-as-stability'],
  ])('%s is found: %s', (_, at) => {
    expect(found.map(finding => finding.at)).toContain(at)
  })

  test('nothing else is called an error', () => {
    const errors = found.filter(({ severity }) => severity === 'error').map(({ at }) => at)
    expect(errors).toEqual([
      '000:25 cross-estimate',
      '000:27 cross-estimate',
      '000:28 cross-estimate',
      '000:29 cross-estimate',
      '000:31 cross-estimate',
      '000:38 cross-estimate',
      '001:23 speed-contradicted',
      '001:73 speed-contradicted',
      '001:144 speed-contradicted',
      '001:210 speed-contradicted',
      '002:40 loss-identity',
      '004:44 effective-coefficient',
    ])
  })

  test('the rows whose identity holds are left alone', () => {
    const identities = found.filter(({ rule }) => rule === 'loss-identity' || rule === 'copied-cells')
    expect(identities.map(({ at }) => at)).toEqual(['002:40 copied-cells', '002:40 loss-identity'])
  })

  test('they are not drowned: fewer than one finding in seven lines', () => {
    for (const { file, text } of reports) {
      expect(found.filter(finding => finding.file === file).length).toBeLessThan(text.split('\n').length / 7)
    }
  })
})
