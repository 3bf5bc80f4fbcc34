import { RULE_CARDS } from '../../src/audit/registry.js'
import type { RuleCard } from '../../src/audit/rules.js'
import type { Language } from '../../src/text/language.js'
import type { Page } from './page.js'

/** docs/audit.md and docs/audit.zh.md: the rules of the audit, and how good it was when it was measured. */
export function auditRulesPage(language: Language): Page {
  return { path: language === 'zh' ? 'docs/audit.zh.md' : 'docs/audit.md', write: () => auditPage(language) }
}

function auditPage(language: Language): string {
  const kinds = [...new Set(RULE_CARDS.map(({ kind }) => kind))].sort()
  const words = WORDS[language]
  return [
    words.opening,
    words.quality,
    ...kinds.flatMap(kind => [
      `## ${kind}`,
      ...RULE_CARDS.filter(card => card.kind === kind).map(card => rule(card, words)),
    ]),
    words.assertions,
  ].join('\n\n')
}

interface PageWords {
  readonly opening: string
  readonly quality: string
  readonly found: string
  readonly sound: string
  readonly beside: string
  readonly assertions: string
}

function rule({ id, severity, example: { faulty, sound, beside } }: RuleCard, words: PageWords): string {
  const block = (title: string, text: string): string => `${title}\n\n\`\`\`markdown\n${text}\n\`\`\``
  const blocks = [
    block(words.found, faulty),
    block(words.sound, sound),
    ...(beside === undefined ? [] : [block(words.beside, beside)]),
  ]
  return [`### ${id}`, `*${severity}*`, ...blocks].join('\n\n')
}

const QUALITY_EN = `## How good is it

Measured on 16 November 2026 at this version, with \`npm run bench -- audit-quality\` and \`-- audit-mutations\` ([bench](../bench/README.md)). It reads by patterns, so it misses more than it finds; what it says is nearly always right.

| on what | measured | |
|---|---|---|
| 35 real reports with 68 listed faults of arithmetic (**tuned on these**) | found | 29 (43 %) |
| | errors that stand on a listed fault | 16 of 16 |
| | warnings that stand on a listed fault | 44 of 45 |
| | listed faults of judgement, found (notes count) | 82 of 113 |
| 40 pairs of a true line and the same with one fault (tuned on these) | told apart | 35, no false alarm |
| **first contact**: 80 pairs in 8 whole reports each, in the manner of the real ones, by authors who did not know klens; after each the causes were mended | told apart | 37 and 38 of 80 by this version (the one before it, a third longer, 38 and 40 on the same); 4 false errors (two causes) and 5 false warnings |
| | by earlier versions, fifteen sets | 443 of 720 (62 %) where half of the faults could be seen in their own line, 202 of 480 (42 %) where four in five needed another line; 14 false errors |
| first contact, 12 public reports with fault lists by careful readers, 2,019 lines (this version) | listed faults of arithmetic, found | 0 of 46: most need more than the report's arithmetic |
| | listed faults of judgement, found (notes count) | 29 of 73 |
| | warnings that stand on a listed fault | 6 of 6 |
| | errors | 2 false (one cause) |
| first contact, 81 public reports with fault lists, 16,944 lines (earlier versions) | faults of arithmetic; of judgement | 19 of 228; 169 of 395 |
| | warnings that stand on a listed fault | 35 of 41 |
| | errors, 44 reports without lists included | 8 right, 14 false |
| after the causes were mended: the last eight sets of authors | told apart | 274 of 640, no false error, 13 false warnings |
| | the last 40 public reports, 6,789 lines | 5 errors, all right; 16 of 17 warnings on a listed fault |
| 34 of the real reports, true claims broken one at a time | found | 423 of 657 (64 %): counts 100 %, figures that follow from others 62 %, signs 69 %, words for the direction 65 %, winners 77 %, rows copied 47 %, quoted figures 43 % |
| 14 reports of klens's own, broken one at a time | found alone | 110 of 144 (76 %) |
| | found with the logs | 618 of 620 figures |
| | errors or warnings before anything was broken | 0 |
| reports of klens's own of every run of the examples, both languages and formats, with the logs | untraced, contradicted, or a finding | 0 |
| the real reports reworded by 80 synonyms, figures untouched | findings about numbers that stay | 38 of 38 |

What first contact shows is what to expect of a report that klens has never seen: a false error in about one public report of thirteen, and more that is missed than found; what is false comes mostly of a form of table or sentence that was new to klens. Look before you correct.

Breaking claims measures what is found of what the audit can read at all: about a third of all assertions are *not checkable*, and a wrong one among them is missed. So a report without findings is not thereby true.`

