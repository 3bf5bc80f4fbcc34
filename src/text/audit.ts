import type { Templates } from './language.js'

export const auditTexts = {
  'audit.about': {
    en: 'check the figures and claims of a report against the logs',
    zh: '对照日志检查报告中的数字与结论',
  },
  'audit.files': {
    en: 'reports, or - for standard input; several are also checked against each other',
    zh: '报告文件，- 表示标准输入；给出多份时还会互相核对',
  },
  'audit.option.data': {
    en: 'check figures and claims against these runs (repeatable)',
    zh: '用这些 run 核对数字和结论（可重复给出）',
  },
  'audit.option.ledger': {
    en: 'write every figure with its source, as .html or .json; without --data all runs of the workspace are used',
    zh: '把每个数字及其来源写入 .html 或 .json；未给出 --data 时，与工作区的全部 run 核对',
  },
  'audit.option.assertions': {
    en: 'also check the assertions in this JSON file',
    zh: '同时检查该 JSON 文件中的断言',
  },
  'audit.option.print-assertions': {
    en: 'print every assertion that was read, and its result',
    zh: '列出读到的断言及其结果',
  },
  'audit.option.fix': {
    en: 'print corrections from the logs as a patch (needs --data); the report itself is not changed',
    zh: '以补丁形式给出日志所更正的数字（需要 --data），不改动报告',
  },
  'audit.option.checklist': {
    en: 'also list words that need a test, one line per report',
    zh: '同时列出需要检验的用词，每份报告一行',
  },
  'audit.option.config': {
    en: 'rules, sections and runs from this file (default: the nearest klens-audit.json)',
    zh: '从该文件读取规则、章节和 run（默认：最近的 klens-audit.json）',
  },
  'audit.option.baseline': {
    en: 'report only findings that are not in this file',
    zh: '只报告不在该文件中的问题',
  },
  'audit.option.update-baseline': {
    en: "write today's findings into the baseline",
    zh: '把当前的问题写入基线文件',
  },
  'audit.fix-needs-data': {
    en: '--fix corrects what the logs contradict; name the runs with --data',
    zh: '--fix 只更正与日志不符的数字；请用 --data 指定 run',
  },
  'audit.needs-baseline': {
    en: '--update-baseline needs a file: --baseline FILE',
    zh: '--update-baseline 需要文件：--baseline FILE',
  },
  'audit.known': {
    en: '{count} {count|finding is|findings are} in the baseline and not listed',
    zh: '{count} 处问题已在基线中，未列出',
  },
  'audit.option.format': { en: 'text, json or sarif', zh: '输出格式：text、json 或 sarif' },
  'audit.option.fail-on': {
    en: 'exit with 1 on findings of this severity or worse: error, warning, note, never',
    zh: '出现该级别及以上的问题时以 1 退出：error、warning、note、never',
  },
  'audit.option.rules': { en: 'list all rules with an example each', zh: '列出全部规则，各附一例' },
  'audit.bad-format': {
    en: '--format is "{value}"; it must be text, json or sarif',
    zh: '--format 是“{value}”，只能是 text、json 或 sarif',
  },
  'audit.bad-ledger': {
    en: '--ledger needs a file that ends with .html or .json',
    zh: '--ledger 的文件名须以 .html 或 .json 结尾',
  },
  'audit.needs-file': {
    en: 'name at least one report, or ask for --rules',
    zh: '请至少给出一份报告，或用 --rules 列出规则',
  },
  'audit.unreadable': { en: '{path} cannot be read: {reason}', zh: '{path} 无法读取：{reason}' },
  'audit.no-file': { en: 'there is no file {path}', zh: '没有文件 {path}' },
  'audit.binary': { en: '{path} is not a text file', zh: '{path} 不是文本文件' },
  'audit.too-large': {
    en: '{path} is larger than {limit} MB, too large for a report',
    zh: '{path} 超过 {limit} MB，不像是报告',
  },
  'audit.reading': {
    en: 'the model is reading part {pieces} of the text ({seconds} s)',
    zh: '模型正在读第 {pieces} 段（{seconds} 秒）',
  },
  'audit.clean': { en: 'no problems found', zh: '未发现问题' },
  'audit.summary': {
    en: '{errors} {errors|error|errors}, {warnings} {warnings|warning|warnings}, {notes} {notes|note|notes} · {total} {total|statement|statements} checked: {confirmed} right, {refuted} wrong, {unchecked} could not be checked',
    zh: '{errors} 个错误、{warnings} 个警告、{notes} 个提示 · 核对 {total} 条陈述：{confirmed} 条正确，{refuted} 条有误，{unchecked} 条无法核对',
  },
  'audit.figures': {
    en: '{total} {total|figure|figures}: {traced} traced, {contradicted} contradicted, {untraced} untraced',
    zh: '{total} 个数字：{traced} 个有来源，{contradicted} 个与日志不符，{untraced} 个无来源',
  },
  'audit.state.contradicted': { en: 'contradicted', zh: '与日志不符' },
  'audit.state.untraced': { en: 'untraced', zh: '无来源' },
  'audit.untraced': { en: '“{text}”: {says}', zh: '“{text}”：{says}' },
  'audit.more-untraced': {
    en: '{count} more untraced {count|figure|figures}; --html shows all',
    zh: '另有 {count} 个无来源的数字，--html 列出全部',
  },
  'audit.html-hint': {
    en: '--html FILE shows the report with every figure marked',
    zh: '--html FILE 给出逐个标注数字的报告',
  },
  'audit.option.html': {
    en: 'write the report as a page with every figure marked, beside the list of open ones',
    zh: '写出逐个标注数字的报告网页，旁列待核对的数字',
  },
  'audit.option.strict': {
    en: 'untraced figures are errors, in the sections with these titles (* matches any letters) or in all; write it after the reports',
    zh: '无来源的数字算作错误：限于这些标题下的内容（* 可代任意文字），不写则为全文；须写在报告文件之后',
  },
  'audit.suppressed': {
    en: '{count} {count|finding is|findings are} suppressed by comments in the report',
    zh: '报告中的注释说明了 {count} 处，未列出',
  },
  'audit.rule.faulty': { en: 'found in', zh: '会报告' },
  'audit.rule.sound': { en: 'not in', zh: '不报告' },
  'audit.option.reader': {
    en: 'let a language model propose assertions too: URL#model of an OpenAI-compatible endpoint; klens checks them',
    zh: '再由语言模型提出断言：OpenAI 兼容接口的 URL#model；由 klens 核对',
  },
  'audit.bad-reader': {
    en: '--reader is "{value}"; it must be the address of an endpoint and a model: http://127.0.0.1:8000/v1#model',
    zh: '--reader 是“{value}”，应为接口地址加模型名：http://127.0.0.1:8000/v1#model',
  },
} as const satisfies Templates
