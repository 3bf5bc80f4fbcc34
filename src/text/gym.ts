import type { Templates } from './language.js'

/** `klens gym`. */
export const gymTexts = {
  'gym.about': {
    en: 'multi-turn environments: evaluate, check, play, serve',
    zh: '多轮交互环境：评测策略、检查模拟器、试玩、提供服务',
  },
  'gym.eval.about': {
    en: 'play policies against a simulated user, score them as UserRL does and keep every dialogue',
    zh: '让策略与用户对话，按 UserRL 的方式计分，并保留每段对话',
  },
  'gym.argument.policies': {
    en: 'scripted:oracle|asker|random|…, an endpoint http://HOST/v1#MODEL, or a language model: a folder or RUN@STEP',
    zh: 'scripted:oracle|asker|random|…，接口 http://HOST/v1#MODEL，或语言模型：文件夹或 RUN@STEP',
  },
  'gym.option.gym': {
    en: 'intention (default), function, telepathy, turtle or persuade',
    zh: 'intention（默认）、function、telepathy、turtle 或 persuade',
  },
  'gym.option.quirk': {
    en: 'change a quirk of the gym, e.g. failedCall=zero, showReward=true (docs/gym.md; repeatable)',
    zh: '改变某个 quirk，例如 failedCall=zero、showReward=true（见 docs/gym.md，可重复）',
  },
  'gym.option.simulator': {
    en: 'who plays the user: embedded, or http://HOST/v1#MODEL (key from OPENAI_API_KEY)',
    zh: '由谁扮演用户：embedded，或 http://HOST/v1#MODEL（密钥取自 OPENAI_API_KEY）',
  },
  'gym.option.prompts': {
    en: 'what a model is told that plays the user: klens, userrl, or a checkout of UserRL (default: userrl where --data lies in one)',
    zh: '扮演用户的模型使用哪种提示词：klens、userrl，或 UserRL 的代码目录（默认：--data 位于其中时为 userrl）',
  },
  'gym.option.data': {
    en: 'tasks of UserRL: a JSON, or a Parquet together with its JSON (repeatable; default: klens’s own)',
    zh: 'UserRL 的任务文件：JSON，或 Parquet 加上对应的 JSON（可重复；默认用 klens 自带任务）',
  },
  'gym.option.split': {
    en: 'train, test, fresh (set aside) or practice (6,000 further requests, to start a model from), of klens’s own tasks',
    zh: '自带任务的划分：train、test、fresh（留作最后查看）或 practice（另外 6,000 个请求，供模型起步）',
  },
  'gym.option.language': { en: 'language of klens’s own tasks: en or zh', zh: '自带任务的语言：en 或 zh' },
  'gym.option.max-turns': { en: 'turns per dialogue (default 16)', zh: '每段对话的轮数（默认 16）' },
  'gym.option.repeats': { en: 'dialogues per task (default 1)', zh: '每个任务的对话次数（默认 1）' },
  'gym.option.temperature': { en: 'temperature of an endpoint (default 0)', zh: '接口采样温度（默认 0）' },
  'gym.option.limit': { en: 'only the first N tasks', zh: '只用前若干个任务' },
  'gym.bad-endpoint': {
    en: '"{address}" is not an endpoint; write http://HOST/v1#MODEL',
    zh: '“{address}”不是接口地址，应写成 http://HOST/v1#MODEL',
  },
  'gym.eval.scope': {
    en: '{tasks} task{tasks||s} of {data}; maximum score {ceiling}',
    zh: '{data} 的 {tasks} 个任务；上限 {ceiling}',
  },
  'gym.eval.column.score': { en: 'score', zh: '得分' },
  'gym.eval.column.interval': { en: '95 % interval', zh: '95% 置信区间' },
  'gym.eval.column.share': { en: 'of maximum', zh: '占上限' },
  'gym.eval.column.coverage': { en: 'coverage', zh: '覆盖率' },
  'gym.eval.column.turns': { en: 'turns', zh: '轮数' },
  'gym.eval.column.failed': { en: 'failed', zh: '失败' },
  'gym.eval.failed': {
    en: '{failed} of {dialogues} dialogue{dialogues||s} have no score and are left out above; run the same command again to retry them: answers so far are cached',
    zh: '{dialogues} 段对话中有 {failed} 段没有得分，上表未计入；再次运行即可补齐：已得到的回答都已保存，不会重复请求',
  },
  'gym.eval.reason': { en: 'without a score: {reason}', zh: '没有得分：{reason}' },
  'gym.eval.next': {
    en: 'dialogues side by side: klens samples {first} {second} --flips --condition dataset={data}',
    zh: '并排查看对话：klens samples {first} {second} --flips --condition dataset={data}',
  },
  'gym.check.about': {
    en: 'is this simulator fit to train on: does it understand questions and paraphrases, ignore talk, and repeat its judgements',
    zh: '这个模拟器能否用于训练：能否听懂问题及其不同说法、忽略闲谈，且前后一致',
  },
  'gym.check.questions': {
    en: 'how many questions of each kind (default: 40, of the built-in simulator 400)',
    zh: '每一类抽查多少个问题（默认 40，自带模拟器为 400）',
  },
  'gym.check.fit': { en: 'fit to train on', zh: '可以用于训练' },
  'gym.check.unfit': { en: 'not fit to train on', zh: '不适合用于训练' },
  'gym.check.not-shown': {
    en: 'not shown to be fit: more questions are needed (--questions)',
    zh: '尚不能确定是否适合用于训练：需要更多问题（--questions）',
  },
  'gym.check.unknown': { en: 'not known: nothing was judged', zh: '无法判断：没有得到任何评判' },
  'gym.check.too-little': {
    en: '{what}: {share}, and at least {limit} is needed',
    zh: '{what}：{share}，至少应为 {limit}',
  },
  'gym.check.too-much': {
    en: '{what}: {share}, and at most {limit} is allowed',
    zh: '{what}：{share}，最多允许 {limit}',
  },
  'gym.check.open': {
    en: '{what}: {share}, and the interval {low} … {high} holds the limit of {limit}',
    zh: '{what}：{share}，置信区间 {low} … {high} 包含界限 {limit}',
  },
  'gym.check.column.asked': { en: 'asked', zh: '提问' },
  'gym.check.column.share': { en: 'share', zh: '比例' },
  'gym.check.column.interval': { en: '95 % interval', zh: '95% 置信区间' },
  'gym.check.column.n': { en: 'n', zh: 'n' },
  'gym.check.column.wanted': { en: 'wanted', zh: '要求' },
  'gym.check.model': { en: 'the model question is heard', zh: '标准问题被听懂' },
  'gym.check.options': { en: 'a choice between two options is heard', zh: '列出两个选项的问题被听懂' },
  'gym.check.paraphrase': { en: 'a question in other words is heard', zh: '换一种说法的问题被听懂' },
  'gym.check.compound': { en: 'two questions at once are both heard', zh: '一次问两件事都被听懂' },
  'gym.check.talk': { en: 'talk is taken for a question', zh: '闲谈被误当作提问' },
  'gym.check.foreign': { en: 'a question about something else is taken for one', zh: '无关问题被误判为覆盖' },
  'gym.check.repeatable': { en: 'same judgement when asked again', zh: '重复提问判断一致' },
  'gym.check.failures': { en: 'calls that failed', zh: '失败的调用' },
  'gym.judge.none': {
    en: 'the gym {gym} has no judge that could be checked',
    zh: 'gym {gym} 没有可检查的评判',
  },
  'gym.judge.unfit': {
    en: 'the offline judge of {gym} is not fit to train on: on {probes} test moves it answers {right} % of the questions right, pays {deserved} % of what deserves it and {undeserved} % of what does not; give an endpoint: --simulator http://HOST/v1#MODEL',
    zh: '{gym} 的离线评判不能用于训练：在 {probes} 个测试动作上，问题答对 {right}%，应得分的给了 {deserved}%，不应得分的给了 {undeserved}%；请给出接口：--simulator http://HOST/v1#MODEL',
  },
  'gym.judge.unfit-pay': {
    en: 'the offline judge of {gym} is not fit to train on: on {probes} test moves it pays {deserved} % of what deserves it and {undeserved} % of what does not; give an endpoint: --simulator http://HOST/v1#MODEL',
    zh: '{gym} 的离线评判不能用于训练：在 {probes} 个测试动作上，应得分的给了 {deserved}%，不应得分的给了 {undeserved}%；请给出接口：--simulator http://HOST/v1#MODEL',
  },
  'gym.judge.unmeasured': {
    en: 'the offline judge of {gym} knows nothing about these tasks, so its scores mean nothing for a policy; give an endpoint: --simulator http://HOST/v1#MODEL',
    zh: '{gym} 的离线评判对这些任务一无所知，其得分对策略没有意义；请给出接口：--simulator http://HOST/v1#MODEL',
  },
  'gym.judge.right': { en: 'questions answered right', zh: '问题答对' },
  'gym.judge.wrong': { en: 'questions answered wrong (yes for no, no for yes)', zh: '问题答错（是否颠倒）' },
  'gym.judge.paid': { en: 'paid what deserves it', zh: '应得分的给了分' },
  'gym.judge.paid-wrongly': { en: 'paid what does not', zh: '不应得分的给了分' },
  'gym.judge.fit': { en: 'fit to train on', zh: '可用于训练' },
  'gym.judge.not-fit': {
    en: 'not fit to train on (right and paid at least 60 %, wrong and paid wrongly at most 5 %, ten test moves of each kind)',
    zh: '不能用于训练（要求答对和给分不低于 60%，答错和误给分不高于 5%，每类至少十个测试动作）',
  },
  'gym.check.latency': { en: 'a judgement takes {seconds} s (median)', zh: '每次判断耗时 {seconds} 秒（中位数）' },
  'gym.play.about': { en: 'ask the questions yourself, in the terminal', zh: '在终端里亲自提问' },
  'gym.play.task': { en: 'the id of a training task (default: any)', zh: '训练任务的 id（默认随机）' },
  'gym.play.no-task': { en: 'there is no task {id}', zh: '没有任务 {id}' },
  'gym.play.opening': {
    en: `{request}
One question per line, or [answer] … where the gym wants one; an empty line ends. The maximum score is {ceiling}.`,
    zh: '{request}\n每行一个问题；需要给出答案时写 [answer] …；空行结束。最高可得 {ceiling}。',
  },
  'gym.play.step': { en: '{feedback}   +{reward}, {total} so far', zh: '{feedback}   +{reward}，累计 {total}' },
  'gym.serve.about': {
    en: 'serve the gym over HTTP, and answer UserRL’s two simulator prompts as an OpenAI-compatible endpoint',
    zh: '通过 HTTP 提供 gym，并作为 OpenAI 兼容接口回答 UserRL 的两种模拟器提示',
  },
  'gym.serve.port': { en: 'port on this machine (default: a free one)', zh: '本机端口（默认任选空闲端口）' },
  'gym.serve.listening': {
    en: '{url}  token {token}  (as Authorization: Bearer, or as the API key of {url}/v1)',
    zh: '{url}  令牌 {token}（作为 Authorization: Bearer，或 {url}/v1 的 API key）',
  },
  'gym.replay.about': {
    en: 'replay recorded transitions and show every difference',
    zh: '重放录制的交互，列出每一处差异',
  },
  'gym.argument.recording': { en: 'a recording (.jsonl or .jsonl.gz)', zh: '录制文件（.jsonl 或 .jsonl.gz）' },
  'gym.no-file': { en: 'there is no file {path}', zh: '找不到文件 {path}' },
  'gym.replay.equal': {
    en: '{transitions} transition{transitions||s} in {episodes} episode{episodes||s}: no difference',
    zh: '{episodes} 个 episode、{transitions} 步：没有差异',
  },
  'gym.replay.different': {
    en: '{transitions} transition{transitions||s} in {episodes} episode{episodes||s}: {count} {count|difference|differences}',
    zh: '{episodes} 个 episode、{transitions} 步：{count} 处差异',
  },
  'gym.replay.difference': {
    en: 'episode {episode}, step {step}, {member}: recorded {recorded}, replayed {replayed}',
    zh: 'episode {episode} 第 {step} 步 {member}：录制为 {recorded}，重放为 {replayed}',
  },
} as const satisfies Templates