const QUALITY_ZH = `## 效果如何

2026 年 11 月 16 日用本版本实测：\`npm run bench -- audit-quality\` 和 \`-- audit-mutations\`（见 [bench](../bench/README.md)）。它按模式阅读，漏掉的多于查出的；但凡报出，几乎都对。

| 对象 | 指标 | |
|---|---|---|
| 35 份真实报告，列有 68 处算术类错误（**据此调试过**） | 查出 | 29（43%） |
| | 报出的 error 确为所列错误 | 16 / 16 |
| | 报出的 warning 确为所列错误 | 44 / 45 |
| | 所列措辞类问题，查出（含 note） | 82 / 113 |
| 40 对“正确的一行”与“改错一处的同一行”（据此调试过） | 区分开 | 35，无误报 |
| **初次接触**：不了解 klens 的作者仿照真实报告各写 8 份完整报告、80 对；每次之后修正原因 | 区分开 | 本版本 37、38 / 80（代码长三分之一的前一版在同两组上为 38、40）；误报 error 4 个（两个原因），warning 5 个 |
| | 更早的版本，共十五组 | 一半错误在本行即可看出的九组：443 / 720（62%）；五分之四的错误要看别的行的六组：202 / 480（42%）；误报 error 共 14 个 |
| 初次接触：12 份公开报告，附细心读者列出的错误，共 2,019 行（本版本） | 所列算术类错误，查出 | 0 / 46：大多数单凭报告里的算术看不出来 |
| | 所列措辞类问题，查出（含 note） | 29 / 73 |
| | warning 确为所列错误 | 6 / 6 |
| | error | 2 个误报（出自一个原因） |
| 初次接触：81 份附错误清单的公开报告，共 16,944 行（更早的版本） | 算术类错误；措辞类问题 | 19 / 228；169 / 395 |
| | warning 确为所列错误 | 35 / 41 |
| | error，另含 44 份没有清单的报告 | 8 个正确，14 个误报 |
| 修正原因之后：最近八组作者的报告 | 区分开 | 274 / 640，误报 error 0、warning 13 |
| | 最近 40 份公开报告，6,789 行 | error 5 个，全部正确；warning 17 个中 16 个确为所列错误 |
| 上述真实报告中的 34 份，逐处改错属实的断言 | 查出 | 423 / 657（64%）：个数 100%，可由其他数字推出的数字 62%，正负号 69%，升降用词 65%，胜者 77%，复制的行 47%，引用的数字 43% |
| klens 自己的 14 份报告，逐处改错 | 只看报告，查出 | 110 / 144（76%） |
| | 有日志，查出 | 618 / 620 个数字 |
| | 改错之前的 error 和 warning | 0 |
| klens 就示例中每个 run 写的报告，两种语言和格式，与日志核对 | 查不到来源、不符或报出问题 | 0 |
| 真实报告换用 80 个同义词，数字不动 | 仍在的数字类问题 | 38 / 38 |

初次接触的数字说明对一份从未见过的报告可以期待什么：公开报告大约每十三份有一份会出现误报的 error，漏掉的多于查出的；误报的原因多是表格或句子的写法前所未见，改之前先看一眼。

改错测的是“读得懂的断言中能查出多少”：约三分之一的断言*无法核对*，其中的错误会漏掉。所以没有报出问题，不等于报告属实。`

const EXAMPLE = `\`\`\`json
[{"relation": "change", "quote": "from 40.0% to 50.0% (+15%)",
  "figures": [{"role": "from", "text": "40.0%"}, {"role": "to", "text": "50.0%"}, {"role": "result", "text": "+15%"}]}]
\`\`\``

