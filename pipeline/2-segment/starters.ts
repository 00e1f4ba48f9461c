/**
 * Words that, capitalised where a name could also stand, tell that a new sentence begins. Chosen by counting in central bank
 * texts and earnings calls which words are capitalised at the start of a sentence and hardly ever within one.
 */

/** Function words, and the openings of spoken answers: a sentence begins whatever follows. */
const CERTAIN =
  "The And So In We But This As It One Our However On Thanks Thank Some There It's For At We're They These All He You While " +
  "Please That If Your Meanwhile We've That's Although Most Moreover Another Is To Regarding Can Now Overall What Or Based " +
  "When By How Given Looking Nevertheless Obviously Despite According Maybe There's Since After During My Let Let's Several Any We'll " +
  'Against Nonetheless Are Accordingly Both Even Other From Also Finally Such Yes Do Additionally Because Consistent Well Again ' +
  "Therefore Furthermore Further Before Yeah Next An Within They're Excluding Turning Could Following Of No Among Similarly Then Like " +
  "You've You're Under Specifically Today Last Indeed Okay OK What's Not His Her Their Its Clearly Does Did Consequently Certainly " +
  'Likewise Where Welcome Once Should Importantly Through Beyond Still Thereafter Congratulations Congrats Why Together Across Hence ' +
  "Right Really Recently Though Go We'd You'll Considering Sorry Amid Notwithstanding Actually Yet Outside Would They've Every Lastly " +
  "Anything Perhaps Whether Along About Notably Here Here's Hello Hi Hey Subsequently Around Only Each Has Have Had Was Were Be Been Being " +
  'Instead Alternatively Conversely Absolutely Rather Alongside Ladies She Wondering Meaning Sometimes Hopefully Probably Apart ' +
  "Generally Absent Firstly Secondly Thirdly Unfortunately Fortunately He's Between Throughout Unless Until Up With Without Than Us I I'm I'll I've I'd " +
  'Just Great Good Sure Who Which Whose Whatever Whenever Wherever Could Would Might Must Shall Otherwise Thus Nor Too Very More Many Much ' +
  'Few Fewer Less Least Those Same Over Into Onto Off Out Down Above Below Behind Beside Besides Per Via Towards Toward Upon Because Currently ' +
  'Currently Previously Later Earlier Afterwards Elsewhere Everyone Everything Everybody Someone Something Nobody Nothing None I’m I’ll I’ve I’d It’s That’s There’s We’re We’ve ' +
  "We’ll You’re Let’s What’s Here’s They’re He’s Don't Don’t Didn't Won't Can't Isn't Aren't Wasn't Yep Nope Oh Ah Um Uh";

/** Nouns and adjectives that begin many sentences: believed when a word in lower case follows. */
const LIKELY =
  'First Second Third Fourth Participants Inflation Growth Total Consumer Annual Core Household Domestic Retail Adjusted Oil Equity Spreads Nominal Headline Data Financing ' +
  'Broad Actual Prices Investment Return Interest Average Voting Short New Long Services Labor Labour Foreign Information Demand Twelve Free Joining ' +
  'Corporate Having Taken Compared Consumption Output Higher Lower Underlying Price Strong Public Issuance Production Activity Starting Customers ' +
  'Commercial Mortgage Stock People High Food Rates Contacts Leading Incoming Capital Money Surveys Inventory Wage Early Fiscal Unemployment Part ' +
  'Cash Due Construction Increases Relative Similar Number Spending Residential Expectations Risks Uncertainty Sales Imports Exports Additional Firms Monthly Key Energy ' +
  'Concerns Various Near Lending Nice Current Respondents Investors Supply Changes Building Preliminary Anecdotal Downside Results Conduct ' +
  'General Evidence Aggregate Producer Initial Continued Major Rising Option Pay Almost Large Medium Whole Latest Combined Small Increased Capacity ' +
  'Emerging Yield Take Unless Share Fixed Product Prior Globally Crude Implied Nonfarm Factors Partly Risk Customer Significant Book Weak Bond Trade Loan ' +
  'Households Commodity Mining Businesses Best Service Subscription Prospects Shipments Liquidity Wages Motor Mobile Using Single Historically Working Machinery ' +
  'Attention Forecasts Delinquency Reconciliations Enterprise World Goods Estimated Liaison Payroll Ten Volatility Weaker Sequencing Cost External Funding Estimates ' +
  'Full Consumers Debt Wholesale Low Diluted Expansion Official Slower Upside Movements Nonresidential Digital Different Borrowing Unit ' +
  'Including Recall Quarterly Effective Efforts Roll Advanced News Tight Sovereign Readings Confidence Outlays Billings Assuming Advertising Things Stronger Productivity ' +
  'Orders Increase Future Regular Ongoing Responses Positive Import Abstracting Revenue Revenues Operating Gross Net Economic Industrial Manufacturing Housing Real ' +
  'Nearly Roughly Approximately Two Three Four Five Six Seven Eight Nine Members Directors Economists Analysts Officials Markets Sterling Equities ' +
  'Operator Consensus Management Deliveries Bookings Margins Earnings Results Volumes Volume Market Banks Credit Deposits Loans Yields Securities';

const certain: ReadonlySet<string> = new Set(CERTAIN.split(' '));
const likely: ReadonlySet<string> = new Set(LIKELY.split(' '));

/** How surely a capitalised word begins a sentence. */
export const starterStrength = (word: string): 'certain' | 'likely' | 'none' =>
  certain.has(word) ? 'certain' : likely.has(word) ? 'likely' : 'none';

/** Words at a line's end after which the sentence goes on: `the`, `of`, `and`. */
const CONTINUING =
  'a an the of in on at to by for from with and or nor but as that which who whom whose this these those its their our his her your my is are was were be been being ' +
  'has have had will would can could may might must should shall not no into onto over under above below between among amid about against through during ' +
  'before since until than via per each every some any all both either neither while whereas although though because if whether when where how what ' +
  'such more most less least very so too also within without across towards toward upon around despite including regarding concerning excluding we they he she i it ' +
  'do does did approximately approx roughly nearly almost another several about only even just Mr Mrs Ms Dr Messrs';

const continuing: ReadonlySet<string> = new Set(CONTINUING.split(' '));

export const isContinuing = (word: string): boolean => continuing.has(word);

const AUXILIARIES: ReadonlySet<string> = new Set(
  'is are was were has had have will would can could should may might did does do remains remained rose fell grew continues expects began became came went saw took stood'.split(
    ' ',
  ),
);

const SUBJECTS: ReadonlySet<string> = new Set('we I they you he she it there'.split(' '));

/** Holds a verb, or a pronoun that wants one: words of a sentence rather than of a heading. */
export const isClause = (words: string): boolean =>
  words
    .split(/\s+/)
    .some((word, index) => (index > 0 && AUXILIARIES.has(word)) || SUBJECTS.has(index === 0 ? lowerFirst(word) : word));

const lowerFirst = (word: string): string => (word === 'I' ? word : word.charAt(0).toLowerCase() + word.slice(1));

/** A verb in a form that tells that the word before it was a subject. */
export const isFiniteVerb = (word: string): boolean =>
  AUXILIARIES.has(word) || (word.length > 5 && word.endsWith('ed'));
