import { sentences } from '../../text/sentences.js'

/** What is said about the files and lines of UserRL. */
export const say = sentences({
  'userrl.unreadable': {
    en: 'the file is no whole JSON of UserRL’s evaluation, or larger than 256 MiB; nothing was read',
    zh: '文件不是完整的 UserRL 评测 JSON，或超过 256 MiB，未读取任何内容',
  },
  'userrl.strays': {
    en: '{environment}: {count} {count|entry is|entries are} no task (eval.py adds such when it is given several --pass_k); left out, though its own averages count {count|it|them} as 0',
    zh: '{environment}：有 {count} 个条目不是任务（eval.py 在给出多个 --pass_k 时会写入），已略过；而它自己的平均值把这些条目按 0 计入',
  },
  'userrl.mute': {
    en: '{environment}: {count} {count|dialogue has|dialogues have} no turn; whether the policy asked nothing or its server failed is not in the file, and UserRL counts 0 for both',
    zh: '{environment}：有 {count} 段对话没有任何轮次；文件无法说明是策略没有提问还是服务出错，UserRL 一律按 0 计',
  },
  'userrl.disagrees': {
    en: '{environment}: the results say {average} on average of {count}, the dialogues give {counted}; the dialogues count',
    zh: '{environment}：results 文件给出 {count} 次的平均值为 {average}，而对话本身得出 {counted}；以对话为准',
  },
  'userrl.gaps': {
    en: '{count} {count|dialogue lacks|dialogues lack} turns in the log and {count|has|have} no score; Ray leaves out lines that repeat unless RAY_DEDUP_LOGS=0 is set',
    zh: '日志中有 {count} 段对话缺少轮次，因而没有得分；除非设置 RAY_DEDUP_LOGS=0，Ray 会略去重复的行',
  },
  'userrl.crowded': {
    en: 'more than {limit} dialogues were under way at once; {count} {count|was|were} left out',
    zh: '同时进行的对话超过 {limit} 段，其中 {count} 段已略过',
  },
})
