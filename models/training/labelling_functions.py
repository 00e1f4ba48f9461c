"""Labelling functions: per model a table of rules (label, weight, pattern) that vote on a lowercased sentence.

The label with the highest sum wins when it leads by MARGIN, else the model abstains. When no rule fires the default
label is given (None: abstain). A rule whose label is None only spoils the vote: it marks sentences in which a keyword
has another meaning or is too weak to decide, so the model abstains there unless another rule is clear.
"""

import re
from dataclasses import dataclass

MARGIN = 0.5


@dataclass(frozen=True)
class Rule:
    label: str | None
    weight: float
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Vote:
    label: str | None
    fired: bool
    spans: tuple[tuple[int, int], ...]


def vote(model: str, text: str, lowered: str | None = None) -> Vote:
    lowered = text.lower() if lowered is None else lowered
    default, rules = TABLE[model]
    sums: dict[str | None, float] = {}
    spans: list[tuple[int, int]] = []
    for rule in rules:
        match = rule.pattern.search(lowered)
        if match:
            sums[rule.label] = sums.get(rule.label, 0.0) + rule.weight
            if rule.label is not None:
                spans += [m.span() for m in rule.pattern.finditer(lowered)]
    if not sums:
        return Vote(default, False, ())
    ranked = sorted(sums.items(), key=lambda item: -item[1])
    lead = ranked[0][1] - (ranked[1][1] if len(ranked) > 1 else 0.0)
    return Vote(ranked[0][0] if lead >= MARGIN else None, True, tuple(spans))


def rule(label: str | None, weight: float, *alternatives: str) -> Rule:
    return Rule(label, weight, re.compile("(?<![a-z])(?:" + "|".join(alternatives) + ")(?![a-z])"))


def either(*words: str) -> str:
    return "(?:" + "|".join(words) + ")"


def near(left: str, right: str, gap: int = 5) -> str:
    """`left`, at most `gap` words, `right`."""
    return left + r"[^\s\w]*\s+(?:\S+\s+){0," + str(gap) + r"}?[^\s\w]*" + right


def both(left: str, right: str, gap: int = 5) -> str:
    return either(near(left, right, gap), near(right, left, gap))


def relevant(strong: list[str], weak: list[str] = [], not_this: list[str] = []) -> tuple[str, list[Rule]]:
    """Strong words decide; weak ones make the model abstain; `not_this` are other meanings of the strong words."""
    rules = [rule("Relevant", 2.0, *strong)]
    if weak:
        rules.append(rule(None, 1.0, *weak))
    if not_this:
        rules += [rule(None, 1.0, *not_this), rule("Irrelevant", 2.0, *not_this)]
    return ("Irrelevant", rules)


UP = either("rise[sn]?", "rising", "rose", "increas(?:e|es|ed|ing)", "grow(?:s|n|ing)?", "grew", "higher", "up", "accelerat(?:e|es|ed|ing)",
            "strengthen(?:s|ed|ing)?", "expand(?:s|ed|ing)?", "climb(?:s|ed|ing)?", "surg(?:e|ed|ing)", "jump(?:s|ed)?", "gain(?:s|ed)?", "improv(?:e|es|ed|ing)")
DOWN = either("falls?", "fell", "fallen", "falling", "decreas(?:e|es|ed|ing)", "declin(?:e|es|ed|ing)", "lower", "down", "slow(?:s|ed|er|ing)?",
              "weaken(?:s|ed|ing)?", "contract(?:s|ed|ing)", "shr(?:ink|ank|unk|inking)", "drop(?:s|ped|ping)?", "moderat(?:e|es|ed|ing)", "deteriorat(?:e|es|ed|ing)", "eas(?:e|es|ed|ing)")
WEAK = either("weak(?:er|ness)?", "soft(?:er|ness)?", "subdued", "sluggish", "slack", "below", "negative", "recession", "downturn")
STRONG = either("strong(?:er|ly)?", "robust", "buoyant", "tight(?:er|ness)?", "elevated", "above", "brisk", "solid", "overheating", "high")