const WORDS: { readonly [language in Language]: PageWords } = {
  en: {
    opening: `# What \`klens audit\` looks for

[中文](audit.zh.md)

A report is read as **assertions**: what a sentence, a cell or a caption claims, with its relation, its figures and how the author stands to it. Each is bound to the report's own figures in every sensible way, and the kindest reading decides: *confirmed* where one makes it true, *refuted* only where none does, else *not checkable*, and counted as such. Printed figures stand for all that correct rounding or cutting off could have produced.

*error* is false by the report's own numbers, *warning* is unsupported or nearly certain, *note* is worth a look. Judgement is given once per report and rule, with the lines; a report that brings intervals or tests has earned the words. How to run it, before a commit and in CI: [verbs/audit.md](verbs/audit.md). This page is generated from \`src/audit/rules.ts\`; a test runs every example.

**With the logs** (\`--data\`, \`--ledger\`) every figure is *traced* to what was logged (run, metric, step or aggregate), *derived* from it, *contradicted* or *untraced*. A figure whose words lead to no run and no metric stays untraced; where they lead to one of the two only, it is traced if fewer than one logged value in ten would fit it by chance. Reports that \`klens report\` writes carry, unseen, what they were made of; the audit makes them again from the logs that *you* give and compares line by line, so nothing that a report says of its sources is believed.`,
    quality: QUALITY_EN,
    found: 'Found in:',
    sound: 'Not in:',
    beside: 'Beside:',
    assertions: `## Assertions of your own

\`--assertions FILE.json\` checks what a person or a program read, and a language model may be asked for the same form; each must quote the report exactly, and every figure must stand in the quotation. klens checks what the quotation itself shows: a \`change\` (from, to, result) or a \`share\` (part, whole, result), its figures in this order, no other between them, the result in brackets, with a sign or behind a word for it. So whoever reads wrongly, or lies, makes no finding of it; all else counts as not checkable.

${EXAMPLE}

\`--print-assertions\` shows what was read and what came of it.
`,
  },
  zh: {
    opening: `# \`klens audit\` 查什么

[English](audit.md)

报告被读作**断言**：句子、单元格或图注主张了什么、涉及哪种关系和哪些数字、作者持什么态度。每条断言按所有合理的方式与报告自身的数字对应，取最宽容的读法：有一种读法成立就是*属实*，所有读法都不成立才是*不实*，其余*无法核对*，并计入总数。印出的数字代表正确的四舍五入或截断所能产生的一切值。

*error* 是与报告自身数字矛盾，*warning* 是缺乏依据或几乎可以肯定，*note* 值得一看。措辞类判断每份报告每条规则只说一次，附行号；给出置信区间或检验的报告可以用这些词。用法、提交前检查和 CI 见 [verbs/audit.md](verbs/audit.md)。本页由 \`src/audit/rules.ts\` 生成，每个例子都由测试运行。

**与日志核对**（\`--data\`、\`--ledger\`）时，每个数字要么*见于*日志（run、指标、step 或汇总方式），要么*由日志算出*，要么*与日志不符*，要么*查不到来源*。前后文字既不指向 run 也不指向指标的数字算*查不到来源*；只指向其中之一的，须偶然相符的日志值少于 0.1 个。\`klens report\` 写的报告带有看不见的制作配方；核对时用*你*给出的日志重新生成一遍，逐行比较，因此报告关于自身来源的说法一概不必相信。`,
    quality: QUALITY_ZH,
    found: '能查出：',
    sound: '不报：',
    beside: '同时给出的另一份报告：',
    assertions: `## 自带断言

\`--assertions FILE.json\` 核对由人或其他程序读出的断言，也可请语言模型按同样的格式提出；每条须逐字引用报告，其中的数字须都在引文里。klens 只核对引文本身写明的关系：\`change\`（from、to、result）或 \`share\`（part、whole、result），数字依此顺序、中间无其他数字，结果在括号内、带正负号或紧跟相应的词。因此读错或说谎都不会造成误报；其余计为无法核对。

$EXAMPLE

\`--print-assertions\` 列出读到的断言及其结果。
`,
  },
}
