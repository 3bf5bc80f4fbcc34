import type { Templates } from './language.js'

/** What the command line itself says: help, errors, the first words to a newcomer. */
export const cliTexts = {
  'cli.about': {
    en: 'Compare, diagnose and audit RL post-training runs (GRPO, PPO), from raw logs to a verdict; before, during and after training.',
    zh: '对比、诊断、审查 RL 后训练（GRPO、PPO）：从原始日志到判定。',
  },
  'cli.first.folder': {
    en: 'This folder: {n} {n|file looks like a training log|files look like training logs} ({kinds}).',
    zh: '当前文件夹：{n} 个文件像训练日志（{kinds}）',
  },
  'cli.first.nothing': { en: 'This folder: no training logs.', zh: '当前文件夹：没有训练日志' },
  'cli.first.runs': { en: 'Workspace: {n} {n|run|runs} in {path}.', zh: '工作区：{path} 中有 {n} 个 run' },
  'cli.first.try': { en: 'Try: {command}', zh: '试试：{command}' },
  'cli.first.console': { en: 'console', zh: '控制台' },
  'cli.first-steps': {
    en: `  klens preflight LAUNCH   before: check a launch script or config
  klens watch PATH         during: scores, findings, crashes, when to stop
  klens diagnose PATH…     after: problems, since when, what to change
  klens compare A B        after: better, worse, about the same, or undetermined
  klens checkpoints RUN    after: which checkpoint to ship
  klens serve              all of it in a browser

  Nothing is sent anywhere. Runs are kept as open Parquet files in ./.klens.
  klens --help lists all commands, klens VERB --help explains one; --lang zh
  speaks Chinese, --json is for scripts.`,
    zh: `  klens preflight 脚本     训练前：检查启动脚本或配置
  klens watch 路径         训练中：得分、问题、崩溃、何时该停
  klens diagnose 路径…     训练后：哪里有问题、从何时开始、该改什么
  klens compare A B        训练后：更好、更差、相当，还是无法判定
  klens checkpoints RUN    训练后：该选哪个 checkpoint
  klens serve              在浏览器中查看以上全部

  数据只留在本机，以开放的 Parquet 文件存放在 ./.klens。
  klens --help 列出全部命令，klens 命令 --help 查看用法；
  --lang en 切换为英文，--json 供脚本使用。`,
  },
  'cli.help.before': { en: 'Before training:', zh: '训练前：' },
  'cli.help.during': { en: 'During training:', zh: '训练中：' },
  'cli.help.after': { en: 'After training:', zh: '训练后：' },
  'cli.help.results': { en: 'Decide and report:', zh: '决策与报告：' },
  'cli.help.lab': { en: 'Lab (trainings of klens itself):', zh: '实验室（用 klens 自己训练）：' },
  'cli.help.store': { en: 'Manage the store:', zh: '管理数据：' },
  'goal.about': {
    en: 'which metric judges a run, and why; set it yourself',
    zh: '各 run 的判定依据及原因；也可自行指定指标',
  },
  'vocabulary.about': {
    en: 'unknown metric names and what they may mean; accept or reject',
    zh: '日志中不认识的名称及其可能的含义；可接受或拒绝',
  },
  'decide.about': {
    en: 'what to ship now, and what to run next',
    zh: '现在该用哪个，接下来做什么实验',
  },
  'log.about': {
    en: 'JSON lines from stdin become a run: train.py | klens log',
    zh: '从标准输入读取 JSON 行，写入 run：train.py | klens log',
  },
  'watch.about': {
    en: 'follow runs live: scores, findings, crashes, when to stop',
    zh: '实时关注 run：得分、诊断、停滞、崩溃、何时该停',
  },
  'study.about': {
    en: 'a question as a file: train arms and seeds until resolved',
    zh: '把问题写成文件：训练各实验组与种子，直到有定论',
  },
  'cli.option.json': { en: 'print JSON for programs', zh: '输出 JSON，供程序读取' },
  'cli.option.lang': { en: 'language: zh or en', zh: '语言：zh 或 en' },
  'cli.option.help': { en: 'show this help', zh: '显示本帮助' },
  'cli.option.version': { en: 'show the version', zh: '显示版本号' },
  'cli.help.usage': { en: 'Usage:', zh: '用法：' },
  'cli.help.arguments': { en: 'Arguments:', zh: '参数：' },
  'cli.help.options': { en: 'Options:', zh: '选项：' },
  'cli.help.default': { en: ' (default: {value})', zh: '（默认 {value}）' },
  'cli.help.commands': { en: 'Commands:', zh: '命令：' },
  'cli.error': { en: 'klens: {message}', zh: 'klens：{message}' },
  'cli.internal': {
    en: 'internal error in klens: {message} (set KLENS_DEBUG=1 to see where)',
    zh: 'klens 内部出错：{message}（设置 KLENS_DEBUG=1 可查看出错位置）',
  },
  'cli.disk-long-name': {
    en: 'the file system does not accept a name as long as {path}; choose a shorter one',
    zh: '文件系统不接受这么长的文件名：{path}；请换一个短一些的',
  },
  'cli.disk-full': {
    en: 'the disk is full: {path} could not be written; free some space and run the same command again',
    zh: '磁盘已满，无法写入 {path}；请腾出空间后重新运行同一命令',
  },
  'cli.disk-forbidden': {
    en: 'no permission to read or write {path}; set KLENS_HOME to another folder for the store',
    zh: '没有读写 {path} 的权限；可用 KLENS_HOME 把存储放到别处',
  },
  'cli.disk-no-folder': {
    en: '{path} is a file where a folder is needed; set KLENS_HOME to another folder for the store',
    zh: '{path} 应是文件夹，却是一个文件；可用 KLENS_HOME 把存储放到别处',
  },
  'cli.standard-output': { en: 'standard output', zh: '标准输出' },
  'cli.bad-language': { en: '--lang is "{value}"; it must be zh or en', zh: '--lang 是“{value}”，只能是 zh 或 en' },
  'cli.interrupted': {
    en: 'stopped; what was read is kept, and the same command continues from there',
    zh: '已停止；已读取的内容均已保存，再次运行同一命令即可继续',
  },
  'cli.unknown-verb': {
    en: 'there is no command "{name}"{hint}; klens --help lists them',
    zh: '没有“{name}”这个命令{hint}；用 klens --help 查看全部命令',
  },
  'cli.unknown-option': {
    en: 'unknown option {name}{hint}; add --help to see the options',
    zh: '未知选项 {name}{hint}；加 --help 查看可用选项',
  },
  'cli.missing-argument': {
    en: 'the argument <{name}> is missing; add --help to see the usage',
    zh: '缺少参数 <{name}>；加 --help 查看用法',
  },
  'cli.option-needs-value': { en: 'the option {name} needs a value', zh: '选项 {name} 需要一个值' },
  'cli.too-many-arguments': {
    en: 'too many arguments; add --help to see the usage',
    zh: '参数过多；加 --help 查看用法',
  },
  'cli.did-you-mean': { en: ' (did you mean {guess}?)', zh: '（是否想输入 {guess}？）' },

  'run.none': {
    en: 'no runs here yet; klens import PATH reads logs',
    zh: '这里还没有 run；请先用 klens import 路径 导入',
  },
  'run.near': { en: ' (similar: {names})', zh: '（相近的有：{names}）' },
  'run.unknown': {
    en: 'no run is called "{name}", and no such path exists{hint}; klens runs lists the runs',
    zh: '没有名为“{name}”的 run，也没有这个路径{hint}；用 klens runs 查看已有的 run',
  },
  'run.unknown-name': {
    en: 'no run is called "{name}"{hint}; klens runs lists the runs',
    zh: '没有名为“{name}”的 run{hint}；用 klens runs 查看已有的 run',
  },
  'run.ambiguous': {
    en: '"{name}" matches {count} run{count||s}: {candidates}{more}. Name one by its id',
    zh: '“{name}”对应 {count} 个 run：{candidates}{more}。请用 id 指明其中一个',
  },
  'run.candidate': {
    en: '{id} ({source}, {path}, started {started})',
    zh: '{id}（{source}，{path}，开始于 {started}）',
  },
  'run.more-candidates': { en: '; and {count} more', zh: '；另有 {count} 个' },
  'run.nothing-at-path': {
    en: 'no run could be read from {path}: {reason}',
    zh: '无法从 {path} 读出任何 run：{reason}',
  },
  'run.damaged': {
    en: '{path} is damaged or from another version of klens; klens doctor shows what can be repaired',
    zh: '{path} 已损坏，或由其他版本的 klens 写入；运行 klens doctor 查看可否修复',
  },
} as const satisfies Templates