PROCEDURE_CB = [
    r"(?:the )?meeting (?:was )?(?:adjourned|commenced|convened|concluded)", "adjourned", "attend(?:ed|ance|ing|ees)", "in attendance", r"present(?: at the meeting)?:",
    "secretary", "minutes (?:of|were|will be)", "press conference", "telephone", "fax", "e-?mail", "website", "www", "https?", "copyright", "all rights reserved",
    r"voting (?:for|against)", "voted (?:for|against|unanimously|in favou?r)", "deputy governor", "governors?:", "chairman", "general counsel", "directors?,", "messrs", "mr\\.", "ms\\.",
    "next meeting", "scheduled (?:to be held|for)", "published on", "release date", "embargo", "media relations", "enquiries", "please contact", "board members? present",
    "by (?:unanimous|notation) vote", "the committee (?:approved|ratified) the minutes", "opened the meeting", "appendix", "chart \\d+", "table \\d+", "footnotes?", "section \\d+",
    "federal reserve bank of [a-z]+", "economist", "alternate members?", "article \\d+", "pursuant to", "section \\d+ of the", "act of \\d+", "bylaws", "invitation",
]
FUTURE = [
    "will", "is expected to", "are expected to", "expects?", "expected to", "is projected", "are projected", "projects?", "projections?", "forecasts?", "outlook", "is likely to", "are likely to",
    "going forward", "looking ahead", "in the (?:coming|next|near) \\w+", "over the (?:coming|next|medium|forecast) \\w+", "anticipat(?:e|es|ed)", "should (?:remain|continue|rise|fall|return|increase|decline|reach|ease|support|help)",
    "would (?:likely|probably|continue|remain|be appropriate)", "ahead", "future", "prospects?", "is set to", "intends? to", "plans? to", "is about to", "by the end of (?:next|20\\d\\d)", "next (?:year|quarter|month|few)", "stands? ready",
]
PAST = [
    "was", "were", "had", "rose", "fell", "increased", "decreased", "declined", "grew", "expanded", "contracted", "decided", "noted that .{0,60} (?:was|were|had)", "has (?:risen|fallen|been|remained|increased|declined)", "have (?:risen|fallen|been|remained)",
    "in the (?:previous|last|past) \\w+", "last (?:year|month|quarter|week)", "reported", "recorded", "since the (?:last|previous)",
]
FUTURE_EC = [
    "we(?:'re| are)? (?:expect|anticipat|plan|project|forecast|intend|look|estimat|guid|target)(?:ing)?", "(?:is|are) expected to", "we will", "we'll", "will (?:be|have|continue|see|drive|grow|increase|decline|start|help|launch|begin|come|remain)",
    "going to", "guidance", "outlook", "for (?:the )?(?:full[- ]year|fiscal (?:year )?20\\d\\d|next (?:year|quarter))", "going forward", "looking (?:ahead|forward to (?!your questions?|taking))", "next (?:year|quarter|few)", "in the (?:coming|next) \\w+", "over the (?:next|coming) \\w+",
    "we(?:'d| would)? expect", "we believe .{0,40} (?:will|can|should)", "on track to", "should (?:see|be|continue|grow|improve|help)", "pipeline", "in the future", "expects?", "long[- ]term (?:target|goal|growth)", "remain confident", "by the end of (?:the year|20\\d\\d|this year|next)",
]
GREETING = [
    "thank you", "thanks", "good (?:morning|afternoon|evening|day)", "operator", "next question", "your line is (?:now )?open", "please go ahead", "welcome to", "i(?:'d| would) (?:now )?like to turn", "turn the (?:call|conference)",
    "question-and-answer", "q&a", "great question", "good question", "sure\\.", "yeah\\.", "yes\\.", "okay\\.", "hello", "hi,", "-- analyst", "chief (?:executive|financial|operating) officer", "investor relations", "webcast", "press release",
    "conference call", "replay", "form 10-[kq]", "this call is being recorded", "my question", "just wanted? to (?:ask|follow)", "follow[- ]up", "can you (?:talk|help|give)", "could you (?:talk|give|help)", "non-gaap (?:financial )?measures", "reconciliation",
]
QUANTITY = either("revenues?", "sales", "earnings", "ebitda", "eps", "profits?", "income", "margins?", "volumes?", "orders", "bookings", "backlog", "demand", "users", "subscribers", "customers?", "subscriptions?", "shipments", "traffic", "comps?", "comparable sales",
                  "same-store sales", "cash flow", "market share", "loans", "deposits", "units", "production", "growth", "engagement", "transactions", "members(?:hips?)?", "guests", "visit(?:s|ors)", "accounts", "downloads", "attendance", "the business", "top line", "bottom line", "adoption", "billings", "arr", "spend(?:ing)?", "capacity", "aum", "assets", "fees")
