/** Words for what is measured and for settings, in English and Chinese: facts for `metric-mentions.ts`. */

/** A head says what is measured, a modifier of what kind. */
// biome-ignore format: a table is read by its lines
export const WORDS: readonly (readonly [feature: string, isHead: boolean, pattern: string])[] = [
  ['val', false, 'val(?:idation)?(?![a-z])|eval(?:uation)?s?(?![a-z])|held[- ]out|dev set|验证集?|评测|评估'],
  ['train', false, 'train(?:ing)?(?![a-z])|训练(?!结束|步|完)'],
  ['exact', true, 'exact(?![a-z])(?:[- ](?:match(?:es)?|accuracy))?|精确(?:率|匹配|度)?|完全匹配率?'],
  ['accuracy', true, 'accurac(?:y|ies)|acc(?![a-z])|准确率|正确率'],
  ['model', true, String.raw`reward[-_ ]models?(?:\s?(?:得分|分数?|scores?))?|(?<![A-Za-z])RM(?![A-Za-z-])(?:\s?(?:得分|分数?|scores?))?|奖励模型(?:得分|分数?)?|打分器(?:的?(?:得分|分数?))?`],
  ['reward', true, 'rewards?(?![- ]models?)|(?<=ep_)rew(?![a-z])|奖励(?!模型)|回报'],
  ['score', true, String.raw`score(?!s)|scores(?! (?:only |just )?\d)|得分|分数|打分`],
  ['gradnorm', true, 'grad(?:ient)?[ _]norms?|梯度范数'],
  ['entropy', true, '(?:policy )?entrop(?:y|ies)(?! (?:bonus|runs?|arms?|term|regulari))|策略熵|熵(?!正则|奖励|系数)'],
  ['turns', true, 'turns?(?= |s|\\.|,|$)|num_turns|轮数'],
  ['zerostd', true, '(?:zero[- ](?:variance|std)|degenerate)(?: groups?)?|frac_reward_zero_std|零方差组?(?:的?(?:比例|占比))?|groups? without (?:any )?(?:reward )?variance|tied groups?|zero[-_ ]std(?:\\s?(?:占比|比例))?|组内(?:的? ?reward|奖励)?(?:完全|全)?(?:相同|一样|一致)|组内奖励方差为[零0]|(?:no|zero) reward (?:spread|variance)|identical rewards|earn the same reward|score alike|groups were flat'],
  ['clip', true, 'clip(?:ped|ping)?[ _]?(?:frac(?:tion)?|ratio)|clipfrac|裁剪比例'],
  ['cut', true, String.raw`(?:completions|response_length)\/clip(?:ped)?_ratio|(?:completions?|responses?|outputs?) (?:(?:were|are|got|get) )?(?:clipped|truncated|cut off)|(?:clipped|truncated) (?:completions?|responses?|outputs?)|(?:hit|ran into|run into|reach(?:ed)?) the (?:[\w-]+ )?(?:length |token )?limit|截断(?:率|比例)`],
  ['sets', false, String.raw`(?:averag(?:es?|ed|ing)|means?|avg\.?)(?:,)? (?:over|of|across) (?:the |all )?(?:two |three |four |five |\d )?(?:validation |eval(?:uation)? |test )?sets|(?:two|three|four|five)[- ]set (?:average|mean)|(?:average|avg|mean)\.? (?=acc)|[两三四五]个?(?:验证|评测)?集(?:的)?平均|平均(?=准确率|得分|分)`],
  ['coef', true, 'coef(?:f|ficients?)?(?![a-z])|系数'],
  ['kl', true, String.raw`KL(?![a-z=\d]|_(?:beta|coef)| (?:penalt|term|regulari|runs?(?![a-z])|arms?(?![a-z])|groups?(?![a-z])|variants?(?![a-z])|settings?(?![a-z])))(?: (?:divergence|loss|to the reference)|\s?散度|\s?值)?|kl_loss(?![a-z_])|kl divergence`],
  ['time', true, String.raw`step[ _]time|timing_s\/step|time per step|a step took|每步(?:平均)?(?:耗时|时间|用时)|单步(?:耗时|时间)`],
  ['elapsed', true, 'elapsed|wall[- ](?:clock )?time|(?:训练)?(?:总)?(?:用时|时长|耗时)'],
  ['lr', true, 'learning[ _]rate|(?<![a-z])lr(?![a-z-])|学习率'],
  ['length', true, '(?:(?:mean|average) )?(?:response|completion|output|answer|episode)?[ _]?lengths?(?![a-z])|(?<=ep_)len(?![a-z])|completions?(?= (?:of|average))|(?:completions?|responses?|answers?|outputs?)(?=[^;]{0,60}\\d ?tokens)|(?:回复|响应|输出|生成|回答|回合)?长度(?!奖励)'],
  ['tokens', true, String.raw`num_tokens|tokens? seen|seen(?= (?:[\d,.]+ ?[kM]? )?tokens)|token 总数|累计 token`],
  ['advstd', true, 'adv(?:antage)?[ _]std|优势标准差'],
  ['advmax', true, 'adv(?:antage)?[ _]max|优势最大值'],
  ['loss', true, 'loss(?:es)?(?![a-z])|损失'],
  ['batch', true, '(?:train )?batch[ _]?size|批大小'],
  ['temperature', true, 'temperature|温度'],
  ['ppo', false, String.raw`ppo(?![a-z_])|policy(?= loss)|pg(?=_loss)|策略(?=\s?(?:损失|loss))`],
]
export const HEADS: ReadonlySet<string> = new Set(WORDS.filter(([, isHead]) => isHead).map(([feature]) => feature))
/** What makes a metric another one than its head says. */
export const QUALIFIERS: readonly (readonly [string, RegExp])[] = [
  ['max', /(?:^|[^a-z])max(?![a-z])/],
  ['min', /(?:^|[^a-z])min(?![a-z])/],
  ['std', /(?:^|[^a-z])std(?![a-z])/],
  ['start', /first_minibatch|start$/],
  ['old', /ppo_kl|kl\.old/],
  ['truth', /^truth\//],
  ['terminated', /terminated/],
  ['clipped', /clip/],
  ['sets', /\/\*\//],
]
/** What people call alike; the second is the plainer name of the first. */
export const ALIKE: ReadonlyMap<string, readonly string[]> = new Map([
  ['accuracy', ['exact', 'score']],
  ['exact', ['accuracy']],
  ['score', ['reward', 'accuracy']],
  ['reward', ['score']],
])

export const CURVES: ReadonlySet<string> = new Set([
  'gradnorm',
  'entropy',
  'zerostd',
  'clip',
  'cut',
  'kl',
  'time',
  'length',
  'tokens',
  'advstd',
  'advmax',
  'lr',
])

export const SETTING_WORDS: ReadonlyMap<string, string> = new Map([
  ['kl.loss.coef', 'KL coefficient'],
  ['kl.reward.coef', 'KL coefficient'],
  ['entropy.coef', 'entropy coefficient'],
  ['lr', 'learning rate'],
])

export const GENERIC =
  /^(?:val|core|aux|eval|train|rew|len|mean|max|min|std|actor|critic|grpo|data|timing|step|reward|rewards|score|acc|accuracy|exact|loss|kl|entropy|grad|norm|lr|num|the|of|and|model|frac|zero|clip|ratio|response|completions?|length|sort|interact|perf|tools?|call|frequency|failure|runtime|epoch|advantages?|pg|ppo|region|low|high|first|minibatch|beta|adv|truth|coef|learning|rate|tokens|total|value|policy|elapsed|rollouts?)$/

/** What sets of data are called in Chinese. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['gold', '|真实(?:的?(?:得分|分数?|奖励|reward))|true (?:reward|score)s?'],
  ['short', '|短'],
  ['medium', '|中等|中(?=序列|长|集)'],
  ['long', '|长(?=序列|集|列表|题)'],
  ['easy', '|简单'],
  ['hard', '|困难'],
])
