/**
 * The kinds of detail that requests leave out. Per language: what it is called, questions that ask for it, what people
 * answer, and the meaning units by which a question is recognised: any of the alternatives between `|`, all of whose words
 * (in Chinese: parts) must occur in one clause.
 */
interface Wording {
  readonly name: string
  readonly questions: readonly string[]
  readonly options: readonly string[]
  readonly units: string
}

interface Kind {
  readonly en: Wording
  readonly zh: Wording
}

type Row = readonly [name: string, questions: string, options: string, units: string]

/** Questions and options are separated by `/`. */
// biome-ignore format: a table is read by its columns
const ROWS: { readonly [kind: string]: readonly [en: Row, zh: Row] } = {
  budget: [
    ['the budget', 'What is your budget?/How much would you like to spend?/What price range do you have in mind?', 'about 50/about 200/up to 1000', 'budget|much spend|price'],
    ['预算', '您的预算是多少？/您打算花多少钱？/价位大概在什么范围？', '五十左右/两百左右/一千以内', '预算|多少钱|价位'],
  ],
  deadline: [
    ['the deadline', 'When do you need it?/By what date should it be ready?/What is the deadline?', 'by Friday/within two weeks/before summer', 'when need|date|deadline|when ready'],
    ['截止时间', '您什么时候要？/最晚哪天要完成？/截止时间是什么时候？', '周五之前/两周之内/夏天之前', '什么时候要|最晚|截止'],
  ],
  place: [
    ['the place', 'Where should it take place?/Which town or area do you mean?/Where will you be?', 'in the old town/near home/by the sea', 'where take|where will|town|area'],
    ['地点', '地点在哪里？/您指的是哪个城市或地区？/会在什么地方进行？', '老城区/离家近的地方/海边', '地点|哪个城市|地区|什么地方'],
  ],
  people: [
    ['the number of people', 'How many people will take part?/How large is the group?/How many of you are there?', 'four/about ten/more than thirty', 'many people|large group|many of you'],
    ['人数', '一共有多少人参加？/这个团体有多大？/你们总共几个人？', '四个/十个左右/三十多个', '多少人|团体 多大|几个人'],
  ],
  ages: [
    ['the ages', 'How old are they?/What ages are the youngest and the oldest?/Which age group is it for?', 'four and six/teenagers/over seventy', 'old they|age'],
    ['年龄', '他们多大了？/最小和最大的年龄是多少？/面向哪个年龄段？', '四岁和六岁/十几岁/七十岁以上', '多大了|年龄'],
  ],
  experience: [
    ['the experience so far', 'How much experience do you have?/Have you done anything like it before?/Are you a beginner?', 'none at all/a little/several years', 'experience|done before|beginner'],
    ['已有经验', '您有多少经验？/您以前做过类似的事吗？/您是初学者吗？', '完全没有/有一点/好几年了', '经验|以前做过|初学者'],
  ],
  style: [
    ['the style', 'What style do you like?/How should it look?/Which look do you prefer?', 'plain/playful/classic', 'style|should look|look prefer'],
    ['风格', '您喜欢什么风格？/希望看起来是什么样子？/偏好怎样的外观？', '简洁/活泼/经典', '风格|样子|外观'],
  ],
  size: [
    ['the size', 'What size should it be?/How big may it be?/Can you give me the measurements?', 'small/one by two metres/as big as possible', 'size|big|measurement'],
    ['尺寸', '需要多大的尺寸？/最大可以有多大？/能告诉我具体的大小吗？', '小号/一米乘两米/越大越好', '尺寸|可以有多大|大小'],
  ],
  colour: [
    ['the colours', 'Which colours do you like?/What colour scheme do you want?/Are there any colours to avoid?', 'blue and white/warm colours/anything but red', 'colour'],
    ['颜色', '您喜欢哪些颜色？/想要什么配色？/有没有不想要的颜色？', '蓝白/暖色/除了红色都行', '颜色|配色'],
  ],
  material: [
    ['the material', 'Which material do you prefer?/What should it be made of?/Do you want wood or something else?', 'wood/metal/cotton', 'material|made|wood'],
    ['材质', '您偏好什么材质？/要用什么材料做？/想要木头还是别的？', '木头/金属/棉布', '材质|材料|木头'],
  ],
  duration: [
    ['the duration', 'How long should it last?/How many days or hours do you have in mind?/What duration do you plan?', 'two hours/a weekend/three weeks', 'long last|many day|many hour|duration'],
    ['时长', '打算持续多久？/预计要几天或几个小时？/计划的时长是多少？', '两小时/一个周末/三周', '持续多久|要几天|几个小时|时长'],
  ],
  diet: [
    ['food preferences', 'What do you like to eat?/Is anyone vegetarian or vegan?/Which cuisine do you prefer?', 'vegetarian/anything spicy/Italian', 'like eat|vegetarian|cuisine'],
    ['饮食偏好', '大家喜欢吃什么？/有人吃素吗？/偏好哪种菜系？', '素食/辣的/意大利菜', '喜欢吃|吃素|菜系'],
  ],
  allergy: [
    ['allergies', 'Are there any allergies?/What must be avoided because of allergies?/Who is allergic to what?', 'nuts/pollen/milk', 'allergy|allergic'],
    ['过敏', '有没有人过敏？/因为过敏要避开什么？/谁对什么过敏？', '坚果/花粉/牛奶', '过敏'],
  ],
  occasion: [
    ['the occasion', 'What is the occasion?/What are you celebrating?/Is it for a special event?', 'a birthday/a farewell/no special one', 'occasion|celebrating|event'],
    ['场合', '是什么场合？/是要庆祝什么？/是为了特别的活动吗？', '生日/告别/没有特别的', '场合|庆祝|特别的活动'],
  ],
  recipient: [
    ['the recipient', 'Who is it for?/What does the recipient enjoy?/Can you tell me about the person who gets it?', 'my sister/a colleague/my grandfather', 'who for|recipient|person get'],
    ['收礼人', '是送给谁的？/收到的人喜欢什么？/能介绍一下对方吗？', '我妹妹/一位同事/我爷爷', '送给谁|收到的人|介绍 对方'],
  ],
  audience: [
    ['the audience', 'Who is the audience?/Who will read or see it?/What do the listeners know already?', 'customers/experts/students', 'audience|who read|listener'],
    ['受众', '受众是谁？/会给谁看？/听众已经了解多少？', '客户/专家/学生', '受众|给谁看|听众'],
  ],
  tone: [
    ['the tone', 'What tone should it have?/Should it sound formal or relaxed?/How serious may it be?', 'formal/friendly/funny', 'tone|formal|serious'],
    ['语气', '要什么样的语气？/应该正式还是随意？/可以有多严肃？', '正式/亲切/幽默', '语气|正式|严肃'],
  ],
  length: [
    ['the length', 'How many pages or words should it have?/What length is allowed?/Should it be short or detailed?', 'one page/ten slides/500 words', 'many page|many word|length|short detailed'],
    ['篇幅', '需要多少页或多少字？/篇幅有什么限制？/要简短还是详细？', '一页/十张幻灯片/五百字', '多少页|多少字|篇幅|简短'],
  ],
  format: [
    ['the format', 'In which format do you need it?/What file type should it be?/Do you want it printed or digital?', 'PDF/printed/a slide deck', 'format|file type|printed'],
    ['格式', '需要什么格式？/文件类型有要求吗？/要打印版还是电子版？', 'PDF/打印版/幻灯片', '格式|文件类型|打印'],
  ],
  language: [
    ['the language', 'Which languages are needed?/In what language should it be?/Do they speak English?', 'English and Spanish/French only/three languages', 'language|speak'],
    ['语言', '需要哪些语言？/应该用什么语言？/对方说英语吗？', '中文和英文/只要法语/三种语言', '语言|说英语'],
  ],
  tools: [
    ['the tools at hand', 'What tools do you have?/Which equipment is available?/What do you own already?', 'hardly any/the usual ones/a full workshop', 'tool|equipment|own already'],
    ['现有工具', '您手头有什么工具？/有哪些设备可用？/已经拥有哪些东西？', '几乎没有/常见的都有/一整套', '什么工具|设备可用|已经拥有'],
  ],
  goal: [
    ['the goal', 'What do you want to achieve?/What is the main goal?/Why do you want this?', 'to feel better/to earn some money/to pass an exam', 'achieve|goal|why want'],
    ['目标', '您想达到什么效果？/主要目标是什么？/为什么想做这件事？', '感觉更好/赚点钱/通过考试', '达到|目标|为什么想'],
  ],
  schedule: [
    ['the time available', 'How much time do you have each week?/On which days are you free?/What does your schedule allow?', 'an hour a day/only weekends/Monday evenings', 'much time|day free|schedule'],
    ['可用时间', '每周有多少时间？/哪几天有空？/您的日程允许怎么安排？', '每天一小时/只有周末/周一晚上', '多少时间|有空|日程'],
  ],
  health: [
    ['health limits', 'Do you have any health problems?/Is there an injury to mind?/What did the doctor say?', 'a bad knee/asthma/back pain', 'health|injury|doctor'],
    ['健康限制', '您有什么健康问题吗？/有没有需要注意的伤？/医生怎么说？', '膝盖不好/哮喘/腰痛', '健康|伤|医生'],
  ],
  season: [
    ['the season and weather', 'In which season will it be?/What weather do you expect?/How hot or cold will it get?', 'spring/rain most days/hot and dry', 'season|weather|hot cold'],
    ['季节与天气', '会在哪个季节？/预计是什么天气？/会有多热或多冷？', '春天/多半下雨/又热又干', '季节|天气|多热'],
  ],
  transport: [
    ['the means of transport', 'How will you get there?/Which means of transport can you use?/Do you have a car?', 'by train/by bike/a friend drives', 'get there|transport|car'],
    ['交通方式', '您打算怎么过去？/能用哪种交通工具？/您有车吗？', '坐火车/骑车/朋友开车', '怎么过去|交通|有车'],
  ],
  lodging: [
    ['the place to stay', 'Where would you like to sleep?/What kind of accommodation do you want?/Do you prefer a hotel or a hut?', 'a hotel/a tent/with friends', 'like sleep|accommodation|hotel'],
    ['住宿', '晚上想住在哪里？/想要哪种住宿？/喜欢酒店还是小屋？', '酒店/帐篷/朋友家', '想住|住宿|酒店'],
  ],
  interests: [
    ['the interests', 'What do you enjoy doing?/Which activities interest you?/What are your hobbies?', 'museums/sports/good food', 'enjoy doing|activity|interest|hobby'],
    ['兴趣', '平时喜欢做什么？/对哪些活动感兴趣？/有什么爱好？', '博物馆/运动/美食', '喜欢做|感兴趣|爱好'],
  ],
  noise: [
    ['noise', 'How quiet must it be?/Would noise be a problem?/May it be loud?', 'very quiet/some noise is fine/quiet after ten', 'quiet|noise|loud'],
    ['噪音', '要多安静？/有噪音会有问题吗？/声音可以大吗？', '非常安静/有点声音没关系/十点后安静', '安静|噪音|声音'],
  ],
  pets: [
    ['the animals', 'What animals live with you?/How does your pet behave?/Which breed is it?', 'an old dog/two cats/a young puppy', 'animal|pet|breed'],
    ['动物', '家里有什么动物？/您的宠物脾气怎么样？/是什么品种？', '一只老狗/两只猫/一只小狗', '动物|宠物|品种'],
  ],
  light: [
    ['the light', 'How much light is there?/Does the sun shine in?/Which way do the windows face?', 'full sun/shade/light in the morning', 'light|sun|window'],
    ['光照', '光照有多少？/太阳照得进来吗？/窗户朝哪边？', '全日照/阴凉/早上有光', '光照|太阳|窗户'],
  ],
  space: [
    ['the space', 'How much room do you have?/What space can it take up?/How many square metres are there?', 'a corner/ten square metres/half a room', 'much room|space|square'],
    ['空间', '您有多少空间？/最多能占多大地方？/一共几平方米？', '一个角落/十平方米/半个房间', '空间|占 地方|平方'],
  ],
  brand: [
    ['the brand', 'Is there a brand you trust?/Which makers do you prefer?/Have you got a model in mind?', 'no brand/a local maker/the cheapest one', 'brand|maker|model'],
    ['品牌', '有信任的品牌吗？/偏好哪些厂家？/心里有看中的型号吗？', '没有/本地厂家/最便宜的', '品牌|厂家|型号'],
  ],
  device: [
    ['the device', 'On which device will it be used?/Do you have a phone or a tablet?/What computer is it for?', 'a phone/a tablet/a desktop', 'device|phone|computer for'],
    ['使用设备', '会在哪种设备上使用？/您用手机还是平板？/是给什么电脑用的？', '手机/平板/台式机', '哪种设备|手机|什么电脑'],
  ],
  system: [
    ['the system', 'Which operating system do you use?/How old is the system?/What software is installed?', 'Linux/an old Windows/the newest one', 'operating|old system|software'],
    ['系统', '用的是什么操作系统？/系统用了几年了？/装了哪些软件？', 'Linux/旧版 Windows/最新的', '操作系统|系统用|软件'],
  ],
  connection: [
    ['the connection', 'How fast is your internet?/Is there a stable connection?/Will it work offline?', 'slow/fast fibre/mobile only', 'internet|connection|offline'],
    ['网络', '您的网速怎么样？/您的网络连接稳定吗？/需要离线使用吗？', '很慢/光纤/只有移动网络', '网速|网络|离线'],
  ],
  content: [
    ['the content', 'What should it contain?/Which topics must be covered?/What is the main message?', 'three stories/figures of last year/a how-to', 'contain|topic|message'],
    ['内容', '应该包含什么？/必须涉及哪些主题？/核心信息是什么？', '三个故事/去年的数据/操作步骤', '包含|主题|核心'],
  ],
  privacy: [
    ['privacy', 'Who may see it?/Which names must stay private?/How confidential is it?', 'family only/everyone/no names', 'who may|private|confidential'],
    ['隐私', '哪些人可以看到？/哪些名字不能公开？/保密程度如何？', '只有家人/所有人/不出现名字', '可以看到|公开|保密'],
  ],
  durability: [
    ['how long it must hold', 'How many years should it hold?/How robust must it be?/Is a warranty important to you?', 'ten years/a few seasons/it must survive falls', 'many year|robust|warranty'],
    ['耐用程度', '希望能用多少年？/需要多结实？/在意保修吗？', '十年/几个季节/要经得起摔', '多少年|结实|保修'],
  ],
  upkeep: [
    ['the upkeep', 'How much care can you give it?/How often can you look after it?/May it need maintenance?', 'once a week/almost none/daily is fine', 'care|after often|maintenance'],
    ['维护', '您能花多少精力照料？/多久能打理一次？/可以接受定期维护吗？', '每周一次/几乎没有/每天都行', '照料|打理|维护'],
  ],
  music: [
    ['the music', 'What music do you like?/Which songs should be played?/Do you prefer jazz or rock?', 'jazz/songs of the eighties/nothing loud', 'music|song|jazz'],
    ['音乐', '您喜欢什么音乐？/应该放哪些歌？/偏好爵士还是摇滚？', '爵士/八十年代的歌/不要太吵的', '音乐|哪些歌|爵士'],
  ],
  payment: [
    ['the payment', 'How would you like to pay?/Can you pay in instalments?/Who covers the bill?', 'by card/monthly/the company pays', 'pay|instalment|bill'],
    ['付款', '您想怎么付款？/可以分期吗？/由谁买单？', '刷卡/按月/公司付', '付款|分期|买单'],
  ],
  risk: [
    ['the risk', 'How much risk will you take?/What would be the worst outcome?/How safe must it be?', 'none/a little/I like surprises', 'risk|worst|safe'],
    ['风险', '能承受多大风险？/最坏的结果是什么？/要有多保险？', '完全不行/一点点/喜欢惊喜', '风险|最坏|保险'],
  ],
  tried: [
    ['what was tried', 'What have you tried so far?/What was it that went wrong last time?/Why did the first attempt fail?', 'a free app/a book/advice of a friend', 'tried|went wrong|attempt'],
    ['试过的办法', '到目前为止试过什么？/上次哪里出了问题？/第一次尝试为什么失败？', '一个免费应用/一本书/朋友的建议', '试过|上次|尝试'],
  ],
  help: [
    ['the helpers', 'Who can help you?/Will anybody assist?/Do you want to hire someone?', 'two friends/nobody/a craftsman', 'help|assist|hire'],
    ['帮手', '谁能帮您？/有人协助吗？/愿意请人来做吗？', '两个朋友/没有人/一位师傅', '谁能帮|协助|请人'],
  ],
  access: [
    ['access', 'Must it be free of steps?/How wide are the doors?/What does the wheelchair need?', 'no steps/a lift/wide doors', 'step|door|wheelchair need'],
    ['无障碍', '必须没有台阶吗？/门有多宽？/轮椅需要什么条件？', '没有台阶/有电梯/门要宽', '台阶|门有|轮椅需要'],
  ],
  permission: [
    ['the permission', 'What does the landlord allow?/Do you need a permit?/Are there any rules to follow?', 'no drilling/a permit is there/the landlord agrees', 'landlord|permit|rule'],
    ['许可', '房东允许做什么？/需要办许可吗？/有哪些规定要遵守？', '不能打孔/已有许可/房东同意', '房东|许可|规定'],
  ],
  fallback: [
    ['the plan B', 'What is the plan if it fails?/Do you have a plan B?/Is there a way back?', 'none yet/do it indoors/call a friend', 'if fail|plan b|way back'],
    ['备用方案', '如果不行怎么办？/有备用方案吗？/还有退路吗？', '还没有/改到室内/打电话给朋友', '不行怎么办|备用|退路'],
  ],
}

export const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(ROWS).map(([kind, [en, zh]]) => [kind, { en: wordingOf(en), zh: wordingOf(zh) }]),
)

function wordingOf([name, questions, options, units]: Row): Wording {
  return { name, questions: questions.split('/'), options: options.split('/'), units }
}