UP_EC = either(UP, "doubl(?:e|es|ed|ing)", "tripl(?:e|ed|ing)", "ramp(?:s|ed|ing)?", "rebound(?:s|ed|ing)?", "recover(?:s|ed|ing)?", "add(?:s|ed|ing)?", "soar(?:s|ed|ing)?", "outpac(?:e|ed|ing)", "pick(?:s|ed|ing)? up", "records?", "advanc(?:e|es|ed|ing)", "more", "build(?:s|ing)?", "outgr(?:ow|ew|owing)")
DOWN_EC = either(DOWN, "slid(?:e|es|ing)?", "slip(?:s|ped|ping)?", "plung(?:e|ed|ing)", "tumbl(?:e|ed|ing)", "los(?:t|e|es|ing)", "dip(?:s|ped)?", "fewer", "cool(?:ed|ing)", "dried up", "erod(?:e|ed|ing)", "narrow(?:s|ed|ing)?", "compress(?:ed|ion)", "soften(?:s|ed|ing)?", "reduc(?:e|ed|tion|ing)", "smaller", "collapsed?", "curtail(?:ed|ing)?")
COST = either("costs?", "expenses?", "losses", "churn", "debt", "headwinds?", "charge-offs", "delinquenc(?:y|ies)", "inventor(?:y|ies)", "sg&a", "tax(?: rate)?", "cogs")
GOOD = ["strong", "record", "robust", "pleased", "proud", "excited", "momentum", "outperform(?:ed|ing)?", "exceed(?:ed|ing|s)?", "better than (?:we )?expected", "ahead of (?:our )?(?:expectations|plan|guidance|schedule)", "tailwinds?", "solid", "confident", "successful(?:ly)?", "very happy",
        "accelerat(?:ed|ing|ion)", "outstanding", "excellent", "impressive", "healthy", "profitable", "raising (?:our )?(?:guidance|outlook)", "market share gains?", "double-digit", "terrific", "encourag(?:ed|ing)", "well[- ]positioned", "improv(?:ed|ing|ement)", "favorabl[ey]", "all-time high", "great (?:quarter|results|progress|start|year)", "w[io]n(?:s|ning)?", "best", "delighted", "thrilled", "beat", "milestones?", "traction", "resilien(?:t|ce)", "rais(?:ed|ing) (?:our|the) (?:\\w+ )?(?:dividend|guidance|outlook|forecast)", "gain(?:ed|ing) share", "higher than (?:we )?(?:expected|planned)", "tremendous", "fantastic", "superior", "love"]
BAD = ["weak(?:er|ness)?", "challeng(?:es?|ing)", "headwinds?", "disappoint(?:ed|ing|ment)", "soft(?:er|ness)?", "loss(?:es)?", "impair(?:ment|ed)", "write-?(?:off|down)s?", "below (?:our )?(?:expectations|guidance|plan)", "short of", "worse", "deteriorat(?:ed|ing|ion)", "slow(?:er|down|ing)", "restructuring", "difficult",
       "unfavorabl[ey]", "pressures?", "adverse(?:ly)?", "lowering (?:our )?(?:guidance|outlook)", "disruptions?", "shortfall", "delay(?:s|ed)?", "negative(?:ly)?", "litigation", "bankruptc(?:y|ies)", "layoffs?", "shutdowns?", "closures", "struggl(?:ed|ing)", "hurt", "missed", "suffer(?:s|ed|ing)?", "los(?:t|ing)", "shortages?", "strikes?", "recall(?:s|ed)?", "tough(?:er|est)?", "cancel(?:l?ed|lations?)", "withdr(?:aw|ew|awing)", "suspend(?:ed|ing)?", "fraud", "breach", "attacks?", "defaults?", "lawsuits?", "penalt(?:y|ies)", "squeez(?:e|ed|ing)", "erosion", "damag(?:e|ed|ing)", "collaps(?:e|ed)", "worst", "fail(?:s|ed|ure|ures)?", "stall(?:ed|ing)"]
CAUSE_GOOD = ["benefit(?:s|ed|ing|ted)?(?: from)?", "tailwinds?", "driven by", "helped", "contributed (?:to|approximately|\\d)", "favorabl[ey] (?:impact|impacted|affected)", "positive(?:ly)? impact(?:ed)?", "boost(?:ed|s|ing)?", "thanks to", "more than offset", "accretive", "enabl(?:ed|es|ing) us to", "synergies", "strengthened (?:our|by)", "lift(?:ed|ing) (?:our|sales|revenue|margins?|results|demand)", "(?:improved|increased|raised|expanded|grew) (?:\\w+ ){0,4}(?:because of|due to|as a result of|by|from)", "paid off", "saved us", "led to (?:higher|increased|strong|improved)", "add(?:ed|s|ing) (?:approximately )?(?:\\$|\\d)"]
CAUSE_BAD = ["headwinds?", "negative(?:ly)? (?:impact|affect)(?:ed|s)?", "adverse(?:ly)? (?:impact|affect)(?:ed|s)?", "hurt", "impacted by", "weigh(?:ed|s|ing) on", "unfavorabl[ey] (?:impact|impacted|affected)", "pressured? (?:on|by|our)", "partially offset by", "offset by (?:lower|weak|declin|higher cost)", "disrupt(?:ed|ion|ions)", "due to (?:lower|weak|softness|the (?:pandemic|virus|strike|shutdown))", "reduced (?:our )?(?:revenue|earnings|sales|eps)", "dilutive", "cost us", "dragg?(?:ed)?", "led to (?:lower|weak|reduced|declin)", "grounding", "forced us to", "(?:declined|decreased|fell|lower|down) (?:\\S+ ){0,5}(?:because of|due to|as a result of)", "held back", "cost us", "squeezed", "shortages? (?:of|in|have|has|limited|delayed)", "delayed by", "took (?:\\S+ ){0,4}(?:off|out of)", "because of (?:covid|the (?:pandemic|virus|hurricane|tariffs))"]

