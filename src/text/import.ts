import type { Templates } from './language.js'

/** `klens import`: what was found, what was left out and why. */
export const importTexts = {
  'skip.empty': { en: 'empty file', zh: '文件为空' },
  'skip.missing': { en: 'no such file or folder', zh: '文件或文件夹不存在' },
  'skip.forbidden': { en: 'no permission to read it', zh: '没有读取权限' },
  'skip.loop': { en: 'a loop of symbolic links', zh: '符号链接形成了循环' },
  'skip.unreadable': { en: 'could not be read ({reason})', zh: '无法读取（{reason}）' },
  'skip.not-a-file': {
    en: 'is not a regular file (a pipe, socket or device)',
    zh: '不是可读取的文件（管道、套接字或设备）',
  },
  'skip.unknown': { en: 'not a training log that klens knows', zh: '不是 klens 认得的训练日志' },
  'skip.nothing': { en: 'contains nothing to import', zh: '没有可导入的内容' },
  'skip.no-step': {
    en: 'has numbers but no step column; name it with --step',
    zh: '有数值，但找不到 step 列；请用 --step 指定',
  },
  'skip.busy': {
    en: 'run {run} is being written by process {pid} on {host}; import again when that is done',
    zh: 'run {run} 正由 {host} 上的进程 {pid} 写入，请等它结束后再导入',
  },
  'skip.damaged': {
    en: '{path} is damaged or missing; klens doctor {run} --repair fixes the run',
    zh: '{path} 已损坏或丢失；运行 klens doctor {run} --repair 可修复该 run',
  },
  'skip.failed': { en: 'could not be stored: {reason}', zh: '无法存储：{reason}' },

  'import.about': {
    en: 'read logs into the store; a path is a file or a folder',
    zh: '把日志读入存储；路径可以是文件或文件夹',
  },
  'import.paths': { en: 'files or folders of logs', zh: '日志文件或文件夹' },
  'import.option.follow': {
    en: 'keep reading while the logs grow, until Ctrl-C or until all runs have ended',
    zh: '日志增长时持续读取，直到按下 Ctrl-C 或所有 run 结束',
  },
  'import.option.step': { en: 'the column that holds the step', zh: 'step 所在的列' },
  'import.option.separate': {
    en: 'keep logs with the same values as separate runs',
    zh: '数值相同的日志不合并，各自作为一个 run',
  },
  'import.option.metric': { en: 'read only this column (repeatable)', zh: '只读取这一列（可重复）' },
  'import.run': {
    en: '{points} {count|point|points}, {metrics} {metricCount|metric|metrics}',
    zh: '{points} 个点，{metrics} 个指标',
  },
  'import.steps': { en: 'steps {first}–{last}', zh: 'step {first}–{last}' },
  'import.total': {
    en: '{runs} {runs|run|runs}, {points} point{points||s} in {seconds} s',
    zh: '共 {runs} 个 run，{points} 个点，用时 {seconds} 秒',
  },
  'import.skipped': {
    en: '{count} {count|file|files} left out',
    zh: '略过 {count} 个文件',
  },
  'import.more': { en: '… and {count} more (--json lists all)', zh: '……另有 {count} 个（--json 可列出全部）' },
  'import.nothing': { en: 'no run could be read', zh: '没有读到任何 run' },
  'import.next': { en: 'next: klens show {run}', zh: '接下来：klens show {run}' },
  'import.progress': {
    en: '{bar} {percent} %  run {nth}/{runs}  {rate} MB/s  {points} point{points||s}  {eta} s left  {name}',
    zh: '{bar} {percent}%  run {nth}/{runs}  {rate} MB/s  {points} 个点  剩余 {eta} 秒  {name}',
  },
  'import.begun-anew': {
    en: '{path} was overwritten with something else; its earlier content is kept',
    zh: '{path} 已被其他内容覆盖；此前读到的数据仍保留',
  },
  'import.duplicate': { en: 'has the same data as run {run}', zh: '与 run {run} 的数据完全相同' },
  'import.following': {
    en: 'following {count} {count|run|runs}; Ctrl-C stops',
    zh: '正在跟踪 {count} 个 run，按 Ctrl-C 停止',
  },
  'import.awaiting': {
    en: 'no run at {paths} yet; waiting for one, Ctrl-C stops',
    zh: '{paths} 处尚无 run，正在等待，按 Ctrl-C 停止',
  },
  'follow.begun-anew': {
    en: 'was overwritten with something else; the earlier content is kept, and the new content is added',
    zh: '已被其他内容覆盖；此前的数据仍保留，新内容接在其后',
  },
  'follow.put-aside': {
    en: 'was rotated to another name and started again; both are read',
    zh: '已被改名存放并重新开始写入；两者都会读取',
  },
  'follow.cut': { en: 'became shorter; the run is read again', zh: '文件变短了，将重新读取该 run' },
  'follow.lost': {
    en: 'is gone or can no longer be read; what was read is kept, and reading continues when it is back',
    zh: '已不存在或无法读取；已读的数据仍保留，文件恢复后会继续',
  },
  'follow.other-run': {
    en: 'belongs to another run now; run {name} is kept as it is',
    zh: '现在属于另一个 run；run {name} 保持原样',
  },
  'import.followed': { en: '{name}  step {step}  {points} point{points||s}', zh: '{name}  step {step}  {points} 个点' },
  'import.remark': { en: '! {path}: {reason}', zh: '! {path}：{reason}' },
  'import.nothing-to-follow': {
    en: 'none of these logs can grow, or all have ended; there is nothing to follow',
    zh: '这些日志不会再增长，或都已结束，没有可跟踪的 run',
  },
} as const satisfies Templates
