import type { Templates } from './language.js'

/** The verbs that list, name, tag, remove and hand out runs. */
export const runTexts = {
  'status.running': { en: 'running', zh: '运行中' },
  'status.finished': { en: 'finished', zh: '已完成' },
  'status.failed': { en: 'failed', zh: '失败' },
  'status.killed': { en: 'killed', zh: '被终止' },
  'status.unknown': { en: 'unknown', zh: '未知' },

  'runs.about': { en: 'list the runs', zh: '列出 run' },
  'runs.option.status': { en: 'only runs with this status', zh: '只列出该状态的 run' },
  'runs.option.tag': { en: 'only runs with this tag (repeatable)', zh: '只列出带有该标签的 run（可重复）' },
  'runs.option.where': {
    en: 'only runs that fit, by raw or canonical names: kl.loss.coef>=0.1, seed!=3, val.score>0.5 (repeatable)',
    zh: '只列出符合条件的 run，原名或规范名均可：kl.loss.coef>=0.1、seed!=3、val.score>0.5（可重复）',
  },
  'runs.option.sort': {
    en: 'sort by name, source, status, steps, score, points, started, duration, a metric or a setting; -KEY reverses',
    zh: '排序依据：name、source、status、steps、score、points、started、duration、指标或配置项；-KEY 表示倒序',
  },
  'runs.option.columns': {
    en: 'more columns: metrics (last value) or settings, raw or canonical, comma-separated',
    zh: '附加列：指标（取最后一个值）或配置项，原名或规范名均可，用逗号分隔',
  },
  'runs.column.id': { en: 'id', zh: 'id' },
  'runs.column.name': { en: 'name', zh: '名称' },
  'runs.column.source': { en: 'source', zh: '来源' },
  'runs.column.status': { en: 'status', zh: '状态' },
  'runs.column.steps': { en: 'steps', zh: 'step' },
  'runs.column.metrics': { en: 'metrics', zh: '指标数' },
  'runs.column.points': { en: 'points', zh: '点数' },
  'runs.column.started': { en: 'started', zh: '开始' },
  'runs.column.duration': { en: 'duration', zh: '时长' },
  'runs.unknown-key': {
    en: 'no run here has a metric or a setting "{key}"{hint}; klens show RUN lists those of a run',
    zh: '这里没有任何 run 有名为“{key}”的指标或配置项{hint}；用 klens show RUN 查看某个 run 的全部',
  },
  'runs.where': { en: '{count} {count|run|runs} in {path}', zh: '{path} 中有 {count} 个 run' },
  'runs.column.best': { en: 'best', zh: '最佳' },
  'runs.column.ends': { en: 'ends', zh: '预计结束' },
  'runs.column.note': { en: 'note', zh: '备注' },
  'runs.column.tags': { en: 'tags', zh: '标签' },
  'runs.none-fit': { en: 'no run matches; there are {count} in total', zh: '没有符合条件的 run；总共有 {count} 个' },
  'runs.bad-condition': {
    en: '--where is "{value}"; it must look like key=value, key!=value, key>value, key>=value, key<value or key<=value',
    zh: '--where 是“{value}”，应写成 key=value、key!=value、key>value、key>=value、key<value 或 key<=value',
  },
  'runs.more-scores': {
    en: 'other runs are judged by {metrics}; --columns NAME shows them',
    zh: '其他 run 的判定依据为 {metrics}；用 --columns 名称 显示',
  },
  'runs.endless-search': {
    en: 'this regular expression takes too long; simplify it',
    zh: '该正则表达式耗时过长，请写得简单些',
  },
  'runs.bad-status': {
    en: '--status is "{value}"; it must be running, finished, failed, killed or unknown',
    zh: '--status 是“{value}”，只能是 running、finished、failed、killed 或 unknown',
  },

  'argument.run': {
    en: 'a run: its id, the start of its id, its name, or a path to its log',
    zh: 'run：id、id 的开头、名称，或日志的路径',
  },
  'argument.runs': { en: 'runs: ids, names, name patterns with *, or paths', zh: 'run：id、名称、带 * 的名称或路径' },
  'rm.about': {
    en: 'remove runs from the store; the logs are not touched',
    zh: '从存储中移除 run（不会动原始日志）',
  },
  'rm.done': { en: 'removed {name} ({id})', zh: '已移除 {name}（{id}）' },
  'rm.busy': {
    en: 'run {run} is being written by process {pid} on {host}; stop that first',
    zh: 'run {run} 正由 {host} 上的进程 {pid} 写入，请先停止它',
  },
  'rename.about': { en: 'give a run another name', zh: '给 run 改名' },
  'rename.name': { en: 'the new name', zh: '新名称' },
  'rename.done': { en: '{id} is now called {name}', zh: '{id} 现在叫 {name}' },
  'rename.taken': {
    en: '{id} is already called "{name}"; two runs cannot share a name',
    zh: '{id} 已叫“{name}”；两个 run 同名就无法区分',
  },
  'rename.empty': { en: 'the new name is empty', zh: '新名称不能为空' },
  'runs.option.search': {
    en: 'only runs whose name, id, tags or note have these words; kl-*/seed? or a regular expression',
    zh: '只列出名称、id、标签或备注中含有这些词的 run；可用 kl-*/seed? 或正则',
  },
  'note.about': {
    en: 'write a note on a run or a comparison, or read it; an empty text removes it',
    zh: '给 run 或对比写备注，或查看备注；空文本表示删除',
  },
  'note.text': { en: 'the note; without it, the note is printed', zh: '备注内容；不给则显示已有备注' },
  'note.against': {
    en: 'the note is about the comparison with this run (repeatable)',
    zh: '备注针对与该 run 的对比（可重复）',
  },
  'note.none': { en: 'no note', zh: '没有备注' },
  'note.too-long': {
    en: 'the note has {value} characters; {most} are the most',
    zh: '备注有 {value} 个字符，最多 {most} 个',
  },
  'tag.about': { en: 'tag runs: +TAG adds, -TAG removes', zh: '给 run 打标签：+TAG 添加，-TAG 去掉' },
  'tag.tags': {
    en: 'tags: +good or good adds, -bad removes',
    zh: '标签：+good 或 good 添加，-bad 去掉',
  },
  'tag.done': { en: '{name}: {tags}', zh: '{name}：{tags}' },
  'tag.no-tags': { en: 'no tags', zh: '无标签' },
  'tag.remove': { en: 'remove this tag (repeatable)', zh: '去掉该标签（可重复）' },
  'tag.nothing': { en: 'name at least one tag', zh: '请至少给出一个标签' },
  'doctor.about': {
    en: 'check the store for damage; --repair deletes nothing',
    zh: '检查存储是否完整；--repair 修复，不删除任何内容',
  },
  'doctor.ids': { en: 'ids of runs (default: all runs)', zh: 'run 的 id；不给则检查全部' },
  'doctor.option.repair': {
    en: 'read damaged runs again from their logs; move aside what cannot be repaired',
    zh: '从日志重新读取损坏的 run；无法修复的内容移到一旁',
  },
  'doctor.summary': {
    en: '{checked} {checked|run|runs} checked in {path}: {damaged} damaged',
    zh: '已检查 {path} 中的 {checked} 个 run：{damaged} 个损坏',
  },
  'doctor.how-to-repair': {
    en: 'klens doctor --repair does what the arrows say; nothing is deleted',
    zh: '运行 klens doctor --repair 即按箭头所示修复；不会删除任何内容',
  },
  'doctor.no-checksums': {
    en: '{n} of them {n|has|have} no checksum, from an older klens: rows and summaries were compared, not every bit; klens import of {n|its log|their logs} adds checksums',
    zh: '其中 {n} 个 run 由旧版 klens 写入，未保存校验和：只比较了行数和汇总，未逐位比较；对其日志运行 klens import 即可补上',
  },
  'doctor.would.update': {
    en: 'nothing: it is left as it is; update klens',
    zh: '不做任何改动；请升级 klens',
  },
  'doctor.would.read-again': {
    en: 'its logs are there: a repair reads them again',
    zh: '日志仍在：修复时会重新读取',
  },
  'doctor.would.reduce': {
    en: 'its logs are gone: a repair keeps the intact part and moves the damaged files away',
    zh: '日志已不在：修复时保留完好的部分，损坏的文件移到一旁',
  },
  'doctor.would.move': {
    en: 'it cannot be read at all: a repair moves it away, and its log can be imported again',
    zh: '完全无法读取：修复时会把它移到一旁，之后可重新导入其日志',
  },
  'doctor.did.read-again': {
    en: 'read again from its logs; the damaged files are in {aside}',
    zh: '已从日志重新读取；损坏的文件在 {aside}',
  },
  'doctor.did.reduced': {
    en: 'the intact part is kept; the damaged files are in {aside}',
    zh: '已保留完好的部分；损坏的文件在 {aside}',
  },
  'doctor.did.moved': {
    en: 'moved to {aside}; import its log again if you still have it',
    zh: '已移至 {aside}；若日志还在，请重新导入',
  },
  'doctor.failed': { en: 'could not be repaired: {reason}', zh: '未能修复：{reason}' },
  'export.about': {
    en: 'write points to a file: CSV, JSONL or Parquet',
    zh: '把数据点写入文件：CSV、JSONL 或 Parquet',
  },
  'export.option.output': { en: 'file to write; its extension sets the format', zh: '输出文件；格式由扩展名决定' },
  'export.option.format': { en: 'csv, jsonl or parquet', zh: 'csv、jsonl 或 parquet' },
  'export.option.metric': {
    en: 'only this metric, raw or canonical (repeatable)',
    zh: '只导出该指标，原名或规范名均可（可重复）',
  },
  'export.option.all': {
    en: 'also points that a later one at the same step replaces, estimates and missing cells',
    zh: '同时导出被同一 step 的后续值覆盖的点、估计值和缺失单元',
  },
  'export.option.force': { en: 'overwrite an existing file', zh: '覆盖已存在的文件' },
  'export.is-there': {
    en: '{path} exists; --force overwrites it',
    zh: '{path} 已存在；加上 --force 可覆盖',
  },
  'export.done': {
    en: '{points} point{points||s} of {runs} {runs|run|runs} written to {path}',
    zh: '已将 {runs} 个 run 的 {points} 个点写入 {path}',
  },
  'export.done-wide': {
    en: '{points} row{points||s} of {runs} {runs|run|runs} written to {path}',
    zh: '已将 {runs} 个 run 的 {points} 行写入 {path}',
  },
  'export.option.wide': {
    en: 'one row per run and step (steps) or per run (runs): a column per metric, with names and settings',
    zh: '宽表：每个 run 每步一行（steps）或每个 run 一行（runs），每个指标一列，并带名称和配置',
  },
  'export.bad-wide': {
    en: '--wide is "{value}"; it must be steps or runs',
    zh: '--wide 是“{value}”，只能是 steps 或 runs',
  },
  'export.wide-all': {
    en: '--all lists points that have no cell in a wide table; use only one of the two',
    zh: '--all 会列出宽表放不下的点；两者只能选一个',
  },
  'export.bad-format': {
    en: 'the format "{value}" is unknown; it must be csv, jsonl or parquet',
    zh: '未知格式“{value}”，只能是 csv、jsonl 或 parquet',
  },
  'export.needs-file': {
    en: 'Parquet needs a file: add -o FILE.parquet',
    zh: 'Parquet 需要写入文件：请加上 -o FILE.parquet',
  },
  'export.no-folder': {
    en: 'there is no folder {path}; create it first',
    zh: '没有可写入的文件夹 {path}，请先创建',
  },
  'export.no-file': {
    en: '{path} is a folder or a device; name a file, or omit -o to write to standard output',
    zh: '{path} 是文件夹或设备，不是文件；请给出文件名，或去掉 -o 直接输出到标准输出',
  },
  'export.no-metric': { en: 'none of these runs has the metric "{metric}"', zh: '这些 run 都没有指标“{metric}”' },
} as const satisfies Templates
