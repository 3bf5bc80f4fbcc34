import type { Templates } from './language.js'

/** What the command line itself says: help, errors, the first words to a newcomer. */
export const cliTexts = {
  'cli.about': {
    en: 'Train, compare, judge and audit KL-regularised policy optimisation (GRPO, PPO and relatives).',
    zh: '训练、比较、判定、审查带 KL 约束的策略优化（GRPO、PPO 等）。',
  },
  'cli.first-steps': {
    en: `klens {version}

  klens diagnose PATH…     is the training healthy? what is wrong, since when, what to change
  klens compare A B        better, worse, about the same, or undetermined? what would settle it?
  klens checkpoints RUN    which checkpoint to ship, and which ones are indistinguishable from it
  klens import PATH…       read logs: W&B, TensorBoard, verl, TRL/HF, JSONL, CSV, tables in a report
  klens runs, show RUN     what was read, and how each run went
  klens serve              all of it in a browser

  Nothing is sent anywhere. Runs are kept as open Parquet files in ./.klens.
  klens VERB --help explains a verb; --lang zh speaks Chinese; --json is for scripts.`,
    zh: `klens {version}

  klens diagnose 路径…     训练是否健康？哪里有问题、从何时开始、该改什么
  klens compare A B        更好、更差、相当，还是无法判定？还需要什么才能判定？
  klens checkpoints RUN    该选哪个 checkpoint，哪些与它无法区分
  klens import 路径…       读取日志：W&B、TensorBoard、verl、TRL/HF、JSONL、CSV、报告中的表格
  klens runs、show RUN     读到了哪些 run，各自情况如何
  klens serve              在浏览器中查看以上全部

  数据只留在本机，以开放的 Parquet 文件存放在 ./.klens。
  klens 命令 --help 查看用法；--lang en 切换为英文；--json 供脚本使用。`,
  },
  'goal.about': {
    en: 'what runs are judged by, and why; set the metric yourself',
    zh: '各 run 的判定依据及原因；也可自行指定指标',
  },
  'vocabulary.about': {
    en: 'names in the logs that klens does not know, and what each may mean; accept or reject it',
    zh: '日志中 klens 不认识的名称及其可能的含义；可接受或拒绝',
  },
  'decide.about': {
    en: 'what to ship now, and what to run next',
    zh: '现在该用哪个，接下来做什么实验',
  },
  'log.about': {
    en: 'read lines of JSON from standard input into a run that grows: train.py | klens log --name x',
    zh: '从标准输入读取 JSON 行，写入增长中的 run：train.py | klens log --name x',
  },
  'watch.about': {
    en: 'follow runs as they grow: scores, findings, stalls, crashes, and when to stop',
    zh: '实时关注 run：得分、诊断、停滞、崩溃，以及何时该停',
  },
  'study.about': {
    en: 'a question as a file: plan its trials, train them, see what is missing, buy seeds until it is settled',
    zh: '把问题写成文件：计划试验、训练、查看缺什么、购买种子直到有定论',
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
    en: 'something in klens itself went wrong: {message} (set KLENS_DEBUG=1 to see where)',
    zh: 'klens 内部出错：{message}（设置 KLENS_DEBUG=1 可查看出错位置）',
  },
  'cli.disk-long-name': {
    en: 'the file system takes no name as long as {path}; choose a shorter one',
    zh: '文件系统不接受这么长的文件名：{path}；请换一个短一些的',
  },
  'cli.disk-full': {
    en: 'the disk is full: {path} could not be written; make room and run the same command again',
    zh: '磁盘已满，无法写入 {path}；请腾出空间后重新运行同一命令',
  },
  'cli.disk-forbidden': {
    en: 'no permission to read or write {path}; KLENS_HOME can name another place for the store',
    zh: '没有读写 {path} 的权限；可用 KLENS_HOME 把存储放到别处',
  },
  'cli.disk-no-folder': {
    en: '{path} is a file where a folder is needed; KLENS_HOME can name another place for the store',
    zh: '{path} 应是文件夹，却是一个文件；可用 KLENS_HOME 把存储放到别处',
  },
  'cli.standard-output': { en: 'the standard output', zh: '标准输出' },
  'cli.bad-language': { en: '--lang is "{value}"; it must be zh or en', zh: '--lang 是“{value}”，只能是 zh 或 en' },
  'cli.interrupted': {
    en: 'stopped; what was read is kept, and the same command goes on from there',
    zh: '已停止；已读取的内容均已保存，再次运行同一命令即可继续',
  },
  'cli.unknown-verb': {
    en: 'there is no verb "{name}"{hint}; klens --help lists them',
    zh: '没有“{name}”这个命令{hint}；用 klens --help 查看全部命令',
  },
  'cli.unknown-option': {
    en: 'the option {name} is unknown{hint}; add --help to see the options',
    zh: '未知选项 {name}{hint}；加 --help 查看可用选项',
  },
  'cli.missing-argument': {
    en: 'the argument <{name}> is missing; add --help to see the usage',
    zh: '缺少参数 <{name}>；加 --help 查看用法',
  },
  'cli.option-needs-value': { en: 'the option {name} needs a value', zh: '选项 {name} 需要一个值' },
  'cli.too-many-arguments': {
    en: 'there are more arguments than this verb takes; add --help to see the usage',
    zh: '参数过多；加 --help 查看用法',
  },
  'cli.did-you-mean': { en: ' (did you mean {guess}?)', zh: '（是否想输入 {guess}？）' },

  'run.none': {
    en: 'there are no runs here yet; klens import PATH reads some',
    zh: '这里还没有 run；请先用 klens import 路径 导入',
  },
  'run.near': { en: ' (near to it: {names})', zh: '（相近的有：{names}）' },
  'run.unknown': {
    en: 'no run is called "{name}", and there is no such path{hint}; klens runs lists what there is',
    zh: '没有名为“{name}”的 run，也没有这个路径{hint}；用 klens runs 查看已有的 run',
  },
  'run.unknown-name': {
    en: 'no run is called "{name}"{hint}; klens runs lists what there is',
    zh: '没有名为“{name}”的 run{hint}；用 klens runs 查看已有的 run',
  },
  'run.ambiguous': {
    en: '"{name}" fits {count} runs: {candidates}{more}. Name one by its id',
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
    en: '{path} is damaged or from another version of klens; klens doctor says what can be repaired',
    zh: '{path} 已损坏，或由其他版本的 klens 写入；运行 klens doctor 查看可否修复',
  },
} as const satisfies Templates