IN = "IN_CLAIM"
OUT = "OUT_OF_CLAIM"
PRICES = either("inflation", "prices?", "cpi", "wages?", "cost pressures", "core inflation", "price pressures")
DEMAND = either("demand", "activity", "growth", "gdp", "economy", "output", "consumption", "spending", "employment", "labou?r market", "investment", "expansion", "exports")
RATE = either("(?:policy|interest|bank|repo|federal funds|funds|key|cash|overnight|lending|discount|base|benchmark) rates?", "rates", "bank rate")

TABLE: dict[str, tuple[str | None, list[Rule]]] = {
    "cb_stance_label": (None, [
        rule("Irrelevant", 1.5, *PROCEDURE_CB),
        rule("Irrelevant", 3.0, r"^[\W\d]*$", r"^[\w&.,:()/'’-]+(?: [\w&.,:()/'’-]+){0,3}(?<![.])$"),
        rule("Irrelevant", 3.0, r"^[^a-z]*(?:chart|table|figure|annex|appendix|box|note|source|page|contents|section|chapter|graph)s? ?[\divxa-z.:]*(?: .{0,60})?$", "(?:home|about us|contact|search|menu|navigation|sitemap|back to top|print this page|follow us|subscribe)$"),
        rule(None, 1.2, near(PRICES, either(UP, DOWN)), near(DEMAND, either(UP, DOWN)), near(either("rais(?:e|ed|ing)", "cut", "reduc(?:e|ed|ing)", "lower(?:ed|ing)?"), RATE), RATE + r"\W+by", "stance", "policy"),
        rule("Hawkish", 1.0, near(either("rais(?:e|ed|ing)", "increas(?:e|ed|ing)", "hik(?:e|ed|ing)", "lift(?:ed|ing)?"), RATE, 3), near(PRICES, either("rose", "ris(?:en|ing)", "above", "upside", "elevated", "picked up", "accelerated"), 4), "tighten(?:ing|ed)?", "upside risks? to inflation", "overheating", "tight labou?r market", near("reduc(?:e|ed|ing)", "(?:asset )?purchases", 4)),
        rule("Dovish", 1.0, near(either("cut(?:ting)?", "reduc(?:e|ed|ing)", "lower(?:ed|ing)?"), RATE, 3), near(PRICES, either("fell", "fallen", "falling", "below", "declined", "subdued", "moderated", "eased", "slowed"), 4), near(DEMAND, either("weak(?:ened|er)?", "slowed", "contracted", "declined", "subdued", "sluggish"), 4), "easing", "accommodative", "downside risks?", "stimulus", "slack", "deflation", "quantitative easing", near("increas(?:e|ed|ing)", "(?:asset )?purchases", 3)),
    ]),
    "cb_certain_label": (None, [
        rule("Uncertain", 1.5, "uncertain(?:ty|ties)?", "may", "might", "could", "unclear", "depend(?:s|ing|ent)? (?:on|upon)", "possib(?:le|ly|ility)", "perhaps", "doubt(?:s|ful)?", "hard to (?:predict|judge|know|assess)", "difficult to (?:predict|judge|know|assess)", "cannot be (?:ruled out|excluded)", "remains to be seen", "if .{3,50} were to"),
        rule(None, 1.0, "risks?", "likely", "seem(?:s|ed)?", "appear(?:s|ed)?", "suggest(?:s|ed|ing)?", "would", "potential(?:ly)?", "some (?:members|participants)", "estimat(?:e|ed|es)", "approximately"),
        rule("Certain", 1.0, "decided", "rose", "fell", "increased", "declined", "stood at", "was", "were", "recorded", "confirmed", "will", "has been", "have been", "voted"),
        rule("Certain", 1.0, *PROCEDURE_CB),
    ]),
    "cb_enhanced_uncertain_label": ("Neutral", [
        rule("High Uncertainty", 2.0, both(either("uncertain(?:ty|ties)?", "risks?"), either("high(?:er|ly)?", "elevated", "increas(?:e|ed|ing)", "heightened", "considerable", "substantial(?:ly)?", "significant(?:ly)?", "great(?:er)?", "ris(?:en|ing)", "rose", "large", "unusually", "extremely", "mounting", "intensif(?:y|ied)", "grow(?:n|ing)"), 3), "highly uncertain", "very uncertain", "uncertain(?:ty|ties)? (?:remains?|surround|about|over|regarding|concerning|persist|prevail|linger)\\w*", "clouded", "downside risks? (?:dominate|have|remain)", "outlook (?:is|was|remains?|remained) (?:\\w+ )?(?:uncertain|unclear)", "tail risks?", "heightened (?:volatility|tensions)"),
        rule("Low Uncertainty", 2.0, both("uncertaint(?:y|ies)", either("low(?:er)?", "reduc(?:ed|tion|ing)", "diminish(?:ed|ing)?", "declin(?:e|ed|ing)", "eas(?:ed|ing)", "dissipat(?:e|ed|ing)", "subsid(?:ed|ing)", "fallen", "receded", "lessen(?:ed|ing)?", "resolved"), 3), both("risks?", either("diminished", "receded", "abated", "subsided", "have eased", "lessened", "well contained", "limited", "balanced"), 3), "confiden(?:t|ce) (?:that|in the)", "assur(?:ed|ance|es) that", "without doubt", "firmly (?:anchored|convinced)", "no doubt", "clearly established", "certain that"),
        rule(None, 1.0, "uncertain(?:ty|ties)?", "risks?", "unclear", "volatil(?:e|ity)", "confiden(?:t|ce)"),
    ]),
    "cb_inflation_relevancy_label": relevant(
        ["inflation(?:ary)?", "disinflation(?:ary)?", "deflation(?:ary)?", "cpi", "consumer prices?", "producer prices?", "price (?:stability|pressures|level|increases|developments|index|indices|dynamics)", "wholesale prices?", "pce price", "core prices?", "hicp", "cost of living", "rpi"],
        ["prices?", "costs?", "deflator", "price[- ]\\w+"], ["(?:asset|house|housing|share|stock|equity|property|bond) prices?"]),
    "cb_precious_metal_relevancy_label": relevant(
        ["gold (?:price|prices|reserves?|holdings?|market|bullion|coins?|sales|imports|purchases|stock|mining|standard|certificates?)", "price of gold", "precious metals?", "bullion", "silver (?:price|prices|coins?|market)", "platinum", "palladium", "in gold", "gold and silver", "gold"],
        ["silver", "metals?"], ["golden", "gold(?:man|smith)", "goldman sachs", "gold medal", "silver lining", "gold coast", "gold-plat\\w+", "gold card"]),
    "cb_economic_status_relevancy": relevant(
        ["gdp", "economic (?:growth|activity|expansion|recovery|outlook|conditions|slowdown|performance|situation|developments)", "recession", "output gap", "aggregate demand", "domestic demand", "recovery", "unemployment(?: rate)?", "the (?:\\w+ )?economy", "growth (?:rate|of the economy|momentum)", "real growth", "industrial production", "global growth", "downturn", "economies"],
        ["growth", "demand", "output", "inflation", "employment", "spending", "consumption", "activity", "production"], []),
    "cb_dollar_value_relevancy": relevant(
        [both(either("(?:us|u\\.s\\.|american) dollar", "the dollar", "dollar"), either("appreciat(?:e|ed|es|ing|ion)", "depreciat(?:e|ed|es|ing|ion)", "strengthen(?:ed|ing|s)?", "weaken(?:ed|ing|s|er)?", "exchange (?:rate|value)s?", "against", "vis-[aà]-vis", "stronger", "strength", "weakness", "rose", "fell", "declined", "foreign exchange value", "firmed", "parity", "per"), 8), "dollar index", "usd/[a-z]{3}", "[a-z]{3}/usd", "trade-weighted (?:value of the )?dollar", "yen to the (?:us |u\\.s\\. )?dollar"],
        ["dollars?", "exchange rates?", "appreciat\\w+", "depreciat\\w+", "usd", "currenc(?:y|ies)"], ["dollar[- ]denominated", "dollar (?:funding|liquidity|swap)", "billion (?:us )?dollars", "million (?:us )?dollars", "australian dollar", "canadian dollar", "singapore dollar", "taiwan dollar", "new zealand dollar", "(?:billion|million) u\\.s\\. dollars"]),
    "cb_housing_relevancy": relevant(
        ["hous(?:e|ing) (?:prices?|market|starts|sector|loans?|activity|construction|demand|investment|credit|permits)", "mortgages?", "real estate", "residential (?:investment|construction|property|building|mortgage)\\w*", "home (?:sales|prices|building|buyers|ownership|loans?|purchases?)", "homebuild\\w+", "property (?:prices|market)", "dwelling (?:prices|investment|approvals|starts)", "building (?:permits|approvals)", "new homes?", "existing homes?", "rents", "homeowners?", "apartments?", "dwellings?"],
        ["property", "properties", "construction", "hous(?:e|es|ing)", "homes?", "rent\\w*", "buildings?", "residential"], ["house of (?:representatives|commons|lords)", "in-house", "white house", "clearing house", "warehouses?", "home affairs", "at home and abroad", "home country", "households?"]),
    "cb_foreign_nations_relevancy": relevant(
        [both(either("united states", "u\\.s\\.", "the us", "america(?:n)?", "washington"), either("tariffs?", "trade (?:tensions?|war|dispute|agreement|deal|deficit|surplus|policy|talks|negotiations|conflict)", "exports to", "imports from", "trading partners?", "nafta", "usmca", "bilateral", "spillovers?", "protectionis\\w+"), 8), both(either("china", "mexico", "japan", "canada", "europe", "chinese", "mexican", "japanese", "canadian"), "exports? to the (?:united states|us|u\\.s\\.)", 8), "(?:slower|weaker|strong|weak) (?:u\\.s\\.|american) demand", "american (?:importers|exporters|buyers|tariffs)", "exports? to the (?:united states|us|u\\.s\\.)", "imports? from the (?:united states|us|u\\.s\\.)", "u\\.s\\.[- ]china", "us[-–]china", "nafta", "usmca", "u\\.s\\. (?:imports|exports|trade deficit|current account|international trade)", "shipments to the (?:united states|us)", "sino-us", "sino-american", "foreign trading partners"],
        ["united states", "u\\.s\\.", "tariffs?", "exports?", "imports?", "trade (?:tensions?|war|dispute|agreement|deficit)", "trade", "spillovers?", "american", "foreign", "abroad", "dollar"], []),
    "cb_money_supply_relevancy": relevant(
        ["money (?:supply|stock|growth|demand|aggregates?|in circulation|multiplier)", "monetary (?:base|aggregates?|expansion)", "broad money", "narrow money", "reserve money", "m[0123](?: growth)?", "base money", "demand for money", "currency in circulation", "velocity of (?:money|circulation)", "quasi-money", "money creation"],
        ["liquidity", "bank reserves", "reserve balances", "deposits", "banknotes", "money"], ["money[- ]market\\w*", "money laundering"]),
    "cb_oil_relevancy": relevant(
        ["oil", "crude", "petroleum", "gasoline", "petrol", "diesel", "natural gas", "energy (?:prices?|costs?|markets?|commodit\\w+|imports|exports|sector|supply|goods|products)", "opec\\+?", "brent", "wti", "fuel (?:prices|costs|subsid\\w+|price|oil)", "fuels?", "lng", "gas prices?", "barrels?", "shale"],
        ["energy", "commodit(?:y|ies)", "gas"], ["oilseeds?", "palm oil", "edible oils?", "vegetable oils?", "cooking oils?", "olive oil", "energy and enthusiasm"]),
    "cb_labor_market_relevancy": relevant(
        ["labou?r (?:market|markets|force|costs?|demand|supply|shortages?|productivity|compensation)", "unemployment", "employment", "wages?", "payrolls?", "jobs?", "jobless", "hiring", "vacanc(?:y|ies)", "participation rate", "earnings growth", "hourly earnings", "workforce", "workers", "layoffs?", "salar(?:y|ies)", "staffing", "employees"],
        ["labou?r", "compensation", "staff", "earnings", "participation"], ["labou?r party", "labou?r day", "(?:federal reserve|board|bank) (?:staff|employees)", "good job", "great job"]),
    "cb_claim_projection_label": ("OUT_OF_CLAIM", [
        rule(IN, 2.0, near(either("growth", "inflation", "gdp", "demand", "prices?", "exports?", "consumption", "economy", "output", "rates?", "unemployment", "activity", "investment", "deficit", "credit", "wages?", "core", "spending", "employment"),
                       either("(?:is|are|was|were) (?:\\w+ )?(?:expected|projected|forecast|forecasted|anticipated|predicted|likely|estimated) to", "will (?:\\w+ )?(?:be|remain|rise|fall|increase|decline|grow|return|reach|slow|pick|average|continue|stay|moderate|ease|converge|expand|accelerate|decelerate)", "should (?:\\w+ )?(?:remain|rise|fall|increase|decline|grow|return|reach|slow|average|continue|moderate|ease|converge)", "would (?:\\w+ )?(?:remain|rise|fall|increase|decline|grow|return|reach|slow|average|continue|moderate|ease|converge)", "(?:is|are) set to", "to (?:average|reach|grow by|range)"), 6), "(?:expects?|projects?|forecasts?|anticipates?|projected|forecast) .{0,50}(?:growth|inflation|gdp|rates?|demand|economy|prices|unemployment|increase|decline|pick)", "projections? (?:for|of|implies|imply|shows?)", "forecast(?:s|ed)? (?:for|of|at|to)", "projected (?:growth|inflation|path|increase)"),
        rule(None, 1.0, "outlook", "prospects", "going forward", "expectations", "will", "likely", "ahead", "risks? to", "may", "could", "would"),
        rule(OUT, 1.0, "decided", "announced", "in the (?:previous|last) \\w+", "last (?:year|month|quarter)"),
    ]),
    "cb_forward_looking_classification": (None, [
        rule("Forward Looking", 1.5, *FUTURE), rule("Not Forward Looking", 1.0, *PAST),
        rule("Not Forward Looking", 1.0, *PROCEDURE_CB),
    ]),
    "ec_forward_looking": ("Not Forward Looking", [
        rule("Forward Looking", 2.0, *FUTURE_EC),
        rule(None, 1.0, "could", "would", "should", "may", "might", "continue to", "opportunit(?:y|ies)", "plans?", "potential", "remain", "targets?"),
        rule("Not Forward Looking", 3.0, "(?:we'll|we will|let's|i'll|i will) (?:now )?(?:take|begin|open|go|hear|move|turn|pass|hand|conduct|come)", "thank you", "next question", "operator", "good (?:morning|afternoon)", "turn the call", "your line", "forward-looking statements", "-- analyst", "safe harbor", "looking forward to (?:your|taking|speaking)"),
        rule("Not Forward Looking", 0.8, "was", "were", "grew", "increased", "decreased", "declined", "generated", "last (?:year|quarter)", "we (?:saw|had|delivered|achieved|reported|ended)"),
    ]),
    "ec_claim_projection": ("OUT_OF_CLAIM", [
        rule(IN, 2.0, "(?:expect|anticipate|project|forecast|guid|target|estimate|guidance|outlook|will be|should be|going to be|to be).{0,90}(?:\\$ ?\\d|\\d[\\d.,]* ?(?:%|percent|million|billion|basis points|bps|per share))", "(?:\\$ ?\\d|\\d[\\d.,]* ?(?:%|percent|million|billion|basis points)).{0,60}(?:next (?:year|quarter)|in the (?:coming|next)|by the end of|by 20\\d\\d|going forward)", "(?:expect|anticipate|project|forecast)(?:s|ed|ing)?.{0,60}(?:revenue|sales|margins?|earnings|eps|growth|volumes?|costs?|capex|capital expenditures|tax rate|increase|decrease|grow|decline|range)"),
        rule(None, 1.0, "expect(?:s|ed|ing)?", "guidance", "outlook", "target(?:s|ing)?", "on track", "we will", "will", "going to", "plan to", "should"),
        rule(OUT, 1.2, "was", "were", "grew", "increased", "declined", "last (?:year|quarter)", "thank you", "next question", "compared (?:to|with)"),
    ]),
    "ec_financial_sentiment": ("Neutral", [
        rule("Positive", 1.0, *GOOD), rule("Positive", 1.2, near(QUANTITY, UP_EC, 4), near(UP_EC, QUANTITY, 4), "up \\d+", near(DOWN, COST, 3), near(COST, DOWN, 3)),
        rule("Negative", 1.0, *BAD), rule("Negative", 1.2, near(QUANTITY, DOWN_EC, 4), near(DOWN_EC, QUANTITY, 4), "down \\d+", near(UP, COST, 3), near(COST, UP, 3)),
        rule("Neutral", 1.6, *GREETING), rule("Neutral", 1.0, r"\?$"),
    ]),
    "ec_growth": ("Neutral", [
        rule("Positive Growth", 2.0, near(QUANTITY, UP_EC, 5), near(UP_EC, QUANTITY, 4), "up (?:by )?(?:approximately |about |over |more than )?\\$?\\d+", "(?:increase|growth|rise) of \\d+", "grew", "double[ds]?", "tripled"),
        rule("Negative Growth", 2.0, near(QUANTITY, DOWN_EC, 5), near(DOWN_EC, QUANTITY, 4), "down (?:by )?(?:approximately |about |over |more than )?\\$?\\d+", "(?:decrease|decline|drop|reduction) (?:of|in) \\d+", "shrank", "contraction"),
        rule("Neutral", 1.2, *GREETING),
        rule(None, 0.8, UP, DOWN, "growth"),
    ]),
    "ec_material_impact": ("Neutral", [
        rule("Positive Impact", 2.0, *CAUSE_GOOD), rule("Negative Impact", 2.0, *CAUSE_BAD),
        rule("Neutral", 1.2, *GREETING), rule(None, 0.8, "impact(?:s|ed)?", "affect(?:s|ed)?", "effects?", "offset", "because of", "due to", "as a result"),
    ]),
    "ec_competition_relevancy": relevant(
        ["compet(?:e|es|ing|ition|itive|itors?|itiveness)", "market share", "share (?:gains?|loss(?:es)?)", "(?:gain|gained|gaining|lose|lost|losing|take|taking|took|taken) share", "rivals?", "differentiat(?:ed|ion|es|ing)", "outcompete", "peers", "market leader(?:ship)?", "win rates?", "new entrants?"],
        ["leading", "leader", "share", "unique", "advantage", "industry", "incumbents?", "players"], ["earnings per share", "per share", "shareholders?", "share repurchases?", "share buybacks?", "shares outstanding"]),
    "ec_price_relevancy": relevant(
        ["pric(?:e|es|ing|ed)", "discount(?:s|ing|ed)?", "promotional", "inflation(?:ary)?", "(?:input|raw material|commodity|freight|steel) costs?", "list price", "average selling price", "asps?", "price[- ]mix", "surcharges?", "deflation", "cost inflation", "markdowns?", "tariff-related pricing"],
        ["costs?", "rates?", "premium", "fees", "promotions?", "mix"], ["share price", "stock price", "purchase price allocation", "priceline", "t\\. rowe price", "price target", "discount rate", "price per share", "exercise price"]),
    "ec_cyber_risk_relevancy": relevant(
        ["cyber\\w*", "cyber[- ]security", "ransomware", "malware", "data (?:breach(?:es)?|privacy|protection|security)", "hack(?:er|ers|ed|ing)", "phishing", "network security", "information security", "endpoint security", "firewalls?", "zero[- ]trust", "security (?:breach(?:es)?|incident|threats?|software|solutions|platform|portfolio|business)", "gdpr", "identity theft", "threat (?:detection|intelligence|prevention)", "cloud security", "encryption", "fraud detection"],
        ["security", "privacy", "breach(?:es)?", "attacks?", "threats?"], ["social security", "securit(?:y|ies) (?:and exchange|litigation|laws?)", "homeland security", "food security", "covenant breach", "heart attack", "job security", "breakthrough"]),
    "ec_regulatory_risk_relevancy": relevant(
        ["regulat(?:ion|ions|ory|or|ors|ed)", "fda", "sec (?:investigation|rule)", "ftc", "fcc", "epa", "cfpb", "antitrust", "legislation", "legislative", "compliance", "approvals? (?:from|by)", "lawsuits?", "litigation", "department of justice", "doj", "congress", "tax reform", "tax (?:law|legislation|cuts and jobs act)", "tariffs?", "rate case", "commission approval", "ferc", "public (?:utility|service) commission", "capital requirements?", "ccar", "stress tests?", "affordable care act", "medicare", "mandates?", "settlement with", "consent (?:order|decree)", "puc"],
        ["approv(?:al|ed|e)", "tax(?:es)?", "government", "laws?", "legal", "policy", "rules?", "filing"], ["form 10-[kq]", "securities and exchange commission", "forward-looking statements", "regulation (?:fd|g)", "cash regulator", "voltage regulator"]),
    "ec_cost_of_capital_relevancy": relevant(
        ["interest (?:rates?|expense|income)", "debt", "borrow(?:ing|ings|ed)?", "leverage (?:ratio|target)", "net leverage", "deleverag\\w+", "refinanc(?:e|ed|ing)", "credit (?:ratings?|facility|agreement|spreads?)", "investment[- ]grade", "bonds? (?:offering|issuance|yields?|maturity|market|due)", "(?:corporate|convertible|green|senior|treasury|unsecured) bonds?", "notes (?:due|offering)", "senior notes", "term loan", "revolver", "revolving", "cost of capital", "wacc", "hurdle rates?", "equity (?:offering|raise|issuance)", "libor", "fed funds", "rate (?:hikes?|cuts?)", "(?:treasury|flat|flatter|steeper|inverted|steepening) yield curve", "net interest margin", "balance sheet (?:strength|leverage)", "covenants?", "coupon", "maturit(?:y|ies)", "commercial paper", "basis points? (?:increase|decrease) in (?:interest )?rates"],
        ["leverag(?:e|ed|ing)", "capital", "liquidity", "interest", "cash", "rates", "equity"], ["interested", "leverag(?:e|ed|ing) (?:our|the|its|this|technology|that|data)", "operating leverage", "interest in (?:our|the)", "fixed cost leverage", "expense leverage", "human capital", "customer interest", "consumer interest"]),
    "ec_geopolitical_risk_relevancy": relevant(
        ["geo-?politic\\w*", "tariffs?", "trade (?:war|tensions?|disputes?|conflicts?|negotiations?|deal|talks)", "sanctions?", "wars?", "brexit", "political (?:instability|uncertainty|unrest|environment)", "export (?:controls?|restrictions?|bans?)", "huawei", "entity list", "hong kong (?:protests?|unrest)", "ukraine", "iran", "military (?:conflict|action|tensions?)", "section 301", "embargo", "terroris[mt]", "middle east tensions?", "us[-–/ ]china", "u\\.s\\.[-–/ ]china", "protests?", "coups?", "north korea", "hostilities"],
        ["china", "russia", "mexico", "venezuela", "government", "political", "trade"], ["war (?:for|on) talent", "talent war", "price war", "warfarin", "warfare on", "warehous\\w+", "trade (?:show|promotion|spend|spending|up|down|name|in)", "bidding wars?", "cold war", "star wars", "god of war", "console wars?", "streaming wars?"]),
    "ec_labor_market_relevancy": relevant(
        ["labor", "hir(?:e|ed|es|ing)", "headcount", "layoffs?", "wages?", "workforce", "employees?", "unions?", "strikes?", "recruit(?:ing|ment|ed)?", "staff(?:ing|ed)?", "turnover", "unemployment", "employment", "jobs?", "salar(?:y|ies)", "talent", "workers?", "severance", "furlough(?:s|ed)?", "associates", "drivers? (?:shortage|pay|wages|retention)", "new hires", "attrition", "overtime", "payroll"],
        ["people", "compensation", "teams?", "personnel", "benefits"], ["great job", "good job", "nice job", "terrific job", "european union", "credit unions?", "inventory turnover", "asset turnover", "strike(?:s)? (?:a|the) balance", "strike price", "job of", "western union", "loss development", "lucky strike", "union pacific", "gold strike", "do(?:ing)? (?:a|the|our) \\w* ?job", "laborator\\w+", "jet labor"]),
}
