/**
 * What kinds of things questions want to know: which words ask for each, and which describe a detail that is it. `~` stands for
 * any ending.
 */
interface Aspect {
  readonly asked: RegExp
  readonly described: RegExp
}

type Row = readonly [asked: string, described: string]

// biome-ignore format: a table is read by its columns
const ROWS: { readonly [aspect: string]: Row } = {
  money: ['afford|budget|pric~|cost~|spend|expensive|cheap|pay|money|free|paid|dollars?|rent|much .*set aside', 'budget|price|cost|spend|free or paid|paid|rent|financ~|free resources'],
  income: ['earn|salary|wage|income|be paid', 'salary|wage|income|compensation'],
  date: ['when|(what|which) (day|date|time|hour|month|week|season)|due|deadline|urgent|hurry|soon|today|tomorrow|tonight|weekend|leave|ready', 'date|deadline|time of|season|departure|timeline|schedule|day|when|by when'],
  span: ['how long|how many (minute|hour|day|week|month)~|minutes?|hours?|spare|take up|take long|in a hurry|stay', 'duration|time constraints?|time commitment|time availab~|time frame|timeline|stay|how long|how much time|availability|hours|minutes|quick'],
  recency: ['how (new|recent|far back|old)|back|published|since|this year|century|era|decade|past', 'time ?frame|timeframe|recent~|latest|period|era|historical|release|time period'],
  frequency: ['how often|every (hour|day|night|week|month)|daily|weekly|hourly|times a|days a week|a week', 'frequency|how often|interval|schedule|per week|regular~'],
  people: ['how many (people|guests?|persons?|of you|mouths|adults|kids|come|will|are)|for how many|alone|company|(people|friends) (come|coming|join)|with (friends|children|family|whom)|who comes', 'number of (people|guests|servings|travel~|participants|attendees|players)|group size|servings|household|guests|party size|how many people'],
  count: ['how many|how much|how long .*list|number', 'number|quantity|how many|amount|count|sample'],
  age: ['how old|ages?|teen~|grown.?ups?|adults?|toddlers?|school year|grade|year are|young people', 'age|grade|children|adult|youth'],
  place: ['where|(what|which) (city|town|country|part|region|place|area|borough|street|state|side)|live|downtown|suburbs?|inside|outdoors?|indoors?|at whose|in the park|set in|world', 'location|city|region|area|country|place|venue|destination|neighbo~|where|geograph~|zip|local|site'],
  level: ['new to|beginner|novice|experienc~|how good|ever|before|done some|already know|do you know|know about|how (fit|sporty|senior|skilled|well)|years|handy|expert|first time|yourself|good (with|at)|have you (done|been|used|written|repaired|worked)|trainee|lead', 'level|experience|skill~|knowledge|expertise|proficien~|familiar~|background|understanding|seniority'],
  purpose: ['why|what for|for what|purpose|goal|aim|reason|use (it|them|this) for|want it for|want to|achieve|success|hobby|career|do with|planning to|is it (for|to)|afterwards|will you (use|sell)|thinking of', 'purpose|goals?|objective|intended use|use case|reason|motivation|context|outcome|aim'],
  audience: ['who (will|is|are|has).*(read|see|watch|listen|hear|use)|for whom|readers?|listeners?|customers?|reach|who will|going to (read|see|listen)', 'audience|readers?|recipients?|target|demographic|intended for|who'],
  medium: ['read|watch|listen|books?|videos?|clips|films?|games?|printed|sheets?|explain|doing|seeing|learn', 'learning (style|method|format|preference)|resources?|format|medium|materials?|method'],
  format: ['pdf|csv|json|excel|word|table|text|file|format|printed|paper|spreadsheet|slides|document|layout', 'format~|output|file type|document type|layout|extension|export'],
  delivery: ['mail|send|download|put it in|folder|get it|deliver~', 'receiv~|deliver~|send|method of'],
  diet: ['eat|vegan|vegetarian|meat|gluten|lactose|milk|nuts|intoleran~|food|dish(es)?|diet|stay out', 'diet~|food|ingredients?|cuisine|nutrition~|allerg~'],
  allergy: ['allerg~|intoleran~|ill|peanuts?|nuts|cannot eat|gluten', 'allerg~|dietary restrictions?|intoleran~'],
  cuisine: ['italian|mexican|chinese|thai|indian|curry|pasta|dish(es)?|cuisine|taste|flavou?r|spicy|love or hate', 'cuisine|food preferences?|flavou?r|dish|taste|ingredients'],
  look: ['style|looks?|modern|classic|retro|vintage|design|theme|motto|colou?rs?|dress|wear|decorat~|simple|clean', 'style|theme|design|aesthetic|look|decor~|colou?rs?|dress code|appearance|fashion'],
  tone: ['sound|tone|funny|serious|formal|casual|voice|polite|relaxed', 'tone|style|mood|voice|formality'],
  length: ['how many (pages|words|lines|slides)|how long should|length|pages|short|few lines|long should', 'length|word count|number of (words|pages|slides)|size of the (document|report)'],
  depth: ['how deep|depth|details?|overview|summary|everything|brief|exact|thorough|enough|go through|high.level|few lines|many pages', 'depth|level of detail|detail~|scope|comprehensive|extent'],
  topic: ['about|topic|deal with|subject|cover|focus|aspect|care about|which (part|area|numbers|subjects)|struggle with|interest~', 'topics?|aspects?|areas?|focus|subject|specific (area|topic|field)|field|interest~|content'],
  system: ['macs?|windows|linux|pc|android|iphone|operating|ubuntu|server|ios', 'operating system|device|platform|computer|system|phone|environment|os'],
  device: ['phone|computer|laptop|tablet|device|machine|screen|mobile', 'device|phone|computer|hardware|console|platform'],
  tool: ['do you (use|code|work with|type)|tool|program|app|library|framework|stack|software|terminal|click|site|with (brew|sklearn)', 'tools?|software|librar~|framework|platform|apps?|programming language|technolog~|shell|method|interface'],
  source: ['(read|take|get|gather|come|comes|taken) .*from|which (website|site|source|exchange)|whose|come from|opinions', 'source|website|platform|database|provider|data'],
  storage: ['put it|stor~|sav(e|ed)|kept|keep|folder|disk|cloud|drive|copies go|find it|server|on the web|online', 'storage|location of the|destination|save|path|where|source of'],
  brand: ['brand|make|model|manufacturer|names?|samsung|apple|sony|bose|canon|nikon|philips|toyota|vehicle|car', 'brand|make|model|manufacturer|type of'],
  gear: ['do you (own|have) (a|an|any|dumb)|toolbox|gear|equipment|wrench|hammer|drill|dumbbells|own already|at hand|materials', 'equipment|tools?|available|materials|supplies|existing|on hand'],
  health: ['injur~|pain|hurt|doctor|health|ill|medic~|sick', 'health|injur~|medical|limitations?|condition|physical'],
  transport: ['drive|fly|train|car|bus|bike|get there|travel by|by plane|on foot', 'transport~|mode of|travel|vehicle|commute'],
  lodging: ['hotel|hostel|sleep|tent|night|accommodation|stay at', 'accommodation|lodging|hotel|stay'],
  size: ['how (big|large|tall|wide|high)|size|rooms?|space|square|bowl|measure~|small|large|big', 'size|dimensions?|space|bedrooms?|area|square|measurements?|capacity'],
  material: ['leather|wood~|plastic|fabric|metal|made of|material|synthetic', 'material|fabric|type of (oil|wood)|texture'],
  trouble: ['what (strange|happens)|wrong|symptom|stuck|struggle|trouble|problems?|where does|come out|drip|slow|puzzle', 'symptoms?|nature|problem|issue|challenge|error|leak|difficult~|concern~'],
  tried: ['so far|did not (help|work)|tried|done about|methods|until now|attempt', 'previous~|tried|past|attempt|already|current'],
  existing: ['already|running on|own|do you have|now|today|have you got', 'existing|current|already|status|installed'],
  risk: ['risk|lose|lost|losing|safe|careful|cautious|sleep at night|gambl~', 'risk|safety|security|tolerance'],
  criterion: ['how (shall|should|do|would) (i|we|you) (decide|choose|measure|rank|judge|tell|know)|criteri~|what counts|which ones count|count as|would make|what sells|best', 'criteri~|definition|what .*mean|consider as|define'],
  language: ['english|spanish|french|mandarin|german|chinese|language|speak|tongue', 'language'],
  secrecy: ['password|encrypt~|private|secret|zipped|locked|strangers|names', 'security|privacy|encrypt~|special requirements|confidential~'],
  job: ['living|job|work at|employed|firm|company|companies|sector|business|sell|industry|banks?|hospitals?|shop', 'industry|work|employment|compan~|job|profession|occupation|business|sector|career|position'],
  contract: ['permanent|freelancer?|full.?time|part.?time|contract|run your own|self.employed', 'employment|full-time|contract|work situation|part-time'],
  family: ['children|parents|married|look after|family|live alone|kids', 'family|household|commitments?|personal life|responsibilit~|marital'],
  liking: ['love|enjoy~|hobb~|like to do|fond|prefer|favou?rite|spare time|like (football|painting)', 'interests?|hobb~|activit~|preferences?|favou?rite|likes'],
  exception: ['what if|what shall i do with|twice|same (title|name)|empty|missing|fails?|goes wrong', 'handling|duplicates?|missing|conflicts?|error|exception|fallback|contingency'],
  order: ['order|sort~|shuffled?|one after|arrange~|rank', 'order|sort~|sequence|arrangement|priorit~'],
  extra: ['put in|include|should there be|beside|as well|furniture|garden|add|with \\\\w+ and|left out|leave out|something that must', 'includ~|inclusion|additional|features?|elements?|amenit~|extra|special|needs|filter~|specific requirements|requirements|metadata|stops'],
  proof: ['diploma|certificate|certified|degree|at the end', 'certificat~|accredit~|credential'],
  weather: ['hot|cold|weather|rain~|climate|sun~|winter|summer', 'climate|weather|season|temperature'],
  occasion: ['occasion|wedding|birthday|party|event|celebrat~|invitation', 'occasion|event|type of (formal )?event|celebration|party'],
  writer: ['writers?|authors?|artists?|bands?|whose work', 'author|artist|writer|director|favou?rite'],
  extent: ['all of them|every (one|field)|everything|only (those|the|what|mend)|all or|just a few|some of', 'scope|coverage|filters?|conditions?|all |columns|type of backup|extent|sample|style'],
  edit: ['rewrite|mend|change|converted|scaled|correct', 'editing|process~|transform~|modif~|revision'],
}

export const ASPECTS: readonly Aspect[] = Object.values(ROWS).map(([asked, described]) => ({
  asked: anyOf(asked),
  described: anyOf(described),
}))

function anyOf(words: string): RegExp {
  return new RegExp(`\\b(?:${words.replaceAll('~', '\\w*')})\\b`)
}
